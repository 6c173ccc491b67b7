import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasDiscouragedWord, OPENER } from '../../../../tools/figures/wording.ts';
import { listEquivalents } from '../../../../tools/mutate/equivalents.ts';
import { root } from '../../../../tools/paths.ts';

/** Lines of a source, without their indentation. Empty if the file is gone. */
function sourceLines(file: string): string[] {
  const path = join(root, file);
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .map((line) => line.trim())
    : [];
}

test('Mutants listed as equivalent are of lines that the sources have', () => {
  const entries = listEquivalents();
  assert.ok(entries.length > 10, `found ${entries.length}`);
  const stale = entries.filter(({ file, line }) => !sourceLines(file).includes(line.trim()));
  assert.deepEqual(stale, []);
});

test('Reasons of equivalent mutants begin with the thing or a verb and say who acts', () => {
  const faults = listEquivalents().filter(({ why }) => OPENER.test(why) || hasDiscouragedWord(why));
  assert.deepEqual(faults, []);
});
