/** The bundles, for the build and for the test of the start. */
import type { BuildOptions, Metafile, Plugin } from 'esbuild';

/** Size limits in bytes, minified. The first is read on every start, and a page when it is opened. */
export const BUDGETS = { startup: 60_000, wizard: 160_000, overview: 160_000 } as const;

/** Modules that run on every start: while VS Code waits for the activation, and after it. */
export const STARTUP = ['src/extension.ts', 'src/startup.ts'] as const;

/** Path of the description of the bundles (esbuild's metafile), for the notices of the packages in them. */
export const METAFILE = 'out/metafile.json';

const COMMON_OPTIONS = {
  bundle: true,
  charset: 'utf8',
  logLevel: 'warning',
  // ThirdPartyNotices.txt has the license of each package instead.
  legalComments: 'none',
  // The Node.js build reads the translations from a file, but VS Code has already read them.
  alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
  metafile: true,
} as const satisfies BuildOptions;

// Code behind `import()` (the features, a page's host side) becomes a file of its own, read when it is first needed. What
// several of them share becomes one more.
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

/** The parts that `extension.ts` imports when they are needed are files beside it. */
const partsBeside: Plugin = {
  name: 'parts beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(startup|features)\.ts$/ }, ({ path }) => ({
      path: path.replace(/ts$/, 'js'),
      external: true,
    }));
  },
};

/**
 * The entry is a single CommonJS file, because VS Code waits for it and resolves each import of an ES module through a
 * hook. It shares no module instance with the other bundles, so it must have no stateful module.
 */
export const ENTRY_OPTIONS = {
  ...EXTENSION_OPTIONS,
  format: 'cjs',
  splitting: false,
  outExtension: { '.js': '.cjs' },
  plugins: [partsBeside],
} as const satisfies BuildOptions;

/** A script and a style sheet for each page, which stand in its HTML (`pages/kit/host/html.ts`). */
export const PAGE_OPTIONS = {
  ...COMMON_OPTIONS,
  entryPoints: {
    wizard: 'src/pages/truncation/page/wizard.ts',
    overview: 'src/pages/overview/page/overview.ts',
  },
  platform: 'browser',
  format: 'esm',
  target: 'chrome138',
} as const satisfies BuildOptions;

/** The output files of these modules with everything that they import statically. */
export function loadedWith(modules: readonly string[], { outputs }: Metafile): string[] {
  const loaded = new Set(Object.keys(outputs).filter((path) => modules.includes(outputs[path]?.entryPoint ?? '')));
  for (const one of loaded) {
    outputs[one]?.imports
      .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      .forEach((imported) => loaded.add(imported.path));
  }
  return [...loaded];
}
