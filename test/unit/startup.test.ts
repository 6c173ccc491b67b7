import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, suite, test } from 'node:test';
import { build, type Plugin } from 'esbuild';
import { BUDGETS, EXTENSION_OPTIONS, loadedWith } from '../../tools/package/bundles.ts';

/** Answers all calls of VS Code while modules are loaded. */
const vscodeStub: Plugin = {
  name: 'vscode',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'stub' }));
    onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: 'module.exports = new Proxy(class {}, {});' }));
  },
};

const folder = mkdtempSync(join(tmpdir(), 'startup-'));
const { metafile } = await build({
  ...EXTENSION_OPTIONS,
  outdir: folder,
  minify: true,
  outExtension: { '.js': '.mjs' },
  plugins: [vscodeStub],
});
const entry = Object.keys(metafile.outputs).find((path) => path.endsWith('/extension.mjs')) ?? '';
after(() => rmSync(folder, { recursive: true }));

suite('Loading extension.ts', () => {
  test(`reads at most ${BUDGETS.extension} bytes of code`, () => {
    const bytes = loadedWith(entry, metafile).map((path) => metafile.outputs[path]?.bytes ?? 0);
    const sum = bytes.reduce((total, one) => total + one, 0);
    assert.ok(sum > 10_000, 'there is something to read');
    assert.ok(sum <= BUDGETS.extension, `${sum} bytes in ${bytes.length} files`);
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
