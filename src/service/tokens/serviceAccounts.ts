/** Service accounts of a server, by name: their URNs can't be guessed (PROTOCOL.md §5.9). */
import * as v from 'valibot';
import { parsedAs } from '../../json.ts';
import { unexpectedResponse } from '../failure/failure.ts';
import { LIST_SERVICE_ACCOUNTS } from '../failure/privileges.ts';
import { documentFor } from '../http/documentFor.ts';
import { type GraphQLEndpoint } from '../http/graphql.ts';
import { boundedArray } from '../http/responseJson.ts';
import { STORED_IDENTIFIER } from '../server/identifiers.ts';
import type { AskedFacts } from '../server/facts.ts';
import { showableName } from './accessToken.ts';

export interface ServiceAccount {
  readonly urn: string;
  /** Foreign text; undefined if the server has none. */
  readonly name: string | undefined;
}

const MOST_ACCOUNTS = 1_000;
const LISTED = v.object({ serviceAccounts: v.pipe(boundedArray(MOST_ACCOUNTS), v.array(v.unknown())) });
const TEXT = v.fallback(v.nullish(v.string()), undefined);
const ACCOUNT = v.object({
  urn: v.pipe(STORED_IDENTIFIER, v.startsWith('urn:li:corpuser:')),
  name: TEXT,
  displayName: TEXT,
});

/**
 * Lists service accounts.
 * @param fields Those of `AskedFacts.serviceAccountFields`.
 * @throws ServiceFailure
 */
export async function listServiceAccounts(
  graphql: GraphQLEndpoint,
  fields: AskedFacts['serviceAccountFields'],
  signal: AbortSignal,
): Promise<readonly ServiceAccount[]> {
  const data = await graphql.runQuery(
    LIST_SERVICE_ACCOUNTS,
    documentFor('query', 'listServiceAccounts', {
      variables: { start: 'Int!', count: 'Int!' },
      input: '{start: $start, count: $count}',
      fields: [`serviceAccounts { ${fields.join(' ')} }`],
    }),
    { start: 0, count: MOST_ACCOUNTS },
    signal,
  );
  const listed = parsedAs(LISTED, data['listServiceAccounts']);
  if (listed === undefined) {
    throw unexpectedResponse(LIST_SERVICE_ACCOUNTS);
  }
  return listed.serviceAccounts.flatMap((row) => {
    const account = parsedAs(ACCOUNT, row);
    return account ? [{ urn: account.urn, name: showableName(account.displayName) ?? showableName(account.name) }] : [];
  });
}
