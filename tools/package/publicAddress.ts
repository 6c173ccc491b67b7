import { parseArgs } from 'node:util';

/** Public URL of the repository's files, without a trailing slash. */
export type PublicAddress = {
  /** Base of links in the README. */
  readonly content: string;
  /** Base of pictures in the README. */
  readonly images: string;
};

/**
 * The address in the arguments of `npm run package`, with vsce's names: `--baseContentUrl` and `--baseImagesUrl`,
 * both or none.
 * @throws a sentence if the arguments are anything else
 */
export function publicAddress(args: readonly string[]): PublicAddress | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: { baseContentUrl: { type: 'string' }, baseImagesUrl: { type: 'string' } },
  });
  const { baseContentUrl: content, baseImagesUrl: images } = values;
  if (content === undefined && images === undefined) return undefined;
  if (content === undefined || images === undefined)
    throw new Error('--baseContentUrl and --baseImagesUrl go together.');
  for (const url of [content, images]) {
    // VS Code shows no other pictures, and vsce accepts none.
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
      throw new Error(`A public address starts with https://, not ${url}.`);
  }
  return { content, images };
}
