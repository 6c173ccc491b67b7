/** A token as DataHub makes them. @param expiresAt Unix time in ms. Undefined: never. */
export function tokenUntil(expiresAt: number | undefined, actorId = 'datahub', type = 'PERSONAL'): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = expiresAt === undefined ? {} : { exp: Math.floor(expiresAt / 1_000) };
  const claims = { version: '2', type, actorType: 'USER', actorId, jti: crypto.randomUUID(), ...exp };
  return `${encode({ alg: 'HS256' })}.${encode(claims)}.c2lnbmF0dXJl`;
}
