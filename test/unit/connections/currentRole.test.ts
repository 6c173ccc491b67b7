import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { admitChange, confirmInCurrentRole } from '../../../src/connections/currentRole.ts';
import type { Role } from '../../../src/connections/role.ts';
import { failureOf } from '../service/clients.ts';
import { connectionTo } from './window.ts';

const CONNECTION = connectionTo('https://datahub.example.com', { name: 'Main' });

/** Connections whose role another window changes: what is stored has another address too, by now. */
class ChangingConnections {
  role: Role | undefined;

  getFresh(): Promise<Connection> {
    return Promise.resolve({ ...CONNECTION, baseUrl: 'https://elsewhere.example.com', role: this.role });
  }
}

suite('Before something is changed', () => {
  test('it is refused through a connection that is read-only by now', async () => {
    const connections = new ChangingConnections();
    assert.equal((await admitChange(connections, CONNECTION)).role, undefined);
    connections.role = 'readOnly';
    assert.equal((await failureOf(admitChange(connections, CONNECTION))).kind, 'readOnly');
    const neverAsked = confirmInCurrentRole(connections, CONNECTION, () => assert.fail('It was asked.'));
    assert.equal((await failureOf(neverAsked)).kind, 'readOnly');
  });

  test('it is asked about in the role of now, on the server that is meant', async () => {
    const connections = new ChangingConnections();
    connections.role = 'production';
    const asked: Connection[] = [];
    const ask = (current: Connection): Promise<boolean> => Promise.resolve(asked.push(current) > 0);
    assert.equal(await confirmInCurrentRole(connections, CONNECTION, ask), true);
    assert.deepEqual(asked, [{ ...CONNECTION, role: 'production' }]);
  });

  test('it is asked about again where the role got stricter meanwhile, and not where it got laxer', async () => {
    const connections = new ChangingConnections();
    connections.role = 'development';
    const asked: (Role | undefined)[] = [];
    const then: Role[] = ['production', 'development'];
    const ask = (current: Connection): Promise<boolean> => {
      asked.push(current.role);
      connections.role = then.shift();
      return Promise.resolve(true);
    };
    assert.equal(await confirmInCurrentRole(connections, CONNECTION, ask), true);
    assert.deepEqual(asked, ['development', 'production']);
  });

  test('a yes is none where the connection became read-only under the question, and a no ends it', async () => {
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
