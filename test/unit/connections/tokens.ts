export function tokenWith(claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'HS256' })}.${encode(claims)}.c2lnbmF0dXJl`;
}

/** A token as DataHub makes them. @param expiresAt Unix time in ms. Undefined: never. */
export function tokenUntil(expiresAt: number | undefined, actorId = 'datahub', type = 'PERSONAL'): string {
  const exp = expiresAt === undefined ? {} : { exp: Math.floor(expiresAt / 1_000) };
  return tokenWith({ version: '2', type, actorType: 'USER', actorId, jti: crypto.randomUUID(), ...exp });
}
