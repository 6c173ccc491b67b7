import { parseArgs } from 'node:util';

/** Where everybody can open the repository's files, without a slash at the end. */
export type PublicAddress = {
  /** What links in the README lead below. */
  readonly content: string;
  /** What pictures in the README are loaded from. */
  readonly images: string;
};

/**
 * The address that `npm run package` was given, in the words of vsce: `--baseContentUrl` and `--baseImagesUrl`, both or none.
 *
 * @throws a sentence where the arguments are anything else
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
    // vsce takes no other pictures.
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
      throw new Error(`A public address starts with https://, not ${url}.`);
  }
  return { content, images };
}
