/**
 * The README as it goes into the package, where its neighbours are missing, and where VS Code shows pictures from the web
 * only: without pictures, and with nothing but the text of links to other files. (Once package.json names a repository, vsce
 * makes addresses of both, and this is no longer needed.)
 */
export function packagedReadme(markdown: string): string {
  return markdown
    .replaceAll(/^!\[[^\]]*\]\([^)\s]+\)\n+/gm, '')
    .replaceAll(/\[([^\]]*)\]\((?!https?:|#)[^)\s]+\)/g, '$1');
}
