import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { COMMANDS } from '../../../src/manifest.ts';
import { handleOf } from '../../../src/ui/rowHandles.ts';
import { shownInputs } from '../ui/window.ts';

const { CommandRegistry } = await import('../../../src/ui/commandRegistry.ts');
const { Log } = await import('../../../src/ui/log.ts');
const { Notices } = await import('../../../src/ui/notices.ts');
const { registerPageCommands } = await import('../../../src/pages/pageCommands.ts');

test("A removed connection's index isn't truncated on the one that is picked instead", async () => {
  const opened: unknown[] = [];
  const other = { id: 'other', name: 'Other', baseUrl: 'https://datahub.example.com' };
  const commands = new CommandRegistry(new Notices(new Log()));
  registerPageCommands(
    commands,
    {
      store: { load: () => Promise.resolve(), get: () => undefined, all: () => [other], inUse: () => other },
      indexLists: { get: () => ({ ensureTried: () => Promise.resolve(), failure: undefined, indices: [] }) },
    } as unknown as Parameters<typeof registerPageCommands>[1],
    () => Promise.resolve({ truncate: (...all: unknown[]) => opened.push(all) } as never),
  );
  const index = { entityType: 'dataset', aspect: 'operation', indexName: 'dataset_operationaspect_v1' };
  void commands.run(COMMANDS.indexTruncate, handleOf({ connectionId: 'removed', index }), undefined);
  await setImmediate();
  const pick = (await shownInputs()).at(-1) ?? assert.fail();
  pick.selectedItems = pick.items.slice(0, 1);
  pick.fire('accept');
  await setImmediate();
  assert.notEqual((await shownInputs()).at(-1), pick, 'the index is asked for');
  assert.deepEqual(opened, []);
});
