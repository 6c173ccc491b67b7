import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { executed, shownNotices, written } from './window.ts';
import { COMMANDS } from '../../../src/manifest.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { handleOf, subjectOf } from '../../../src/ui/rowHandles.ts';

const { CommandRegistry } = await import('../../../src/ui/commandRegistry.ts');
const { Log } = await import('../../../src/ui/log.ts');
const { Notices } = await import('../../../src/ui/notices.ts');

const CONNECTION = { id: 'one', name: 'One' };
const UNREACHABLE = new ServiceFailure('unreachable', "Can't reach db.test.");
const DETAILS = ['Copy Details for a Report', 'Show Log'];

async function noticeOf(report: (notices: InstanceType<typeof Notices>) => unknown) {
  await report(new Notices(new Log()));
  return (await shownNotices()).at(-1) ?? assert.fail('nothing is told');
}

suite('A notification of a failure', () => {
  test('offers first to run a command again that did not reach the server, as it was run', async () => {
    const runs: unknown[] = [];
    const [row, other] = [{ row: 1 }, { row: 2 }];
    const notice = await noticeOf((notices) => {
      const commands = new CommandRegistry(notices);
      commands.handle(COMMANDS.indexExport, (clicked, selected) => {
        runs.push([clicked, selected]);
        if (runs.length === 1) throw UNREACHABLE;
      });
      return commands.run(COMMANDS.indexExport, handleOf(row), [row, other].map(handleOf));
    });
    assert.deepEqual(notice.buttons, ['Try Again', ...DETAILS]);
    notice.press('Try Again');
    await Promise.resolve();
    assert.deepEqual(runs, [
      [row, [row, other]],
      [row, [row, other]],
    ]);
  });

  test('offers first to edit the connection if nothing can be run again', async () => {
    const notice = await noticeOf((notices) => notices.failure(UNREACHABLE, CONNECTION));
    assert.deepEqual(notice.buttons, ['Edit Connection…', ...DETAILS]);
    notice.press('Edit Connection…');
    await Promise.resolve();
    assert.equal((await executed()).at(-1)?.[0], COMMANDS.connectionEdit);
  });

  test('offers nothing again that may have been carried out, or that would fail again', async () => {
    const again = () => assert.fail('it was done again');
    for (const failure of [UNREACHABLE.with({ mayHaveActed: true }), new ServiceFailure('refused', 'Not allowed.')]) {
      const { buttons } = await noticeOf((notices) => notices.failure(failure, CONNECTION, again));
      assert.deepEqual(buttons, DETAILS);
    }
  });

  test('of the extension itself says so, whichever command it was in', async () => {
    const { message } = await noticeOf((notices) => {
      const commands = new CommandRegistry(notices);
      commands.handle(COMMANDS.connectionAdd, () => {
        throw new RangeError('a bug');
      });
      return commands.run(COMMANDS.connectionAdd, undefined, undefined);
    });
    assert.match(message, /^Internal error in the extension \(RangeError\)/);
  });

  test('of a command for a connection names it, and mends it there', async () => {
    const notice = await noticeOf((notices) => {
      const commands = new CommandRegistry(notices);
      commands.handle(COMMANDS.tokenFilter, (_clicked, _selected, concerns) => {
        concerns(CONNECTION);
        throw new ServiceFailure('signedOut', 'Rejected.');
      });
      return commands.run(COMMANDS.tokenFilter, undefined, undefined);
    });
    assert.equal(notice.message, 'One: Rejected.');
    assert.match((await written()).at(-1) ?? '', /: signedOut: One: Rejected\.$/);
    notice.press('Sign In…');
    await Promise.resolve();
    const [command, row] = (await executed()).at(-1) ?? [];
    assert.deepEqual([command, subjectOf(row)], [COMMANDS.connectionSignIn, { connectionId: CONNECTION.id }]);
  });

  test('offers to sign in, or to choose another role, where that is the way on', async () => {
    const buttonsOf = async (failure: ServiceFailure): Promise<readonly string[]> =>
      (await noticeOf((notices) => notices.failure(failure, CONNECTION))).buttons;
    assert.deepEqual(await buttonsOf(new ServiceFailure('signedOut', 'Rejected.')), ['Sign In…', DETAILS[0]]);
    assert.deepEqual(await buttonsOf(new ServiceFailure('readOnly', 'Read-only.')), ['Edit Connection…']);
  });
});
