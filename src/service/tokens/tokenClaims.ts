/** Reads what an access token says about itself (PROTOCOL.md §5.2). No signature is checked. Pure. */
import * as v from 'valibot';
import { parseJson } from '../../json.ts';
import { MILLIS_PER_SECOND } from '../../time.ts';

/** None of it is proven: anyone can write a token. */
export interface TokenClaims {
  /** `PERSONAL` or `SESSION`. */
  readonly type: string | undefined;
  /** ID of the user that the token acts as, without the prefix of a URN. */
  readonly actorId: string | undefined;
  /** Unix time in ms; null: never. */
  readonly expiresAtMillis: number | null;
}

/** In characters. Real tokens have a few hundred. */
const LONGEST_TOKEN = 16_384;
/** Three parts in base64url; without a signature it is no token. */
const JSON_WEB_TOKEN = /^([\w-]+)\.([\w-]+)\.[\w-]+$/;

/** The latest possible date in seconds. Formatting fails beyond it. */
const LAST_SECOND = 8_640_000_000_000;
const HEADER = v.object({ alg: v.string() });
const TEXT = v.fallback(v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1_000))), undefined);
const CLAIMS = v.object({
  type: TEXT,
  actorId: TEXT,
  /** In seconds. Missing means never; anything else that is no time must not look like it. */
  exp: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(LAST_SECOND))),
});

/** @returns undefined if it is no JWT of this shape. */
export function readTokenClaims(token: string): TokenClaims | undefined {
  const [, header = '', payload = ''] = (token.length <= LONGEST_TOKEN && JSON_WEB_TOKEN.exec(token)) || [];
  const claims = v.safeParse(CLAIMS, decodedPart(payload));
  if (!v.is(HEADER, decodedPart(header)) || !claims.success) {
    return undefined;
  }
  const { type, actorId, exp } = claims.output;
  return { type, actorId, expiresAtMillis: exp === undefined ? null : Math.floor(exp * MILLIS_PER_SECOND) };
}

/**
 * True if a token says that it has expired. It must not be sent then: the server would delete its record.
 * @param now Unix time in ms.
 */
export function hasExpired(token: string, now: number): boolean {
  const end = readTokenClaims(token)?.expiresAtMillis;
  return typeof end === 'number' && end <= now;
}

/** The JSON object in a part; undefined if there is none. */
function decodedPart(part: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
    const json = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    // Lists would pass for objects without claims.
    return Array.isArray(json) ? undefined : json;
  } catch {
    return undefined;
  }
}
