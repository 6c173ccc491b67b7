/** Which listed tokens a connection may sign in with. A server reports no ID for a credential that was typed. */
import type { Connection } from '../connections/connection.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { readTokenClaims } from '../service/tokens/tokenClaims.ts';
import { MILLIS_PER_SECOND } from '../time.ts';

/** `maybe`: user and end are those of the credential. Two tokens that never end share both. */
type CredentialMatch = 'yes' | 'maybe';

/** By token ID. Others aren't the credential. */
export type CredentialMatches = ReadonlyMap<string, CredentialMatch>;

/** @param credential Undefined if signed out, or unreadable. */
export function credentialMatches(
  tokens: readonly AccessToken[],
  { signIn }: Pick<Connection, 'signIn'>,
  credential: string | undefined,
): CredentialMatches {
  if (signIn?.tokenId !== undefined) {
    return new Map([[signIn.tokenId, 'yes']]);
  }
  const claims = credential === undefined ? undefined : readTokenClaims(credential);
  const { actorId } = claims ?? {};
  const matching = tokens.filter(
    ({ actorUrn, expiresAt }) =>
      actorId !== undefined &&
      actorUrn.endsWith(`:${actorId}`) &&
      inSeconds(claims?.expiresAtMillis) === inSeconds(expiresAt),
  );
  return new Map(matching.map(({ id }) => [id, 'maybe']));
}

/** Tokens say in seconds when they end, and servers in ms. */
function inSeconds(time: number | null | undefined): number | null | undefined {
  return typeof time === 'number' ? Math.floor(time / MILLIS_PER_SECOND) : time;
}
