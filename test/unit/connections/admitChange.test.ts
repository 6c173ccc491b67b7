import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { admitChange, currentConnection } from '../../../src/connections/admitChange.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { failureOf } from '../service/clients.ts';
import { connectionTo } from './window.ts';

const CONNECTION = connectionTo('https://datahub.example.com', { name: 'Main' });

/** The store of a window, with the connection as another one changed it. */
function changedTo(current: Partial<Connection> | undefined): { getFresh(): Promise<Connection | undefined> } {
  return { getFresh: () => Promise.resolve(current && { ...CONNECTION, ...current }) };
}

suite('A change on a server', () => {
  test('is refused unasked if the connection has become read-only', async () => {
    assert.deepEqual(await admitChange(changedTo({}), CONNECTION), CONNECTION);
    assert.equal((await failureOf(admitChange(changedTo({ role: 'readOnly' }), CONNECTION))).kind, 'readOnly');
  });

  test('is asked about with what any window changed, even after a rename', async () => {
    const change = { role: 'production', name: 'Renamed' } as const;
    assert.deepEqual(await admitChange(changedTo(change), CONNECTION), { ...CONNECTION, ...change });
  });

  for (const [what, change] of [
    ['was removed', undefined],
    ['leads to another server', { baseUrl: 'https://elsewhere.example.com' }],
  ] as const) {
    test(`is refused for a connection that ${what}`, async () => {
      for (const admit of [admitChange, currentConnection]) {
        const failure = await failureOf(admit(changedTo(change), CONNECTION));
        assert.deepEqual([failure.kind, failure.mayHaveActed], ['notSent', false]);
        assert.match(failure.message, /nothing was sent/);
      }
    });
  }

  test('is refused if the connection can’t be read', async () => {
    const unreadable = {
      getFresh: () => Promise.reject(new ServiceFailure('storage', 'Not read.', { next: 'Try again.' })),
    };
    assert.equal((await failureOf(admitChange(unreadable, CONNECTION))).kind, 'storage');
  });
});
