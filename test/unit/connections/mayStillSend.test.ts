import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { accountOf, withNewCredential, type Connection } from '../../../src/connections/connection.ts';
import { mayStillSend } from '../../../src/connections/mayStillSend.ts';
import { signOutOfConnection } from '../../../src/connections/signIn.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { SteppedClock } from '../steppedClock.ts';
import { connectionTo, sharedStorage, windowOn, type Window } from './window.ts';

const MINUTE = 60_000;

async function agreed(
  context: TestContext,
): Promise<{ readonly window: Window; readonly connection: Connection; readonly clock: SteppedClock }> {
  const clock = new SteppedClock();
  const window = windowOn(await sharedStorage(context), systemNetwork, clock);
  const connection = { ...withNewCredential(connectionTo('http://datahub.example.com')), role: 'development' } as const;
  await window.credentials.store(connection, CREDENTIAL);
  await window.store.save(connection);
  return { window, connection, clock };
}

suite('A change may still be sent', () => {
  test('on the connection that the user agreed to, even after a rename', async (context) => {
    const { window, connection } = await agreed(context);
    const gate = mayStillSend(window, connection);
    await gate();
    await window.store.save({ ...connection, name: 'Renamed' });
    await gate();
  });

  for (const [what, change] of [
    ['another address', { baseUrl: 'https://elsewhere.example.com' }],
    ['another user', { actorUrn: 'urn:li:corpuser:else' }],
    ['another product', { product: 'Other' }],
    ['consent to plain HTTP', { plainHttpConsent: true }],
    ['another sign-in', { credentialId: crypto.randomUUID() }],
    ['a stricter role', { role: 'production' }],
  ] as const) {
    test(`but not with ${what}`, async (context) => {
      const { window, connection } = await agreed(context);
      const gate = mayStillSend(window, connection);
      await window.store.save({ ...connection, ...change }, connection);
      assert.equal((await failureOf(gate())).kind, 'notSent');
    });
  }

  test('but not with a laxer role', async (context) => {
    const { window, connection } = await agreed(context);
    const strict = { ...connection, role: 'production' } as const;
    await window.store.save(strict, connection);
    const gate = mayStillSend(window, strict);
    await window.store.save({ ...strict, role: 'development' }, strict);
    assert.equal((await failureOf(gate())).kind, 'notSent');
  });

  test('but not once secret storage has the token of another sign-in, which VS Code reports later', async (context) => {
    const { window, connection } = await agreed(context);
    const gate = mayStillSend(window, connection);
    await window.credentials.store(withNewCredential(connection), CREDENTIAL);
    assert.equal((await failureOf(gate())).kind, 'notSent');
  });

  test('but not once it is read-only, signed out or removed', async (context) => {
    const { window, connection } = await agreed(context);
    const gate = mayStillSend(window, connection);
    await window.store.save({ ...connection, role: 'readOnly' }, connection);
    assert.equal((await failureOf(gate())).kind, 'readOnly');
    await signOutOfConnection(window, connection);
    await window.store.save({ ...connection, role: 'development' }, { ...connection, role: 'readOnly' });
    assert.equal((await failureOf(gate())).kind, 'notSent');
    await window.store.beginRemoval(connection.id);
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

  test('after a new sign-in, if only server, user and role count', async (context) => {
    const { window, connection } = await agreed(context);
    const gate = mayStillSend(window, connection, accountOf);
    const signedIn = withNewCredential(connection);
    await window.credentials.store(signedIn, CREDENTIAL);
    await window.store.save(signedIn, connection);
    await gate();
    await window.store.save({ ...signedIn, role: 'production' }, signedIn);
    assert.equal((await failureOf(gate())).kind, 'notSent');
  });
});
