/** What a text is called in the files of its translations. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Four letters of a text (FNV-1a). The English texts themselves would be half of each file, eight times in the package. That no two of
 * them get the same key is a unit test.
 */
export function textKey(english: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < english.length; at += 1) {
    hash = Math.imul(hash ^ english.charCodeAt(at), 0x01_00_01_93);
  }
  return [0, 6, 12, 18].map((shift) => DIGITS.charAt((hash >>> shift) & 63)).join('');
}
