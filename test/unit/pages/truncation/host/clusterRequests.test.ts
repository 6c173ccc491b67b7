import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { clusterRequests } from '../../../../../src/truncation/clusterRequests.ts';
import type { TruncationRecord } from '../../../../../src/truncation/record.ts';
import { FINISHED, PLAN, RECORD, TASK_ID } from '../../../truncation/samples.ts';

suite('Requests for an administrator', () => {
  const hidden: TruncationRecord = {
    ...RECORD,
    ending: { kind: 'unknown', reason: 'missing', missing: 'notRefreshed' },
  };

  for (const [kind, record, text] of [
    ['merge', RECORD, /^POST \/now_v2\/_forcemerge/],
    ['repair', hidden, /now_v2/],
    ['cancel', RECORD, new RegExp(`^POST /_tasks/${TASK_ID}/_cancel`)],
    ['repair', { ...RECORD, ending: FINISHED, wasUnrefreshed: true }, /now_v2\/_settings/],
    ['repair', RECORD, undefined],
  ] as const) {
    const ending = record.ending === undefined ? 'no ending' : record.ending.kind;
    test(`to ${kind}, with ${ending}, ${text === undefined ? "don't exist" : 'name the index as it is called now'}`, async () => {
      const requests = await clusterRequests(record, kind, ({ aspect }) => {
        assert.equal(aspect, PLAN.aspect);
        return Promise.resolve('now_v2');
      });
      assert.match(requests ?? 'none', text ?? /^none$/);
    });
  }
});
