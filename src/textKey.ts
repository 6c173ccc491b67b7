/** Keys of texts in the translation files. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Four characters of a text's FNV-1a hash, to keep the English texts out of eight files. A unit test holds the
 * keys unique.
 */
export function textKey(english: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < english.length; at += 1) {
    hash = Math.imul(hash ^ english.charCodeAt(at), 0x01_00_01_93);
  }
  return [0, 6, 12, 18].map((shift) => DIGITS.charAt((hash >>> shift) & 63)).join('');
}
