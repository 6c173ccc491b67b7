/** Service accounts of a server, by name: their URNs can't be guessed (PROTOCOL.md §5.9). */
import * as v from 'valibot';
import { ServiceFailure, unexpectedResponse } from '../failure/failure.ts';
import { LIST_SERVICE_ACCOUNTS } from '../failure/privileges.ts';
import { documentFor } from '../http/document.ts';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import { boundedArray } from '../http/json.ts';
import { STORED_IDENTIFIER } from '../server/identifiers.ts';
import type { AskedFacts } from '../server/facts.ts';
import { showableName } from './accessToken.ts';
import * as l10n from '@vscode/l10n';

export interface ServiceAccount {
  readonly urn: string;
  /** Foreign text; undefined if the server has none. */
  readonly name: string | undefined;
}

export interface ServiceAccountPage {
  readonly accounts: readonly ServiceAccount[];
  /** Offset of the next page; undefined after the last one. */
  readonly next: number | undefined;
}

const PAGE_SIZE = 50;
const LISTED = v.object({
  total: v.fallback(v.pipe(v.number(), v.minValue(0), v.safeInteger()), 0),
  serviceAccounts: v.pipe(boundedArray(PAGE_SIZE), v.array(v.unknown())),
});
const TEXT = v.fallback(v.nullish(v.string()), undefined);
const ACCOUNT = v.object({
  urn: v.pipe(STORED_IDENTIFIER, v.startsWith('urn:li:corpuser:')),
  name: TEXT,
  displayName: TEXT,
});

/**
 * Reads a page of the accounts that match a text, or of all.
 * @param fields Those of `AskedFacts.serviceAccountFields`.
 * @throws ServiceFailure, also if the server lists none.
 */
export async function listServiceAccounts(
  graphql: GraphQLEndpoint,
  fields: AskedFacts['serviceAccountFields'],
  text: string,
  start: number,
  signal: AbortSignal,
): Promise<ServiceAccountPage> {
  if (!fields.includes('urn')) {
    throw new ServiceFailure('unsupported', l10n.t("This server doesn't list service accounts."), {
      operation: LIST_SERVICE_ACCOUNTS.name,
    });
  }
  const data = await graphql.runQuery(
    LIST_SERVICE_ACCOUNTS,
    documentFor('query', 'listServiceAccounts', {
      variables: { start: 'Int!', count: 'Int!', query: 'String' },
      input: '{start: $start, count: $count, query: $query}',
      fields: ['total', `serviceAccounts { ${fields.join(' ')} }`],
    }),
    { start, count: PAGE_SIZE, query: text === '' ? undefined : text },
    signal,
  );
  const listed = v.safeParse(LISTED, data['listServiceAccounts']);
  if (!listed.success) {
    throw unexpectedResponse(LIST_SERVICE_ACCOUNTS);
  }
  const { serviceAccounts: rows, total } = listed.output;
  const reached = start + rows.length;
  return {
    accounts: rows.flatMap((row) => {
      const account = v.safeParse(ACCOUNT, row);
      return account.success ? [{ urn: account.output.urn, name: nameOf(account.output) }] : [];
    }),
    // A total proves nothing, so an empty page ends the list too.
    next: rows.length > 0 && reached < total ? reached : undefined,
  };
}

function nameOf({ name, displayName }: v.InferOutput<typeof ACCOUNT>): string | undefined {
  return showableName(displayName) ?? showableName(name);
}
