import { posix } from 'node:path';
import type { PublicAddress } from './options.ts';

/** Shown as previews, whose links to each other work. */
const PREVIEWED: readonly string[] = ['docs/guide.md', 'docs/troubleshooting.md'];
/** Documents of the package that lead to files of the repository. */
export const DOCUMENTS: readonly string[] = ['README.md', ...PREVIEWED];

/** A picture or a link in Markdown that leads to a file of the repository. */
const FILE_LINK = /(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]+)?\)/g;
const PICTURE_LINE = /^!\[[^\]]*\]\((?!https?:)[^)\s]+\)\n+/gm;

/**
 * Makes a document of the package, which lacks most files that the document leads to. VS Code and the marketplaces show
 * only pictures from https addresses, and vsce accepts no others.
 *
 * @param path of the document in the repository
 * @param address where the repository's files are. Without one, the document has no pictures and only the text of links
 *   to files.
 */
export function packagedDocument(path: string, markdown: string, address?: PublicAddress): string {
  const text = address === undefined ? markdown.replaceAll(PICTURE_LINE, '') : markdown;
  return text.replaceAll(FILE_LINK, (link, mark: string, words: string, target: string, anchor: string | undefined) => {
    const file = posix.join(posix.dirname(path), target);
    if (PREVIEWED.includes(path) && PREVIEWED.includes(file)) return link;
    if (address === undefined) return words;
    return `${mark}[${words}](${mark === '!' ? address.images : address.content}/${file}${anchor ?? ''})`;
  });
}
