import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executed, shownNotices } from '../ui/window.ts';
import { COMMANDS } from '../../../src/manifest.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { handleOf, subjectOf } from '../../../src/ui/handles.ts';

const { CommandRegistry } = await import('../../../src/ui/commandRegistry.ts');
const { Log } = await import('../../../src/ui/log.ts');
const { Notices } = await import('../../../src/ui/notices.ts');
const { registerIndexCommands } = await import('../../../src/indices/indexCommands.ts');

test('Sizes that are refused for want of a sign-in lead to the sign-in of their connection', async () => {
  const connection = { id: 'one', name: 'One' };
  const list = { ensureTried: () => Promise.resolve(), failure: new ServiceFailure('signedOut', 'Rejected.') };
  const notices = new Notices(new Log());
  const commands = new CommandRegistry(notices);
  registerIndexCommands(commands, {
    store: { load: () => Promise.resolve(), get: () => connection },
    indexLists: { get: () => list },
    notices,
  } as unknown as Parameters<typeof registerIndexCommands>[1]);
  await commands.run(COMMANDS.indexExport, handleOf({ connectionId: 'one' }), undefined);
  const notice = (await shownNotices()).at(-1) ?? assert.fail();
  assert.equal(notice.message, 'One: Rejected.');
  notice.press('Sign In…');
  await Promise.resolve();
  assert.deepEqual(subjectOf((await executed()).at(-1)?.[1]), { connectionId: 'one' });
});
