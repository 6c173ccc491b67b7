import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Connection, SignIn } from '../../../src/connections/connection.ts';
import { credentialWarning, mayRotate } from '../../../src/connections/credentialLife.ts';
import type { ServicePool } from '../../../src/connections/servicePool.ts';
import { COMMANDS } from '../../../src/manifest.ts';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import { connectionTo } from './window.ts';

const NOW = 1_790_000_000_000;

/** A connection whose credential was created here and stored at NOW. */
function living(days: number, more: Partial<SignIn> = {}): Connection {
  const endsAt = NOW + days * MILLIS_PER_DAY;
  const signIn = { origin: 'https://a.example.com', storedAt: NOW, endsAt, tokenId: 'mine', ...more };
  return connectionTo('https://a.example.com', { signIn });
}

const saidAt = (connection: Connection, days: number): string | undefined =>
  credentialWarning(connection, NOW + days * MILLIS_PER_DAY, true)?.short.replace(/ in .*/, '');

suite('The end of a credential', () => {
  for (const [what, days, from, more] of [
    ['in the last tenth of 30 days', 30, 27, {}],
    ['in the last 7 of 365 days', 365, 358, {}],
    ['in the last tenth of a day', 1, 0.9, {}],
    ['in the last tenth of what was left of a pasted token', 3, 2.7, { tokenId: undefined }],
  ] as const) {
    test(`is near ${what}`, () => {
      const connection = living(days, more);
      assert.deepEqual(
        [0, from - 0.01, from, days - 0.001, days, days + 1].map((at) => saidAt(connection, at)),
        [undefined, undefined, 'token expires', 'token expires', 'token expired', 'token expired'],
      );
    });
  }

  test('is unknown without a date, and while signed out', () => {
    assert.equal(saidAt(living(1, { endsAt: undefined }), 2), undefined);
    assert.equal(saidAt(connectionTo('https://a.example.com'), 2), undefined);
  });

  for (const [what, connection, cannotCreate, expected] of [
    ['a token of this machine', living(1), false, true],
    ['a token of the command line', living(1, { source: 'commandLineFile' }), false, true],
    ['a session', living(1, { isSession: true }), false, false],
    ['a read-only connection', { ...living(1), role: 'readOnly' }, false, false],
    ["a user who can't create own tokens", living(1), true, false],
  ] as const) {
    test(`leaves ${expected ? 'a rotation' : 'signing in'} as the next step of ${what}`, () => {
      const tokens = { cannotCreate: (kind: string) => cannotCreate && kind === 'own' };
      const isAdvised = mayRotate({ get: () => ({ tokens }) } as unknown as ServicePool, connection);
      const { command } = credentialWarning(connection, NOW + 0.95 * MILLIS_PER_DAY, isAdvised) ?? {};
      assert.equal(command, expected ? COMMANDS.connectionRotateToken : COMMANDS.connectionSignIn);
    });
  }
});
