import { createHmac, timingSafeEqual } from 'node:crypto';

/** Claims of an access token. Times are in seconds, as in RFC 7519. */
export interface TokenClaims {
  readonly version: '2';
  readonly type: 'PERSONAL' | 'SERVICE_ACCOUNT' | 'SESSION';
  readonly actorType: 'USER';
  readonly actorId: string;
  readonly jti: string;
  readonly sub: string;
  readonly iss: string;
  readonly exp?: number;
}

/** A JSON Web Token signed with HMAC SHA-256. */
export function signToken(claims: TokenClaims, key: string): string {
  const body = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${body}.${signature(body, key)}`;
}

/** Claims of a token if it was signed with this key, otherwise null. The caller judges the expiry. */
export function readToken(token: string, key: string): TokenClaims | null {
  const [header = '', payload = '', given = '', ...rest] = token.split('.');
  const expected = signature(`${header}.${payload}`, key);
  if (
    rest.length > 0 ||
    given.length !== expected.length ||
    !timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  ) {
    return null;
  }
  // A valid signature proves that we made the payload.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
