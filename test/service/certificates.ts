import { readFileSync } from 'node:fs';

/** A private key and its certificate in PEM, as `startService({ tls })` takes them. */
export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * A certificate of the test authority: valid for the loopback address, expired in 2025, or for another host's name.
 * The private key is public, so the authority's own was discarded after signing these three.
 */
export function testCertificate(kind: 'loopback' | 'expired' | 'other-name'): TestCertificate {
  return { key: pem('server-key'), cert: pem(kind) };
}

/** Certificate of the authority that signed them, for clients that should trust it. */
export function testAuthority(): string {
  return pem('authority');
}

function pem(name: string): string {
  return readFileSync(new URL(`./tls/${name}.pem`, import.meta.url), 'utf8');
}
