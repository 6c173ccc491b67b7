import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, suite, test } from 'node:test';
import { build, type Plugin } from 'esbuild';
import { ENTRY_OPTIONS, EXTENSION_OPTIONS, STARTUP, loadedWith } from '../../tools/package/bundles.ts';
import { ASKED } from '../invariants/controls.ts';
import { Driver } from '../invariants/driver.ts';
import { DAY } from '../invariants/durations.ts';
import { openWindow } from '../invariants/editor/window.ts';

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
const startup = loadedWith(STARTUP, metafile);
after(() => rmSync(folder, { recursive: true }));

suite('Every start', () => {
  test('holds no module twice that has a state', async () => {
    const entry = await build({ ...ENTRY_OPTIONS, external: ['vscode'], write: false, outdir: folder });
    const stateless = ['explorer/explorerView', 'extension', 'integrations/api', 'manifest'];
    assert.deepEqual(
      Object.keys(entry.metafile.inputs).toSorted(),
      stateless.map((name) => `src/${name}.ts`),
    );
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
    assert.ok(startup.length > STARTUP.length);
    for (const path of startup) await import(pathToFileURL(resolve(path)).href);
    assert.deepEqual(constructed, []);
    new Intl.NumberFormat('en').format(1);
    assert.deepEqual(constructed, ['NumberFormat'], 'it would have been noticed');
  });

  test('that ends while it still loads leaves no timer', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const { machine } = driver;
    await window.do('create');
    await window.reply(ASKED.createdToken, /^Copy Token$/);
    await driver.reload(window).then((next) => next.close());
    assert.equal(machine.time.untilNextTimer(), undefined);
    const place = { extensionKind: 1, remoteName: undefined } as const;
    const unstarted = await openWindow(machine, place);
    await unstarted.close();
    assert.deepEqual(unstarted.host.statusBar, [], 'what nobody would dispose of is not made');
    const { host, close } = await openWindow(machine, place);
    // The features too.
    void host.tree?.getChildren();
    await close();
    assert.equal(machine.time.untilNextTimer(), undefined);
  });

  test('says in the status bar whether the connection in use is signed out', async (context) => {
    const { driver, window } = await Driver.connected(context);
    const shows = (open: typeof window, text: string): Promise<unknown> =>
      driver.until(text, () => open.host.statusBar.at(-1)?.text === text);
    await shows(window, '$(server-environment) Staging');
    await window.do('signOut');
    await shows(window, '$(server-environment) Staging · signed out');
    const next = await driver.reload(window);
    await shows(next, '$(server-environment) Staging · signed out');
    await next.signIn(driver.issueToken());
    await shows(next, '$(server-environment) Staging');
  });

  for (const [user, advice] of [
    ['analyst', /"Rotate Connection's Access Token" replaces it/],
    ['guest', /Sign in with another one before then/],
  ] as const) {
    test(`advises the ${user} in the status bar what works once the token nears its end`, async (context) => {
      const driver = await Driver.start(context);
      const window = await driver.open();
      await window.connect({ token: driver.issueToken(user) });
      driver.setClock(54 * DAY);
      await window.refresh();
      await driver.until('the advice', () => advice.test(String(window.host.statusBar.at(-1)?.tooltip)));
    });
  }
});
