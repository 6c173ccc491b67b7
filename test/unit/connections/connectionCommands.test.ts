import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from '../../../src/manifest.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { handleOf } from '../../../src/ui/rowHandles.ts';
import { shownNotices } from '../ui/window.ts';

const { registerConnectionCommands } = await import('../../../src/connections/connectionCommands.ts');
const { CommandRegistry } = await import('../../../src/ui/commandRegistry.ts');
const { Log } = await import('../../../src/ui/log.ts');
const { Notices } = await import('../../../src/ui/notices.ts');

test('What a command throws names its connection', async () => {
  const notices = new Notices(new Log());
  const commands = new CommandRegistry(notices);
  const connection = { id: 'one', name: 'One' };
  registerConnectionCommands(commands, {
    store: { load: () => Promise.resolve(), get: () => connection, unreadable: () => [] },
    credentials: { read: () => Promise.resolve(undefined) },
    truncationsThere: () => Promise.reject(new ServiceFailure('storage', 'The disk is full.')),
    notices,
  } as unknown as Parameters<typeof registerConnectionCommands>[1]);
  await commands.run(COMMANDS.connectionRemove, handleOf({ connectionId: 'one' }), undefined);
  assert.equal((await shownNotices()).at(-1)?.message, 'One: The disk is full.');
});
