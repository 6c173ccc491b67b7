import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { bundledPackages } from '../../../../tools/package/bundled.ts';
import { thirdPartyNotices } from '../../../../tools/package/notices.ts';

const OWN_LICENSE = 'MIT License\n\nCopyright (c) 2026 Ourselves\n\nPermission is granted.\n';
const MANIFEST = { name: 'a', version: '1.0.0', license: 'MIT' };

/** A folder with packages: the files of each by path. Objects become JSON. */
function packagesIn(t: TestContext, files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'metadata-service-notices-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Esbuild's description of an output with these bytes of each input. */
function outputOf(inputs: Readonly<Record<string, number>>): Parameters<typeof bundledPackages>[1] {
  const contributions = Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }] as const);
  const output = { bytes: 1, inputs: Object.fromEntries(contributions), imports: [], exports: [] };
  return { outputs: { 'dist/a.js': output } };
}

async function noticesOf(t: TestContext, manifest: object, texts: Readonly<Record<string, string>>): Promise<string> {
  const files = Object.entries(texts).map(([name, text]) => [`node_modules/a/${name}`, text]);
  const folder = packagesIn(t, { 'node_modules/a/package.json': manifest, ...Object.fromEntries(files) });
  const bundled = await bundledPackages(folder, outputOf({ 'node_modules/a/dist/a.js': 1 }));
  return thirdPartyNotices(bundled, OWN_LICENSE);
}

suite('Packages in a bundle', () => {
  test('are those with at least one byte in it, by name, however deep they are installed', async (t) => {
    const manifests = ['node_modules/b', 'node_modules/@c/d', 'node_modules/b/node_modules/a', 'node_modules/unused'];
    const folder = packagesIn(
      t,
      Object.fromEntries(
        manifests.map((path) => [`${path}/package.json`, { ...MANIFEST, name: path.replace(/^.*node_modules\//, '') }]),
      ),
    );
    const bundled = await bundledPackages(
      folder,
      outputOf({
        'src/extension.ts': 5,
        'node_modules/b/a.js': 1,
        'node_modules/b/b/c.css': 1,
        'node_modules/@c/d/e/f.js': 1,
        'node_modules/b/node_modules/a/a.js': 1,
        'node_modules/unused/a.js': 0,
      }),
    );
    assert.deepEqual(
      bundled.map(({ name }) => name),
      ['@c/d', 'a', 'b'],
    );
  });

  for (const [field, value] of [
    ['name', 'a\n\nb 1.0.0 (MIT)'],
    ['version', '1'],
    ['license', undefined],
    ['license', 'SEE LICENSE IN <here>'],
  ] as const)
    test(`are refused with the ${field} ${JSON.stringify(value)}`, async (t) => {
      await assert.rejects(noticesOf(t, { ...MANIFEST, [field]: value }, { LICENSE: 'text' }), {
        message: `node_modules/a/package.json has the ${field} ${JSON.stringify(value)}, which can't be in a package.`,
      });
    });
});

suite('Third-party notices', () => {
  test('have all license files of a package and no other file', async (t) => {
    const notices = await noticesOf(t, MANIFEST, {
      'LICENSE-MIT.txt': 'one license',
      'licence.md': 'another license',
      NOTICE: 'a notice',
      COPYING: 'a copy',
      'licenses.js': 'no license',
      'README.md': 'no license',
    });
    for (const text of ['one license', 'another license', 'a notice', 'a copy'])
      assert.ok(notices.includes(text), text);
    assert.ok(!notices.includes('no license'));
  });

  test('are refused while the text of another license is missing', async (t) => {
    for (const texts of [{}, { LICENSE: ' \n' }])
      await assert.rejects(noticesOf(t, { ...MANIFEST, license: 'ISC' }, texts), {
        message: 'a 1.0.0 (ISC) has no license file, so its text is missing.',
      });
  });
});
