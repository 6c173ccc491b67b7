/** Looks up a token by its text (PROTOCOL.md §5.10). The text is an argument here, never a credential. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure, unexpectedResponse } from '../failure/failure.ts';
import { LOOK_UP_TOKEN } from '../failure/privileges.ts';
import type { TokenSecret } from '../failure/secret.ts';
import { documentFor } from '../http/documentFor.ts';
import type { KnownServer } from '../server/knownServer.ts';
import { parseTokenRow, type AccessToken } from './accessToken.ts';
import { readTokenClaims } from './tokenClaims.ts';

export type TokenLookup =
  | { readonly kind: 'known'; readonly token: AccessToken }
  /** Answered without a record. */
  | { readonly kind: 'unknown' }
  /** The server has no such query, so the text wasn't sent. */
  | { readonly kind: 'unsupported' };

/** @throws ServiceFailure; `refused` names the missing privilege, `badRequest` if the token must not be sent. */
export async function lookUpToken(
  server: KnownServer,
  secret: TokenSecret,
  signal?: AbortSignal,
): Promise<TokenLookup> {
  const { graphql } = server;
  const tokenFields = await server.fact('tokenFields', signal);
  if (!(await server.fact('looksUpTokens', signal))) {
    return { kind: 'unsupported' };
  }
  const token = secret.reveal();
  const { expiresAtMillis } = readTokenClaims(token) ?? { expiresAtMillis: 0 };
  if (expiresAtMillis !== null && expiresAtMillis <= Date.now()) {
    throw new ServiceFailure(
      'badRequest',
      l10n.t("An expired token isn't sent to a server: using it deletes its record there."),
      {
        operation: LOOK_UP_TOKEN.name,
      },
    );
  }
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
      return { kind: 'unknown' };
    }
    throw thrown;
  }
  if (row === null) {
    return { kind: 'unknown' };
  }
  const [found] = parseTokenRow(row, tokenFields.includes('expiresAt'));
  if (found === undefined) {
    throw unexpectedResponse(LOOK_UP_TOKEN);
  }
  return { kind: 'known', token: found };
}

/** Servers that find no token fail on its fields, which can't be null (PROTOCOL.md §5.10). */
function isMissingToken(failure: ServiceFailure): boolean {
  const isNullField = failure.kind === 'server' && /\bnon[- ]null/i.test(failure.serverText ?? '');
  return failure.status === 200 && (isNullField || failure.kind === 'notFound');
}
