import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/time.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';
import { TaskWatch } from '../../../src/truncation/watching/watch.ts';
import { sharedStorage, windowOn } from '../connections/window.ts';
import { leaveTruncation } from '../truncation/journals.ts';
import { FAILED, FINISHED, LOST, RECORD } from '../truncation/samples.ts';
import '../ui/window.ts';

const { TruncationGroupNode } = await import('../../../src/explorer/truncationNodes.ts');
const { UnreadableConnectionNode } = await import('../../../src/explorer/connectionNode.ts');

for (const [what, change, icon, contextValue] of [
  ['runs', () => ({}), 'sync~spin', 'task;idKnown'],
  // No "Forget Truncation" yet: a window may still wait for its response.
  ['is being sent', () => ({ taskId: undefined, sentAt: Date.now() }), 'sync~spin', 'task;sending'],
  ['got no answer', () => ({ taskId: undefined }), 'question', 'task'],
  ['is finished', () => ({ ending: { ...FINISHED, readers: 'clean' } }), 'pass', 'task;idKnown'],
  [
    'is finished on the server, and not checked',
    () => ({ ending: { ...FINISHED, readers: 'notChecked' } }),
    'question',
    'task;idKnown',
  ],
  [
    'is finished, and left rows',
    () => ({ ending: { ...FINISHED, readers: 'rowsLeft', rowsLeft: 3 } }),
    'warning',
    'task;idKnown',
  ],
  ['failed', () => ({ ending: FAILED }), 'error', 'task;idKnown'],
  ['has an unknown outcome', () => ({ ending: LOST }), 'question', 'task;idKnown'],
] as readonly (readonly [string, () => Partial<TruncationRecord>, string, string])[]) {
  test(`The row of a truncation that ${what} has the icon "${icon}" and the menu of ${contextValue}`, async (context) => {
    const { jobs, services, store } = windowOn(await sharedStorage(context));
    const watch = new TaskWatch(jobs, services, store, systemClock);
    context.after(() => watch.dispose());
    await leaveTruncation(jobs, { ...RECORD, ...change() });
    const connection = new UnreadableConnectionNode(RECORD.connectionId);
    const [row] = new TruncationGroupNode(connection, jobs, watch).children();
    const item = row?.item();
    assert.partialDeepStrictEqual(item?.iconPath, { id: icon });
    assert.equal(item?.contextValue, contextValue);
    assert.equal(item?.label, 'dataset/datasetProfile', 'as the registry spells it');
  });
}
