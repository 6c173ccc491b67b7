import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executed, shownNotices } from '../ui/window.ts';
import { COMMANDS } from '../../../src/manifest.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { handleOf, subjectOf } from '../../../src/ui/rowHandles.ts';

const { CommandRegistry } = await import('../../../src/ui/commandRegistry.ts');
const { Log } = await import('../../../src/ui/log.ts');
const { Notices } = await import('../../../src/ui/notices.ts');
const { registerIndexCommands } = await import('../../../src/indices/indexCommands.ts');

const CONNECTION = { id: 'one', name: 'One' };

/** @returns what was copied. */
async function exportSizesOf(list: object): Promise<readonly string[]> {
  const copied: string[] = [];
  const notices = new Notices(new Log());
  const commands = new CommandRegistry(notices);
  registerIndexCommands(commands, {
    store: { load: () => Promise.resolve(), get: () => CONNECTION },
    indexLists: { get: () => ({ ensureTried: () => Promise.resolve(), ...list }) },
    clipboard: { copy: (text: string) => Promise.resolve(void copied.push(text)) },
    notices,
  } as unknown as Parameters<typeof registerIndexCommands>[1]);
  await commands.run(COMMANDS.indexExport, handleOf({ connectionId: 'one' }), undefined);
  return copied;
}

test('Sizes are copied as CSV, to be opened in an editor', async () => {
  const index = { entityType: 'dataset', aspect: 'operation', indexName: 'dataset_operationaspect_v1', sizeBytes: 42 };
  const copied = await exportSizesOf({ indices: [index] });
  assert.deepEqual(copied, [
    'entityType,aspect,indexName,sizeBytes\r\ndataset,operation,dataset_operationaspect_v1,42\r\n',
  ]);
  const { message, buttons } = (await shownNotices()).at(-1) ?? assert.fail();
  assert.deepEqual([message, buttons], ['Copied', ['Open in Editor']]);
});

test('Sizes that are refused for want of a sign-in lead to the sign-in of their connection', async () => {
  await exportSizesOf({ failure: new ServiceFailure('signedOut', 'Rejected.') });
  const notice = (await shownNotices()).at(-1) ?? assert.fail();
  assert.equal(notice.message, 'One: Rejected.');
  notice.press('Sign In…');
  await Promise.resolve();
  assert.deepEqual(subjectOf((await executed()).at(-1)?.[1]), { connectionId: 'one' });
});
