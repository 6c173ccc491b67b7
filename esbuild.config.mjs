// Builds the two programs that ship: the extension (runs in the extension host) and the wizard's page (runs in a webview).
// `--production` minifies, leaves source maps out and fails when a bundle outgrows its budget.
import { build } from 'esbuild';
import { rmSync, statSync } from 'node:fs';

const production = process.argv.includes('--production');

/** Largest size of each minified bundle, in bytes. A larger one fails the build: people wait for these on every start. */
const BUDGETS = { 'dist/extension.cjs': 140_000, 'dist/wizard.js': 160_000 };

const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
  legalComments: 'none',
};

rmSync('dist', { recursive: true, force: true });

await build({
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode'],
  // Without this, graphql's CommonJS build is taken: five times the bytes and the load time.
  mainFields: ['module', 'main'],
});

await build({
  ...common,
  entryPoints: { wizard: 'src/wizard/wizard.ts' },
  outdir: 'dist',
  platform: 'browser',
  format: 'iife',
  target: 'chrome138',
});

if (production) {
  for (const [file, budget] of Object.entries(BUDGETS)) {
    const { size } = statSync(file);
    console.log(`${file}: ${size.toLocaleString('en')} of ${budget.toLocaleString('en')} bytes`);
    if (size > budget) {
      console.error(`${file} is larger than its budget.`);
      process.exitCode = 1;
    }
  }
}
