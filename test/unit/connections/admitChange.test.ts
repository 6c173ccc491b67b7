import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { admitChange, currentConnection } from '../../../src/connections/admitChange.ts';
import type { Connection } from '../../../src/connections/connection.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import { failureOf } from '../service/clients.ts';
import { connectionTo } from './window.ts';

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
