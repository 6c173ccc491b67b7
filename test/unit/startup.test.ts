import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, suite, test } from 'node:test';
import { build, type Metafile, type Plugin } from 'esbuild';

/** Code that VS Code reads and compiles with each activation, minified, in bytes. */
const MOST_BYTES = 90_000;

/** Answers whatever is asked of VS Code while modules are loaded. */
const vscodeStub: Plugin = {
  name: 'vscode',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'stub' }));
    onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: 'module.exports = new Proxy(class {}, {});' }));
  },
};

const folder = mkdtempSync(join(tmpdir(), 'startup-'));
const { metafile } = await build({
  entryPoints: ['src/extension.ts'],
  outdir: folder,
  bundle: true,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  splitting: true,
  target: 'node22',
  mainFields: ['module', 'main'],
  alias: { '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js' },
  plugins: [vscodeStub],
  metafile: true,
});
const entry = Object.keys(metafile.outputs).find((path) => path.endsWith('/extension.mjs')) ?? '';
after(() => rmSync(folder, { recursive: true }));

suite('Loading extension.ts', () => {
  test(`reads at most ${MOST_BYTES} bytes of code`, () => {
    const bytes = [...loadedWith(entry, metafile)].map((path) => metafile.outputs[path]?.bytes ?? 0);
    const sum = bytes.reduce((total, one) => total + one, 0);
    assert.ok(sum > 10_000, 'there is something to read');
    assert.ok(sum <= MOST_BYTES, `${sum} bytes in ${bytes.length} files`);
  });

  test('constructs no Intl object', async (context) => {
    const constructed: string[] = [];
    for (const [name, original] of Object.entries(Object.getOwnPropertyDescriptors(Intl))) {
      if (typeof original.value === 'function' && /^[A-Z]/.test(name)) {
        const counted = new Proxy(original.value as new (...options: unknown[]) => object, {
          construct(target, options, newTarget) {
            constructed.push(name);
            return Reflect.construct(target, options, newTarget) as object;
          },
          apply(target, self, options) {
            constructed.push(name);
            return Reflect.apply(target, self, options) as object;
          },
        });
        Object.defineProperty(Intl, name, { ...original, value: counted });
        context.after(() => Object.defineProperty(Intl, name, original));
      }
    }
    await import(pathToFileURL(resolve(entry)).href);
    assert.deepEqual(constructed, []);
    new Intl.NumberFormat('en').format(1);
    assert.deepEqual(constructed, ['NumberFormat'], 'it would have been noticed');
  });
});

/** The file and the files that its static imports load with it. */
function loadedWith(path: string, { outputs }: Metafile): ReadonlySet<string> {
  const loaded = new Set([path]);
  for (const one of loaded) {
    outputs[one]?.imports
      .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      .forEach((imported) => loaded.add(imported.path));
  }
  return loaded;
}
