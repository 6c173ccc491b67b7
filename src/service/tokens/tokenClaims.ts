/** Reads what an access token says about itself (PROTOCOL.md §5.2), without a request. No signature is checked. */
import * as v from 'valibot';
import { MILLIS_PER_SECOND } from '../../time.ts';
import { parseJson } from '../http/json.ts';

/** None of it is proven: anyone can write a token. */
export interface TokenClaims {
  /** `PERSONAL` or `SESSION`. */
  readonly type: string | undefined;
  /** ID of the user that the token acts as, without the prefix of a URN. */
  readonly actorId: string | undefined;
  /** Unix time in ms; null: never. */
  readonly expiresAtMillis: number | null;
}

/** In characters. Twice the longest token that is accepted. */
const LONGEST_TOKEN = 16_384;
/** Header, claims and signature in base64url. */
const SHAPE = /^[\w-]+\.([\w-]+)\.[\w-]*$/;
/** The latest possible date. Formatting fails beyond it. */
const LAST_SECOND = 8_640_000_000_000;

const TEXT = v.fallback(v.optional(v.string()), undefined);
const CLAIMS = v.object({
  type: TEXT,
  actorId: TEXT,
  exp: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(LAST_SECOND))),
});

/** Undefined if the text is no JSON Web Token, or says no possible time as its end. */
export function readTokenClaims(token: string): TokenClaims | undefined {
  const [, encoded] = token.length > LONGEST_TOKEN ? [] : (SHAPE.exec(token) ?? []);
  const claims = encoded === undefined ? undefined : parseJson(Buffer.from(encoded, 'base64url').toString('utf8'));
  const parsed = v.safeParse(CLAIMS, claims);
  if (!parsed.success || Array.isArray(claims)) {
    return undefined;
  }
  const { type, actorId, exp } = parsed.output;
  return { type, actorId, expiresAtMillis: exp === undefined ? null : Math.trunc(exp * MILLIS_PER_SECOND) };
}
