import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { admitChange, saveChosenRole } from '../../../src/connections/admitChange.ts';
import type { ConnectionRole } from '../../../src/connections/role.ts';
import { failureOf } from '../service/clients.ts';
import { connectionTo, sharedStorage, windowOn } from './window.ts';

const CONNECTION = connectionTo('https://datahub.example.com', { name: 'Main' });

/** A connection that another window changes. */
class ChangingConnections {
  role: ConnectionRole | undefined;
  name = CONNECTION.name;
  baseUrl = CONNECTION.baseUrl;
  isRemoved = false;

  getFresh(): Promise<Connection | undefined> {
    const { role, name, baseUrl } = this;
    return Promise.resolve(this.isRemoved ? undefined : { ...CONNECTION, role, name, baseUrl });
  }
}

suite('A change on a server', () => {
  test('is refused unasked if the connection has become read-only', async () => {
    const connections = new ChangingConnections();
    assert.equal((await admitChange(connections, CONNECTION)).role, undefined);
    connections.role = 'readOnly';
    assert.equal((await failureOf(admitChange(connections, CONNECTION))).kind, 'readOnly');
  });

  test('is asked about with what any window changed, even after a rename', async () => {
    const connections = new ChangingConnections();
    connections.role = 'production';
    connections.name = 'Renamed';
    assert.deepEqual(await admitChange(connections, CONNECTION), {
      ...CONNECTION,
      role: 'production',
      name: 'Renamed',
    });
  });

  for (const [what, change] of [
    ['was removed', { isRemoved: true }],
    ['leads to another server', { baseUrl: 'https://elsewhere.example.com' }],
  ] as const) {
    test(`is refused for a connection that ${what}`, async () => {
      const connections = Object.assign(new ChangingConnections(), change);
      assert.match((await failureOf(admitChange(connections, CONNECTION))).message, /nothing was sent/);
    });
  }
});

interface Outcome {
  readonly text: string;
  readonly isAsChosen: boolean;
  readonly stored: ConnectionRole | undefined;
}

/** @param elsewhere Role chosen in another window before the answer is saved. */
async function chosen(
  context: TestContext,
  read: ConnectionRole,
  mine: ConnectionRole,
  elsewhere?: ConnectionRole,
): Promise<Outcome> {
  const shared = await sharedStorage(context);
  const [here, there] = [windowOn(shared), windowOn(shared)];
  const connection = connectionTo('https://datahub.example.com', { name: 'Main', role: read });
  await here.store.save(connection);
  await Promise.all([here.store.load(), there.store.load()]);
  if (elsewhere !== undefined) {
    await there.store.save({ ...connection, role: elsewhere }, connection);
  }
  const outcome = await saveChosenRole(here.store, connection, mine, read);
  context.after(() => [here, there].forEach(({ store }) => store.dispose()));
  return { ...outcome, stored: here.store.get(connection.id)?.role };
}

suite('The sentence about a chosen role', () => {
  for (const [read, mine] of [
    ['development', 'production'],
    ['readOnly', 'development'],
    ['production', 'production'],
  ] as const) {
    test(`confirms ${mine} after ${read}`, async (context) => {
      assert.deepEqual(await chosen(context, read, mine), {
        isAsChosen: true,
        text: 'Role of "Main" changed',
        stored: mine,
      });
    });
  }

  for (const [read, mine, elsewhere, name] of [
    ['development', 'production', 'readOnly', 'Read-only'],
    ['readOnly', 'development', 'production', 'Production'],
  ] as const) {
    test(`names the stored role for ${mine} after ${read} if another window chose ${elsewhere}`, async (context) => {
      assert.deepEqual(await chosen(context, read, mine, elsewhere), {
        isAsChosen: false,
        text: `Another window changed the role of "Main" meanwhile. It is now ${name}.`,
        stored: elsewhere,
      });
    });
  }
});
