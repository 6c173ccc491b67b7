import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SuiteContext, TestContext } from 'node:test';

/** Makes an empty folder. @param context Of a test, also in `beforeEach`. The folder is removed after it. */
export async function temporaryFolder(context: SuiteContext | Pick<TestContext, 'after'>): Promise<string> {
  assert.ok('after' in context, 'A suite has no end at which it could be removed.');
  const path = await mkdtemp(join(tmpdir(), 'metadata-service-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  return path;
}
