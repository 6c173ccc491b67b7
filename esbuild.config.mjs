// Builds the programs that ship: the extension (runs in the extension host) and the pages (each runs in a webview).
// `--production` minifies, leaves source maps out and fails when a bundle outgrows its budget.
// `--watch` builds again with each change.
import { build, context, transformSync } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const production = process.argv.includes('--production');

/** Largest sizes, minified, in bytes. People wait for the first on every start, and for a page when they open it. */
const BUDGETS = { extension: 90_000, wizard: 160_000, overview: 160_000 };

const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'inline',
  charset: 'utf8',
  logLevel: 'warning',
  legalComments: 'none',
  // Its other half reads a bundle from a file: here VS Code has read it already.
  alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
  metafile: true,
};

// What `import()` loads (the wizard's host side, GraphQL) becomes a file of its own, read when it is first needed. What it shares
// with the rest becomes one more, read at the start: a file costs more time there than the bytes of a flow of questions.
const extension = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  platform: 'node',
  format: 'esm',
  splitting: true,
  target: 'node22',
  external: ['vscode'],
  // Without this, graphql's CommonJS build is taken: five times the bytes and the load time.
  mainFields: ['module', 'main'],
};

const page = {
  ...common,
  entryPoints: {
    wizard: 'src/wizard/page/wizard.ts',
    overview: 'src/overview/page/overview.ts',
  },
  outdir: 'dist',
  platform: 'browser',
  // Modules, so that what the pages share (lit, fields, parsers) is one file for all of them.
  format: 'esm',
  splitting: true,
  chunkNames: 'page-[hash]',
  target: 'chrome138',
};

rmSync('dist', { recursive: true, force: true });
await writeTranslations();
await (process.argv.includes('--watch') ? watch([extension, page]) : buildOnce());

async function buildOnce() {
  const { metafile } = await build(extension);
  const pages = await build(page);
  if (production) {
    check('extension', loadedAtStart(metafile.outputs, 'dist/extension.js'));
    check('wizard', loadedAtStart(pages.metafile.outputs, 'dist/wizard.js'));
    check('overview', loadedAtStart(pages.metafile.outputs, 'dist/overview.js'));
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
    programs.map((program) => context({ ...program, logLevel: 'silent', plugins: [report] })),
  );
  await Promise.all(contexts.map((one) => one.watch()));
}

/** The translations as VS Code loads them: by keys that are a fraction of the English texts. */
async function writeTranslations() {
  const { code } = transformSync(readFileSync('src/textKey.ts', 'utf8'), { loader: 'ts' });
  const { textKey } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  mkdirSync('dist/l10n', { recursive: true });
  for (const file of readdirSync('l10n')) {
    const texts = Object.entries(JSON.parse(readFileSync(`l10n/${file}`, 'utf8')));
    const byKey = Object.fromEntries(texts.map(([english, text]) => [textKey(english), text]));
    writeFileSync(`dist/l10n/${file}`, JSON.stringify(byKey));
  }
}

function problem(severity, { text, location }) {
  const place = location ? `${location.file}:${location.line}:${location.column + 1}` : 'esbuild.config.mjs:1:1';
  return `${place}: ${severity}: ${text}`;
}

/** A file and all that it imports without waiting to be asked. */
function loadedAtStart(outputs, entry) {
  const files = new Set([entry]);
  for (const file of files) {
    for (const { path, kind, external } of outputs[file].imports) {
      if (kind === 'import-statement' && !external) {
        files.add(path);
      }
    }
  }
  return [...files];
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
