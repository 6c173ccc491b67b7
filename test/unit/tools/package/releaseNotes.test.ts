// The step of the release workflow that compares the tag with the version and takes the notes from the changelog.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { root } from '../../../../tools/paths.ts';

const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
const [, step = ''] = /- name: The tag is the version.*\n +run: \|\n((?: {10}.*\n)+)/.exec(workflow) ?? [];

/** Runs the step as GitHub does, in a folder with this changelog and version 1.2.0. */
function notesOf(t: TestContext, changelog: string, tag = 'v1.2.0'): string {
  const folder = mkdtempSync(join(tmpdir(), 'metadata-service-notes-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.0","type":"module"}');
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const options = { cwd: folder, env: { ...process.env, GITHUB_REF_NAME: tag }, encoding: 'utf8' } as const;
  execFileSync('bash', ['-e', '-c', step.replaceAll(/^ {10}/gm, '')], options);
  return readFileSync(join(folder, 'notes.md'), 'utf8');
}

suite('The notes of a release', { skip: process.platform === 'win32' }, () => {
  test('are the section of its version, each paragraph and item on one line', (t) => {
    const changelog =
      '# Changelog\n\nAll\n\n## [1.2.0] - 2026-12-01\n\nOne\ntwo.\n\n### New\n\n- **A**: b\n  c\n- d\n\n' +
      '## [1.1.0] - 2026-11-01\n\n- e\n';
    assert.equal(notesOf(t, changelog).trim(), 'One two.\n\n### New\n\n- **A**: b c\n- d');
  });

  test('have every word of this changelog', (t) => {
    const whole = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const [, section = ''] = whole.split(/^## .*$/m);
    const words = (text: string): string[] => text.trim().split(/\s+/);
    assert.deepEqual(words(notesOf(t, whole.replace(/^## .*$/m, '## [1.2.0] - 2026-12-01'))), words(section));
  });

  for (const [fault, changelog, tag] of [
    ['the tag is another version', '## [1.2.0] - 2026-12-01\n\n- a\n', 'v1.2.1'],
    ['the changelog lacks the version', '## [1.1.0] - 2026-12-01\n\n- a\n', 'v1.2.0'],
    ['its section is empty', '## [1.2.0] - 2026-12-01\n\n## [1.1.0] - 2026-11-01\n\n- a\n', 'v1.2.0'],
  ] as const)
    test(`are refused if ${fault}`, (t) => {
      assert.throws(() => notesOf(t, changelog, tag), { status: 1 });
    });
});
