import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { bundledPackages } from '../../../../tools/package/bundled.ts';
import { thirdPartyNotices } from '../../../../tools/package/notices.ts';

const OWN_LICENSE = 'MIT License\n\nCopyright (c) 2026 Ourselves\n\nPermission is granted.\n';
const MANIFEST = { name: 'a', version: '1.0.0', license: 'MIT' };

/** The notices of a bundle with one package of these files. */
async function noticesOf(t: TestContext, manifest: object, texts: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'metadata-service-notices-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'node_modules/a');
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries({ ...texts, 'package.json': JSON.stringify(manifest) }))
    writeFileSync(join(path, name), text);
  const inputs = { 'node_modules/a/dist/a.js': { bytesInOutput: 1 } };
  const outputs = { 'dist/a.js': { bytes: 1, inputs, imports: [], exports: [] } };
  return thirdPartyNotices(await bundledPackages(folder, { outputs }), OWN_LICENSE);
}

suite('Packages in a bundle', () => {
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
