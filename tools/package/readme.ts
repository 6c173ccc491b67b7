/**
 * Makes the README of the package. Other files are not included, and VS Code only shows pictures from the web, so it
 * has no pictures and only the text of links to files. With a public address, vsce turns both into web addresses
 * instead.
 */
export function packagedReadme(markdown: string): string {
  return markdown
    .replaceAll(/^!\[[^\]]*\]\([^)\s]+\)\n+/gm, '')
    .replaceAll(/\[([^\]]*)\]\((?!https?:|#)[^)\s]+\)/g, '$1');
}
