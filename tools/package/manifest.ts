import type { PublicLinks } from './options.ts';

/** Parts of package.json for the repository only: the bundles contain what the extension depends on. */
const LEFT_OUT = new Set(['private', 'scripts', 'dependencies', 'devDependencies', 'optionalDependencies']);

/**
 * Makes the package.json of a package.
 *
 * @param json of the repository
 * @param links in addition; a repository doesn't know its own public address
 */
export function packagedManifest(json: string, { repository, ...links }: PublicLinks = {}): string {
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>);
  const kept = Object.fromEntries(entries.filter(([name]) => !LEFT_OUT.has(name)));
  const added = repository === undefined ? links : { repository: { type: 'git', url: repository }, ...links };
  return `${JSON.stringify({ ...kept, ...added }, undefined, 2)}\n`;
}
