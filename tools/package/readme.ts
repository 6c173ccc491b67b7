/**
 * The README as it goes into the package, where its neighbours are missing, and where VS Code shows pictures from the web
 * only: without pictures, and with nothing but the text of links to other files. (Given a public address, vsce makes addresses
 * of both instead.)
 */
export function packagedReadme(markdown: string): string {
  return markdown
    .replaceAll(/^!\[[^\]]*\]\([^)\s]+\)\n+/gm, '')
    .replaceAll(/\[([^\]]*)\]\((?!https?:|#)[^)\s]+\)/g, '$1');
}
