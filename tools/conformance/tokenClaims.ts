import { requestCallerInfo } from '../../src/service/server/callerRights.ts';
import type { TokenListingRequest } from '../../src/service/tokens/tokenListing.ts';
import { differs, failureOf, findingOf, holds, notAsked, type ServerClaim, type ClaimAnswer } from './claim.ts';
import type { OwnToken } from './ownToken.ts';
import type { ServerSession } from './session.ts';
import { eventually } from './waiting.ts';

const PAGE = 10;
/** Nearly the result window of a search cluster, and beyond any real number of tokens. */
export const FAR_START = 9_000;
export const NO_SUCH_NAME = 'conformance-no-such-token';
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Tolerated difference of clocks. */
const CLOCK_SKEW = 5 * MINUTE;

/** A page of the caller's tokens, or of what the change asks for. */
function list(
  { service, caller, signal }: ServerSession,
  change: Partial<TokenListingRequest> = {},
): ReturnType<ServerSession['service']['tokens']['list']> {
  const scope = { kind: 'owned', ownerUrn: caller } as const;
  return service.tokens.list({ scope, filters: [], start: 0, count: PAGE, ...change }, signal);
}

/** Can tokens be filtered by their expiry in this way? */
async function knowsExpiryBy(way: 'hasCondition' | 'hasAbsence', { service }: ServerSession): Promise<boolean> {
  const [filter, fields] = await Promise.all([service.server.fact('filter'), service.server.fact('tokenFields')]);
  return filter[way] && fields.includes('expiresAt');
}

export const TOKEN_CLAIMS: readonly ServerClaim[] = [
  {
    id: 'own-tokens',
    sentence: "Tokens are listed by who created them, and no other user's",
    expected: 'a page of tokens of the caller',
    exchanges: ['tokens-own', 'spec-tokens-own'],
    consequence: 'Your access tokens may be missing from the tree.',
    advice: 'noTokens',
    ask: async (session) => {
      const { tokens, received } = await list(session);
      session.ownToken?.othersListed(tokens);
      session.learned.hasTokens = received > 0;
      return tokens.length === received
        ? holds('a page of tokens of the caller', `${received} tokens`)
        : differs('also tokens of others, or without an ID', `${received} rows, ${tokens.length} tokens`);
    },
  },
  {
    id: 'all-tokens',
    sentence: 'Tokens of all users are listed with the right privilege',
    expected: 'a page of tokens, or a refusal',
    exchanges: ['tokens-all', 'tokens-all-refused'],
    consequence: "Other users' access tokens can't be listed. Your own are not affected.",
    ask: async (session) => {
      const { tokens, received } = await list(session, { scope: { kind: 'all' } });
      session.ownToken?.othersListed(tokens);
      return tokens.length === received ? holds('a page of tokens') : differs('rows without an ID');
    },
  },
  {
    id: 'end-of-tokens',
    sentence: 'A page beyond the last token is empty, even if `total` is higher',
    expected: 'no rows',
    exchanges: ['tokens-total-without-rows'],
    consequence: 'Load More may show tokens twice, or never end.',
    ask: async (session) => {
      const { received } = await list(session, { start: FAR_START });
      return received === 0 || differs('rows');
    },
  },
  {
    id: 'tokens-by-name',
    sentence: 'A filter by name leaves out tokens with other names',
    expected: 'no rows for a name that no token has',
    exchanges: ['tokens-own'],
    consequence: 'Filters of access tokens show tokens that they should leave out.',
    ask: async (session) => {
      if (session.learned.hasTokens !== true) return notAsked('there is no token to leave out');
      const filters = [{ field: 'name', value: NO_SUCH_NAME, condition: 'EQUAL' } as const];
      const { received } = await list(session, { filters });
      return received === 0 ? holds('no rows') : differs('rows');
    },
  },
  {
    id: 'expired-tokens',
    sentence: 'A filter by expiry finds expired tokens only',
    expected: 'no token that is still valid',
    exchanges: ['tokens-expired'],
    consequence: 'Filters by expiry show tokens that they should leave out.',
    onlyDataHub: true,
    ask: async (session) => {
      if (!(await knowsExpiryBy('hasCondition', session)))
        return notAsked('filters have no conditions, or tokens no expiry');
      const now = Date.now();
      const filters = [{ field: 'expiresAt', value: String(now), condition: 'LESS_THAN' } as const];
      const { tokens } = await list(session, { filters });
      const areExpired = tokens.every(({ expiresAt }) => typeof expiresAt === 'number' && expiresAt < now + CLOCK_SKEW);
      return areExpired || differs('tokens that are still valid');
    },
  },
  {
    id: 'never-expiring-tokens',
    sentence: 'A filter for tokens without an expiry finds only these',
    expected: 'no token that expires',
    exchanges: ['tokens-never-expiring'],
    consequence: 'Tokens that never expire are only found among those that were loaded.',
    onlyDataHub: true,
    ask: async (session) => {
      if (!(await knowsExpiryBy('hasAbsence', session)))
        return notAsked('filters have no such condition, or tokens no expiry');
      const filters = [{ field: 'expiresAt', value: '', condition: 'ABSENT' } as const];
      const { tokens } = await list(session, { filters });
      return tokens.every(({ expiresAt }) => expiresAt === null) || differs('tokens that expire');
    },
  },
  {
    id: 'token-created',
    sentence: 'A token is created, and the answer has its value and its ID',
    expected: 'both',
    exchanges: ['token-created', 'spec-token-created', 'token-creation-refused'],
    consequence: "A token that you create can't be copied, or has to be looked for before it can be revoked.",
    advice: 'noTokens',
    ask: ofOwnToken(async (token) => (await token.create()) || differs('no ID')),
  },
  {
    id: 'token-signs-in',
    sentence: 'The new token signs in as the user who created it',
    expected: 'the same user',
    exchanges: ['introduction'],
    consequence: "Tokens that you create don't work, or work as another user.",
    advice: 'noTokens',
    onlyDataHub: true,
    ask: ofOwnToken(async ({ secret }, { graphqlWith, callerInfo, caller, signal }) => {
      if (secret === undefined) return notAsked('no token was created');
      if (callerInfo.tokensEnabled === false) return notAsked('access tokens are off');
      if (callerInfo.identity === undefined) return notAsked("the server doesn't say who is asking");
      const { identity } = await requestCallerInfo(graphqlWith(secret.reveal()), signal);
      return identity?.actorUrn === caller || differs('another user, or none');
    }),
  },
  {
    id: 'token-listed',
    sentence: 'The new token is listed within half a minute, with its ID, name and user',
    expected: 'listed as it was created',
    exchanges: ['tokens-own'],
    consequence: 'New tokens appear late or not at all, and a creation whose answer is lost is not found again.',
    advice: 'noTokens',
    ask: ofOwnToken(async (token, session) => {
      if (!token.mayExist) return notAsked('no token was created');
      const found = await eventually(
        session,
        () => token.find(session.signal),
        (listed) => listed !== undefined,
      );
      if (found === undefined) return differs('not listed');
      const isNamed = found.name === token.name || !session.isDataHub;
      return (isNamed && found.actorUrn === session.caller) || differs('listed with another name or user');
    }),
  },
  {
    id: 'token-expiry',
    sentence: 'A token for an hour expires an hour after its creation',
    expected: 'an hour later',
    exchanges: [],
    consequence: 'The expiry of access tokens may be shown wrong.',
    ask: ofOwnToken(async (token, session) => {
      const listed = token.wasListed ? await token.find(session.signal) : undefined;
      if (typeof listed?.expiresAt !== 'number' || listed.createdAt === undefined)
        return listed?.expiresAt === null ? differs('never') : notAsked('no times were listed');
      const life = listed.expiresAt - listed.createdAt;
      return Math.abs(life - HOUR) <= MINUTE || differs('at another time');
    }),
  },
  {
    id: 'token-revoked',
    sentence: 'Revoking a token answers `true`',
    expected: '`true`',
    exchanges: ['token-revoked', 'spec-token-revoked'],
    consequence: "The extension can't say whether a token was revoked.",
    advice: 'noTokens',
    ask: ofOwnToken(async (token, { signal }) => {
      if (!token.mayExist) return notAsked('no token was created');
      return (await token.revoke(signal)) === 'revoked' || differs('there was no such token');
    }),
  },
  {
    id: 'token-gone',
    sentence: 'A revoked token leaves the listing within half a minute',
    expected: 'no longer listed',
    exchanges: ['tokens-revoked-a-moment-ago'],
    consequence: 'Revoked tokens come back into the tree after a refresh.',
    advice: 'noTokens',
    ask: ofOwnToken(async (token, session) => {
      if (!token.isRevoked || !token.wasListed) return notAsked('no listed token was revoked');
      const left = await eventually(
        session,
        async () => ({ listed: await token.find(session.signal) }),
        ({ listed }) => listed === undefined,
      );
      return (left !== undefined && left.listed === undefined) || differs('still listed, or the listing fails');
    }),
  },
  {
    id: 'token-revoked-twice',
    sentence: 'Revoking a token that is gone is an error',
    expected: 'an error',
    exchanges: ['token-revocation-of-unknown-id', 'token-revocation-of-unknown-id-on-0.14', 'token-revocation-refused'],
    consequence: "The extension may report a revocation that didn't happen.",
    advice: 'noTokens',
    ask: ofOwnToken(async (token) => {
      if (!token.isRevoked) return notAsked('no token was revoked');
      const failure = await failureOf(token.revokeAgain());
      if (failure === undefined) return differs('`true`');
      return failure.status === 200 && failure.kind !== 'unavailable' ? holds('an error') : findingOf(failure);
    }),
  },
];

/** Skipped in a read-only run. */
function ofOwnToken(
  ask: (token: OwnToken, session: ServerSession) => Promise<ClaimAnswer>,
): (session: ServerSession) => Promise<ClaimAnswer> {
  return async (session) =>
    session.ownToken === undefined ? notAsked('left out by --read-only') : ask(session.ownToken, session);
}
