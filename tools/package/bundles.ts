/** The bundles, for the build and for the test of startup costs. */
import type { BuildOptions, Metafile } from 'esbuild';

/** Size limits in bytes, minified. Users wait for the first on every start, and for a page when they open it. */
export const BUDGETS = { extension: 90_000, wizard: 160_000, overview: 160_000 } as const;

/** Path of the description of the bundles (esbuild's metafile), for the notices of the packages in them. */
export const METAFILE = 'out/metafile.json';

export const COMMON_OPTIONS = {
  bundle: true,
  charset: 'utf8',
  logLevel: 'warning',
  // ThirdPartyNotices.txt has the license of each package instead.
  legalComments: 'none',
  // The Node.js build reads the translations from a file, but VS Code has already read them.
  alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
  metafile: true,
} as const satisfies BuildOptions;

// Code behind `import()` (the wizard's host side, GraphQL) becomes a file of its own, read when it is first needed. Code
// that it shares with the rest becomes one more, read at the start: a file costs more time there than the bytes of a
// flow of questions.
export const EXTENSION_OPTIONS = {
  ...COMMON_OPTIONS,
  entryPoints: ['src/extension.ts'],
  platform: 'node',
  format: 'esm',
  splitting: true,
  target: 'node22',
  // Otherwise graphql's CommonJS build is used: five times the bytes and the load time.
  mainFields: ['module', 'main'],
} as const satisfies BuildOptions;

/** An output file with everything that it imports statically. */
export function loadedWith(path: string, { outputs }: Metafile): string[] {
  const loaded = new Set([path]);
  for (const one of loaded) {
    outputs[one]?.imports
      .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      .forEach((imported) => loaded.add(imported.path));
  }
  return [...loaded];
}
