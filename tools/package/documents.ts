import type { PublicAddress } from './options.ts';

/** A picture or a link in Markdown that leads to a file of the repository. */
const FILE_LINK = /(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)/g;
const PICTURE_LINE = /^!\[[^\]]*\]\((?!https?:)[^)\s]+\)\n+/gm;

/**
 * Makes the README of the package, which has none of the files that the README leads to. VS Code and the marketplaces
 * show only pictures from https addresses, and vsce accepts no others.
 *
 * @param address where these files are. Without one, the README has no pictures and only the text of links to files.
 */
export function packagedReadme(markdown: string, address?: PublicAddress): string {
  if (address === undefined) return markdown.replaceAll(PICTURE_LINE, '').replaceAll(FILE_LINK, '$2');
  return markdown.replaceAll(FILE_LINK, (_, mark: string, text: string, path: string) => {
    const base = mark === '!' ? address.images : address.content;
    return `${mark}[${text}](${base}/${path})`;
  });
}
