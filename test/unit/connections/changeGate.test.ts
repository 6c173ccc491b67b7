import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { admitChange, currentConnection, mayStillSend } from '../../../src/connections/changeGate.ts';
import type { ConnectionRole } from '../../../src/connections/role.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { SteppedClock } from '../steppedClock.ts';
import { connectionTo, knownTo, machine, removeFrom, type Machine, type Window } from './window.ts';

const ADDRESS = 'http://datahub.example.com';
const MINUTE = 60_000;

interface Agreed extends Machine {
  /** Asks the user. VS Code tells it nothing of the secrets and of its storage, which may come later. */
  readonly asking: Window;
}

async function agreed(context: TestContext, role: Connection['role'] = 'development'): Promise<Agreed> {
  const on = await machine(context, CREDENTIAL, { connection: connectionTo(ADDRESS, { role }) });
  const secrets = { ...on.shared.secrets, onDidChange: () => ({ dispose: () => undefined }) };
  const asking = await on.open({ secrets, memory: new Memory() });
  await asking.credentials.read(on.connection);
  return { ...on, asking };
}

type Act = (window: Window, connection: Connection) => Promise<unknown>;

const changeTo =
  (change: Partial<Connection>): Act =>
  ({ store }, { id }) =>
    store.change(id, () => change);
const choose =
  (role: ConnectionRole): Act =>
  ({ store }, { id }) =>
    store.setRole(id, role);

/** What a window does to the connection that the user agreed to, and why nothing is sent then. */
const MEANWHILE: Readonly<Record<string, readonly [ConnectionRole, Act, ServiceFailure['kind'] | undefined]>> = {
  'renames it': ['development', changeTo({ name: 'Renamed' }), undefined],
  'gives it another address': ['development', changeTo({ baseUrl: 'https://elsewhere.example.com' }), 'notSent'],
  'agrees to plain HTTP': ['development', changeTo({ plainHttpOrigin: ADDRESS }), 'notSent'],
  'makes it stricter': ['development', choose('production'), 'notSent'],
  'makes it laxer': ['production', choose('development'), 'notSent'],
  'makes it read-only': ['development', choose('readOnly'), 'readOnly'],
  'signs in to it again': ['development', (window, read) => signInWith(window, read, CREDENTIAL), 'notSent'],
  'signs out of it': ['development', ({ credentials }, read) => credentials.signOut(read), 'notSent'],
  'removes it': ['development', (window, { id }) => removeFrom(window, id), 'notSent'],
};

suite('A change of a connection that the user agreed to', () => {
  for (const [what, [role, act, kind]] of Object.entries(MEANWHILE)) {
    for (const who of ['asking', 'window'] as const) {
      const which = who === 'asking' ? 'this window' : 'another window';
      test(`is ${kind === undefined ? 'sent' : 'not sent'} once ${which} ${what}`, async (context) => {
        const on = await agreed(context, role);
        const gate = mayStillSend(on.asking, knownTo(on.asking, on.connection));
        await gate();
        await act(on[who], on.connection);
        if (kind === undefined) {
          await gate();
        } else {
          const failure = await failureOf(gate());
          assert.deepEqual([failure.kind, failure.mayHaveActed], [kind, false]);
        }
      });
    }
  }

  test('is not sent if another window signs out while a keychain asks for its password', async (context) => {
    const { shared, window, connection, open } = await agreed(context);
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const get = async (key: string): Promise<string | undefined> => {
      const stored = await shared.secrets.get(key);
      asked.resolve();
      await answered.promise;
      return stored;
    };
    const waiting = await open({ secrets: { ...shared.secrets, get } });
    const refused = failureOf(mayStillSend(waiting, connection)());
    await asked.promise;
    await window.credentials.signOut(connection);
    answered.resolve();
    assert.equal((await refused).kind, 'notSent');
  });

  for (const [clockName, late] of [
    ['the clock on the wall', (clock: SteppedClock) => clock.sleep(MINUTE + 1)],
    ['the clock that never goes back', (clock: SteppedClock) => clock.advance(MINUTE + 1)],
  ] as const) {
    test(`is not sent more than a minute after it was prepared, by ${clockName}`, async (context) => {
      const { window, connection, clock } = await agreed(context);
      const gate = mayStillSend(window, connection);
      clock.advance(MINUTE);
      await gate();
      late(clock);
      assert.match((await failureOf(gate())).message, /took too long/);
      await mayStillSend(window, connection)();
    });
  }

  test('is not sent while the connections can’t be read', async (context) => {
    const { shared, connection, open } = await agreed(context);
    const unlucky = await open({
      folders: (kind) => ({ ...shared.folders(kind), readAll: () => Promise.reject(new Error('EIO')) }),
    });
    const failure = await failureOf(mayStillSend(unlucky, connection)());
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['storage', false]);
  });
});

const CONNECTION = connectionTo('https://datahub.example.com', { name: 'Main' });

type Store = Parameters<typeof admitChange>[0];

/** The store of a window, with the connection as another one changed it. */
function changedTo(current: Partial<Connection> | undefined): Store {
  return { getFresh: () => Promise.resolve(current && { ...CONNECTION, ...current }) };
}

suite('A change on a server', () => {
  test('is asked about with what any window changed, even after a rename', async () => {
    const change = { role: 'production', name: 'Renamed' } as const;
    assert.deepEqual(await admitChange(changedTo(change), CONNECTION), { ...CONNECTION, ...change });
  });

  for (const [what, store, kind, refusesToRead] of [
    ['is read-only', changedTo({ role: 'readOnly' }), 'readOnly', false],
    ['was removed', changedTo(undefined), 'notSent', true],
    ['leads to another server', changedTo({ baseUrl: 'https://elsewhere.example.com' }), 'notSent', true],
    [
      'can’t be read',
      { getFresh: () => Promise.reject(new ServiceFailure('storage', 'Not read.', { next: 'Try again.' })) },
      'storage',
      true,
    ],
  ] as const) {
    test(`is refused before any question for a connection that ${what}`, async () => {
      for (const admit of refusesToRead ? [admitChange, currentConnection] : [admitChange]) {
        const failure = await failureOf(admit(store, CONNECTION));
        assert.deepEqual([failure.kind, failure.mayHaveActed], [kind, false]);
      }
    });
  }

  test('is refused with the name of the connection that is read-only', async () => {
    const failure = await failureOf(admitChange(changedTo({ role: 'readOnly', name: 'Renamed' }), CONNECTION));
    assert.equal(failure.message, 'Renamed: This connection is read-only. Nothing was sent.');
  });
});
