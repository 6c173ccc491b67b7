/**
 * Ids and URNs are the server's: they are taken as they are and sent back as they are, whatever letters they are made of. Only
 * what can be no id at all is refused.
 */
import * as v from 'valibot';
import { holdsToken } from './failure/redaction.ts';

const LONGEST = 1_000;
/** Control characters, line breaks, and halves of characters, which no encoding carries. */
const IN_NO_ID = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

export function isIdentifier(text: string, longest = LONGEST): boolean {
  return text.trim() !== '' && text.length <= longest && !IN_NO_ID.test(text);
}

/** Taken as it is or not at all. */
export const IDENTIFIER = v.pipe(
  v.string(),
  v.check((text) => isIdentifier(text)),
);

/**
 * One that is stored: never where it holds an access token, which a server may give back as whatever it likes. Such a one is taken as
 * not told.
 */
export const STORED_IDENTIFIER = v.pipe(
  IDENTIFIER,
  v.check((text) => !holdsToken(text)),
);

/**
 * An id as a header's value: what is not visible ASCII is percent-encoded, since the fetch of every runtime and many proxies let
 * nothing else through. Servers do not decode it: one that authenticates by the header alone knows such a user by that name, and
 * every other one goes by the token. A percent sign stays as it is, or an id that holds one would become another.
 */
export function asHeader(id: string): string {
  return id.toWellFormed().replaceAll(/[^\x21-\x7E]/gu, encodeURIComponent);
}
