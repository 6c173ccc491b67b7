import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { test } from 'node:test';
import { openSearchClassPath } from '../../cluster/openSearch.ts';
import { MissingPrerequisite } from '../../../tools/run/missingPrerequisite.ts';

test('names what OpenSearch needs and this machine lacks', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'metadata-service-tools-'));
  const { PATH } = env;
  t.after(() => {
    env['PATH'] = PATH;
    rmSync(folder, { recursive: true });
  });
  const sentence = async (): Promise<string> => {
    const error: unknown = await openSearchClassPath().catch((reason: unknown) => reason);
    assert.ok(error instanceof MissingPrerequisite);
    return error.message;
  };
  env['PATH'] = folder;
  assert.match(await sentence(), /^A search cluster needs a JDK, 17 or later and Maven\. /);
  for (const command of ['java', 'javac']) writeFileSync(join(folder, command), '');
  assert.match(await sentence(), /^A search cluster needs Maven\. /);
});
