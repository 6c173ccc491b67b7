/** The bundle of the extension host, for the build, and for the test of what starting costs. */
import type { BuildOptions, Metafile } from 'esbuild';

/** Largest sizes, minified, in bytes. Users wait for the first on every start, and for a page when they open it. */
export const BUDGETS = { extension: 90_000, wizard: 160_000, overview: 160_000 } as const;

export const COMMON_OPTIONS = {
  bundle: true,
  charset: 'utf8',
  logLevel: 'warning',
  legalComments: 'none',
  // Its other half reads a bundle from a file: here VS Code has read it already.
  alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
  metafile: true,
} as const satisfies BuildOptions;

// Code behind `import()` (the wizard's host side, GraphQL) becomes a file of its own, read when it is first needed. Code that
// it shares with the rest becomes one more, read at the start: a file costs more time there than the bytes of a flow of questions.
export const EXTENSION_OPTIONS = {
  ...COMMON_OPTIONS,
  entryPoints: ['src/extension.ts'],
  platform: 'node',
  format: 'esm',
  splitting: true,
  target: 'node22',
  // Without this, graphql's CommonJS build is taken: five times the bytes and the load time.
  mainFields: ['module', 'main'],
} as const satisfies BuildOptions;

/** An output file and all that its static imports load with it. */
export function loadedWith(path: string, { outputs }: Metafile): string[] {
  const loaded = new Set([path]);
  for (const one of loaded) {
    outputs[one]?.imports
      .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      .forEach((imported) => loaded.add(imported.path));
  }
  return [...loaded];
}
