/** Reads the body of an answer piece by piece, so that an endless one costs no more than the cap. */

/** The body outgrew the cap and was given up. */
export class BodyTooLarge extends Error {}

/**
 * @param largest In bytes, after any compression was undone.
 * @param progress Told how many bytes have come so far.
 * @throws BodyTooLarge, and whatever the connection throws.
 */
export async function readBody(
  response: Response,
  largest: number,
  progress: (bytes: number) => void,
): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    return '';
  }
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a stream is read in order
    const { done, value } = await reader.read();
    if (done) {
      return text + decoder.decode();
    }
    bytes += value.byteLength;
    progress(bytes);
    if (bytes > largest) {
      void reader.cancel().catch(() => undefined);
      throw new BodyTooLarge();
    }
    text += decoder.decode(value, { stream: true });
  }
}
