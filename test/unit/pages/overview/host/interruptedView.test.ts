import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftsOfRest } from '../../../../../src/pages/overview/host/interruptedView.ts';
import type { InterruptedJob } from '../../../../../src/truncation/jobStore.ts';
import { DRAFT, PLAN } from '../../../truncation/samples.ts';

test('A job continues with what was confirmed, by query also where the server had no strategies then', () => {
  const left = [{ plan: { ...PLAN, batchSize: 500, strategy: 'server' } }];
  assert.deepEqual(draftsOfRest({ left } as unknown as InterruptedJob), [
    { draft: { ...DRAFT, batchSize: '500', strategy: 'deleteByQuery' } },
  ]);
});
