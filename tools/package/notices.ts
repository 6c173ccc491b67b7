import type { BundledPackage } from './bundled.ts';

/** Name of the file in the package. Microsoft's extensions have the same. */
export const NOTICES_FILE = 'ThirdPartyNotices.txt';

const RULE = '-'.repeat(80);

/**
 * The licenses of all packages with code in the bundles, in full: each must accompany copies of its code.
 *
 * @param mit text of the extension's own license
 * @throws a sentence if a package has no license text, and its license isn't MIT
 */
export function thirdPartyNotices(packages: readonly BundledPackage[], mit: string): string {
  const titles = packages.map(({ name, version, license }) => `${name} ${version} (${license})`);
  const sections = packages.map((one, index) => {
    const head = [titles[index], one.homepage].filter(Boolean).join('\n');
    return `${RULE}\n${head}\n${RULE}\n\n${licenseText(one, mit)}\n`;
  });
  return `Third-Party Notices

This extension contains code of the packages below, each under its own license.

${titles.join('\n')}

${sections.join('\n')}`;
}

function licenseText({ name, version, license, author, texts }: BundledPackage, mit: string): string {
  if (texts.length > 0) return texts.join('\n\n');
  if (license !== 'MIT')
    throw new Error(`${name} ${version} (${license}) has no license file, so its text is missing.`);
  const by = author === '' ? '' : ` and names ${author} as its author`;
  const standard = mit.replace(/^Copyright .*\n\n?/m, '').trim();
  return `The package has no license file. Its package.json says MIT${by}.\n\n${standard}`;
}
