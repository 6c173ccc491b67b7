import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { mayStillSend } from '../../../src/connections/mayStillSend.ts';
import { signInWith } from '../../../src/connections/signIn.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { SteppedClock } from '../steppedClock.ts';
import {
  addConnection,
  connectionTo,
  openWindow,
  removeFrom,
  sharedStorage,
  type SharedStorage,
  type Window,
} from './window.ts';

const MINUTE = 60_000;

interface Agreed {
  readonly window: Window;
  /** On the same machine. It has read the connection. */
  readonly other: Window;
  readonly connection: Connection;
  readonly clock: SteppedClock;
  readonly shared: SharedStorage;
}

async function agreed(context: TestContext): Promise<Agreed> {
  const clock = new SteppedClock();
  const shared = await sharedStorage(context);
  const window = await openWindow(shared, systemNetwork, clock);
  const connection = await addConnection(window, connectionTo('http://datahub.example.com'), CREDENTIAL);
  return { window, other: await openWindow(shared, systemNetwork, clock), connection, clock, shared };
}

suite('A change may still be sent', () => {
  test('on the connection that the user agreed to, even after a rename', async (context) => {
    const { window, other, connection } = await agreed(context);
    const gate = mayStillSend(window, connection);
    await gate();
    await other.store.change(connection.id, () => ({ name: 'Renamed' }));
    await gate();
  });

  for (const [what, change] of [
    ['another address', { baseUrl: 'https://elsewhere.example.com' }],
    ['consent to plain HTTP', { plainHttpOrigin: 'http://datahub.example.com' }],
  ] as const) {
    test(`but not with ${what}, whichever window set it`, async (context) => {
      for (const setter of ['window', 'other'] as const) {
        const on = await agreed(context);
        const gate = mayStillSend(on.window, on.connection);
        await on[setter].store.change(on.connection.id, () => change);
        assert.equal((await failureOf(gate())).kind, 'notSent');
      }
    });
  }

  for (const [from, to] of [
    ['development', 'production'],
    ['production', 'development'],
  ] as const) {
    test(`but not with the role ${to} instead of ${from}`, async (context) => {
      const { window, other, connection } = await agreed(context);
      await window.store.setRole(connection.id, { role: from, chosen: true });
      const gate = mayStillSend(window, window.store.get(connection.id) ?? assert.fail());
      await gate();
      await other.store.setRole(connection.id, { role: to, chosen: true });
      assert.equal((await failureOf(gate())).kind, 'notSent');
    });
  }

  test('but not once secret storage has the token of another sign-in, which VS Code reports later', async (context) => {
    const { window, connection, shared } = await agreed(context);
    const secrets = { ...shared.secrets, onDidChange: () => ({ dispose: () => undefined }) };
    const unheard = await openWindow({ ...shared, secrets, memory: new Memory() });
    await unheard.credentials.read(connection);
    const gate = mayStillSend(unheard, connection);
    await gate();
    await signInWith(window, connection, CREDENTIAL);
    assert.equal((await failureOf(gate())).kind, 'notSent');
  });

  test('but not once it is read-only, signed out or removed', async (context) => {
    const { window, other, connection } = await agreed(context);
    const gate = mayStillSend(window, connection);
    await other.store.setRole(connection.id, { role: 'readOnly', chosen: true });
    assert.equal((await failureOf(gate())).kind, 'readOnly');
    await other.store.setRole(connection.id, { role: 'development', chosen: false });
    await gate();
    await other.credentials.signOut(connection);
    assert.equal((await failureOf(gate())).kind, 'notSent');
    await removeFrom(other, connection.id);
    assert.equal((await failureOf(gate())).kind, 'notSent');
  });

  for (const [clockName, late] of [
    ['the clock on the wall', (clock: SteppedClock) => clock.sleep(MINUTE + 1)],
    ['the clock that never goes back', (clock: SteppedClock) => clock.advance(MINUTE + 1)],
  ] as const) {
    test(`but not more than a minute after it was prepared, by ${clockName}`, async (context) => {
      const { window, connection, clock } = await agreed(context);
      const gate = mayStillSend(window, connection);
      clock.advance(MINUTE);
      await gate();
      late(clock);
      assert.match((await failureOf(gate())).message, /took too long/);
      await mayStillSend(window, connection)();
    });
  }

  test('but not while the connections can’t be read', async (context) => {
    const { shared, connection } = await agreed(context);
    const unlucky = await openWindow({
      ...shared,
      folders: (kind) => ({ ...shared.folders(kind), readAll: () => Promise.reject(new Error('EIO')) }),
    });
    const failure = await failureOf(mayStillSend(unlucky, connection)());
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['storage', false]);
  });
});
