import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { admitChange, confirmInCurrentRole, saveChosenRole } from '../../../src/connections/currentRole.ts';
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
  test('is refused if the connection has become read-only', async () => {
    const connections = new ChangingConnections();
    assert.equal((await admitChange(connections, CONNECTION)).role, undefined);
    connections.role = 'readOnly';
    assert.equal((await failureOf(admitChange(connections, CONNECTION))).kind, 'readOnly');
    const neverAsked = confirmInCurrentRole(connections, CONNECTION, () => assert.fail('It was asked.'));
    assert.equal((await failureOf(neverAsked)).kind, 'readOnly');
  });

  test('is confirmed with the current role, even after a rename', async () => {
    const connections = new ChangingConnections();
    connections.role = 'production';
    connections.name = 'Renamed';
    const asked: Connection[] = [];
    const ask = (current: Connection): Promise<boolean> => Promise.resolve(asked.push(current) > 0);
    assert.equal(await confirmInCurrentRole(connections, CONNECTION, ask), true);
    assert.deepEqual(asked, [{ ...CONNECTION, role: 'production' }]);
  });

  for (const [what, change] of [
    ['was removed', { isRemoved: true }],
    ['leads to another server', { baseUrl: 'https://elsewhere.example.com' }],
  ] as const) {
    test(`is refused for a connection that ${what}, before and after the question`, async () => {
      const connections = new ChangingConnections();
      const ask = (): Promise<boolean> => Promise.resolve(Object.assign(connections, change) !== undefined);
      assert.match((await failureOf(confirmInCurrentRole(connections, CONNECTION, ask))).message, /nothing was sent/);
      const neverAsked = confirmInCurrentRole(connections, CONNECTION, () => assert.fail('It was asked.'));
      assert.match((await failureOf(neverAsked)).message, /nothing was sent/);
    });
  }

  test('is confirmed again if the role got stricter meanwhile, but not if it got laxer', async () => {
    const connections = new ChangingConnections();
    connections.role = 'development';
    const asked: (ConnectionRole | undefined)[] = [];
    const then: ConnectionRole[] = ['production', 'development'];
    const ask = (current: Connection): Promise<boolean> => {
      asked.push(current.role);
      connections.role = then.shift();
      return Promise.resolve(true);
    };
    assert.equal(await confirmInCurrentRole(connections, CONNECTION, ask), true);
    assert.deepEqual(asked, ['development', 'production']);
  });

  test('is refused if the connection became read-only during the question, or if the user declines', async () => {
    const connections = new ChangingConnections();
    const ask = (): Promise<boolean> => {
      connections.role = 'readOnly';
      return Promise.resolve(true);
    };
    assert.equal((await failureOf(confirmInCurrentRole(connections, CONNECTION, ask))).kind, 'readOnly');
    connections.role = 'production';
    assert.equal(await confirmInCurrentRole(connections, CONNECTION, () => Promise.resolve(false)), false);
  });
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
