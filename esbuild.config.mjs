// Builds the programs that ship: the extension (runs in the extension host) and the pages (each runs in a webview).
// `--production` minifies, leaves source maps out, writes what the bundles hold into `out/metafile.json`, and fails when a bundle
// outgrows its budget.
// `--watch` builds again with each change.
import { build, context } from 'esbuild';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  BUDGETS,
  ENTRY_OPTIONS,
  EXTENSION_OPTIONS,
  METAFILE,
  PAGE_OPTIONS,
  STARTUP,
  loadedWith,
} from './tools/package/bundles.ts';

const production = process.argv.includes('--production');

const ours = { minify: production, sourcemap: production ? false : 'inline' };
const entry = { ...ENTRY_OPTIONS, ...ours, outdir: 'dist', external: ['vscode'] };
const parts = {
  ...EXTENSION_OPTIONS,
  ...ours,
  entryPoints: ['src/startup.ts', 'src/features.ts'],
  outdir: 'dist',
  external: ['vscode'],
};

const page = { ...PAGE_OPTIONS, ...ours, outdir: 'dist' };

rmSync('dist', { recursive: true, force: true });
await (process.argv.includes('--watch') ? watch([entry, parts, page]) : buildOnce());

async function buildOnce() {
  const [first, extension, pages] = [await build(entry), await build(parts), await build(page)];
  if (production) {
    mkdirSync(dirname(METAFILE), { recursive: true });
    const outputs = { ...first.metafile.outputs, ...extension.metafile.outputs };
    writeFileSync(METAFILE, JSON.stringify({ outputs: { ...outputs, ...pages.metafile.outputs } }));
    check('startup', loadedWith(STARTUP, { outputs }));
    check('wizard', loadedWith([page.entryPoints.wizard], pages.metafile));
    check('overview', loadedWith([page.entryPoints.overview], pages.metafile));
  }
}

/** Builds again with each change of a source. Prints in one line each what `.vscode/tasks.json` looks for: start, problems, end. */
async function watch(programs) {
  let running = 0;
  const report = {
    name: 'report',
    setup({ onStart, onEnd }) {
      onStart(() => {
        if (running++ === 0) console.log('Building…');
      });
      onEnd(({ errors, warnings }) => {
        errors.forEach((error) => console.log(problem('error', error)));
        warnings.forEach((warning) => console.log(problem('warning', warning)));
        if (--running === 0) console.log('Build finished. Watching for changes…');
      });
    },
  };
  const contexts = await Promise.all(
    programs.map((program) =>
      context({ ...program, logLevel: 'silent', plugins: [...(program.plugins ?? []), report] }),
    ),
  );
  await Promise.all(contexts.map((one) => one.watch()));
}

function problem(severity, { text, location }) {
  const place = location ? `${location.file}:${location.line}:${location.column + 1}` : 'esbuild.config.mjs:1:1';
  return `${place}: ${severity}: ${text}`;
}

function check(name, files) {
  const size = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  const budget = BUDGETS[name];
  console.log(`${name}: ${size.toLocaleString('en')} of ${budget.toLocaleString('en')} bytes in ${files.length} files`);
  if (size > budget) {
    console.error(`The bundle "${name}" is larger than its budget.`);
    process.exitCode = 1;
  }
}
