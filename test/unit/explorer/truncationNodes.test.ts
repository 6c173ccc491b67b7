import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/time.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { TaskWatch } from '../../../src/truncation/watch.ts';
import { sharedStorage, windowOn } from '../connections/window.ts';
import { leaveTruncation } from '../truncation/journals.ts';
import { FAILED, FINISHED, LOST, RECORD } from '../truncation/samples.ts';
import '../ui/window.ts';

const { TruncationGroupNode } = await import('../../../src/explorer/truncationNodes.ts');
const { UnreadableConnectionNode } = await import('../../../src/explorer/unreadableNodes.ts');

for (const [what, change, icon] of [
  ['runs', {}, 'sync~spin'],
  ['got no answer', { taskId: undefined }, 'question'],
  ['is finished', { ending: { ...FINISHED, readers: 'clean' } }, 'pass'],
  ['is finished on the server, and not checked', { ending: { ...FINISHED, readers: 'notChecked' } }, 'question'],
  ['failed', { ending: FAILED }, 'error'],
  ['has an unknown outcome', { ending: LOST }, 'question'],
] as readonly (readonly [string, Partial<TruncationRecord>, string])[]) {
  test(`The row of a truncation that ${what} has the icon "${icon}"`, async (context) => {
    const { jobs, services, store } = windowOn(await sharedStorage(context));
    const watch = new TaskWatch(jobs, services, store, systemClock);
    context.after(() => watch.dispose());
    await leaveTruncation(jobs, { ...RECORD, ...change });
    const connection = new UnreadableConnectionNode({ id: RECORD.connectionId, reason: 'damaged' });
    const [row] = new TruncationGroupNode(connection, jobs, watch).children();
    assert.partialDeepStrictEqual(row?.item().iconPath, { id: icon });
  });
}
