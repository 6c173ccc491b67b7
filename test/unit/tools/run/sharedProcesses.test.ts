import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sharedProcesses } from '../../../../tools/run/sharedProcesses.ts';

test('files share processes, except those with global hooks or a time zone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'metadata-service-shared-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const plain = ['a', 'b', 'c'].map((name) => file(name, "suite('s', () => {\n  afterEach(clean);\n});\n"));
  const hooked = file('hooked', "test('t', work);\nafterEach(clean);\n");
  const zoned = file('zoned', "before(() => (process.env['TZ'] = 'UTC'));\n");
  const programs = sharedProcesses([...plain, hooked, zoned], 2, folder);
  assert.deepEqual(
    programs.map(({ files }) => files),
    [[plain[0], plain[2]], [plain[1]], [hooked], [zoned]],
  );
  const [first, , third] = programs;
  assert.equal(third?.program, hooked);
  assert.deepEqual(
    [...readFileSync(first?.program ?? '', 'utf8').matchAll(/import\('(.*)'\)/g)].map(([, url]) => url),
    [plain[0], plain[2]].map((path) => pathToFileURL(path ?? '').href),
  );
});
