/** Looks up a token by its text (PROTOCOL.md §5.10). The text is an argument here, never a credential. */
import { ServiceFailure, unexpectedResponse } from '../failure/failure.ts';
import { LOOK_UP_TOKEN } from '../failure/privileges.ts';
import type { TokenSecret } from '../failure/secret.ts';
import { documentFor } from '../http/documentFor.ts';
import type { KnownServer } from '../server/knownServer.ts';
import { parseTokenRow, type AccessToken } from './accessToken.ts';

/**
 * @returns undefined if the server answered without a record.
 * @throws ServiceFailure; `refused` names the missing privilege.
 */
export async function lookUpToken(
  server: KnownServer,
  secret: TokenSecret,
  signal?: AbortSignal,
): Promise<AccessToken | undefined> {
  const { graphql } = server;
  const tokenFields = await server.fact('tokenFields', signal);
  const token = secret.reveal();
  const document = documentFor('query', 'getAccessTokenMetadata', {
    variables: { token: 'String!' },
    fields: tokenFields,
  });
  let row: unknown;
  try {
    const data = await graphql.runQuery(LOOK_UP_TOKEN, document, { token }, signal);
    row = data.getAccessTokenMetadata;
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && isMissingToken(thrown)) {
      return undefined;
    }
    throw thrown;
  }
  if (row === null) {
    return undefined;
  }
  const [found] = parseTokenRow(row, tokenFields.includes('expiresAt'));
  if (found === undefined) {
    throw unexpectedResponse(LOOK_UP_TOKEN);
  }
  return found;
}

/** Servers that find no token fail on its fields, which can't be null (PROTOCOL.md §5.10). */
function isMissingToken(failure: ServiceFailure): boolean {
  const isNullField = failure.kind === 'server' && /\bnon[- ]null/i.test(failure.serverText ?? '');
  return failure.status === 200 && (isNullField || failure.kind === 'notFound');
}
