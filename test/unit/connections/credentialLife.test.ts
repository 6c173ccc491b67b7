import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import type { Connection, SignIn } from '../../../src/connections/connection.ts';
import { canRotate, credentialEnd } from '../../../src/connections/credentialLife.ts';
import { CredentialWatch } from '../../../src/connections/credentialWatch.ts';
import { Emitter } from '../../../src/platform/events.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR } from '../../../src/time.ts';
import { SteppedClock } from '../steppedClock.ts';
import { connectionTo } from './window.ts';

const NOW = 1_790_000_000_000;

/** A connection whose credential was created here and stored at NOW. */
function living(days: number, more: Partial<SignIn> = {}): Connection {
  const endsAt = NOW + days * MILLIS_PER_DAY;
  const signIn = { origin: 'https://a.example.com', storedAt: NOW, endsAt, tokenId: 'mine', ...more };
  return connectionTo('https://a.example.com', { signIn });
}

const stateAt = (connection: Connection, days: number): string | undefined =>
  credentialEnd(connection, NOW + days * MILLIS_PER_DAY)?.state;

suite('The end of a credential', () => {
  const old = { tokenStoredAt: NOW - 30 * MILLIS_PER_DAY };
  for (const [what, days, from, more] of [
    ['in the last tenth of 30 days', 30, 27, {}],
    ['in the last 7 of 365 days', 365, 358, {}],
    ['in the last tenth of a day', 1, 0.9, {}],
    ['a day before, of a token of unknown age', 3, 2, { tokenId: undefined }],
    ['in the last half of what was left of a token of unknown age', 1, 0.5, { tokenId: undefined }],
    ['in the last tenth of what was left of a token of unknown age', 30, 27, { tokenId: undefined }],
    ['by the age of the token, not of headers that were changed later', 30, 24, old],
  ] as const) {
    test(`is near ${what}`, () => {
      const connection = living(days, more);
      assert.deepEqual(
        [0, from - 0.01, from, days - 0.001, days, days + 1].map((at) => stateAt(connection, at)),
        [undefined, undefined, 'ending', 'ending', 'expired', 'expired'],
      );
    });
  }

  test('is unknown without a date, and while signed out', () => {
    assert.equal(stateAt(living(1, { endsAt: undefined }), 2), undefined);
    assert.equal(stateAt(connectionTo('https://a.example.com'), 2), undefined);
  });

  for (const [what, connection, expected] of [
    ['a token of this machine', living(1), true],
    ['a token of the command line', living(1, { source: 'commandLineFile' }), true],
    ['a session', living(1, { isSession: true }), false],
    ['a session of the command line', living(1, { source: 'commandLineSession' }), false],
    ['a read-only connection', { ...living(1), role: 'readOnly' }, false],
  ] as const) {
    test(`leaves ${expected ? 'a rotation' : 'signing in'} as the next step of ${what}`, () => {
      assert.equal(canRotate(connection), expected);
    });
  }
});

interface Watched {
  readonly clock: SteppedClock;
  readonly watch: CredentialWatch;
  readonly expired: string[];
  readonly shown: () => number;
  change(connections: readonly Connection[]): void;
}

function watching(context: TestContext, first: readonly Connection[]): Watched {
  const clock = new SteppedClock(NOW);
  const changed = new Emitter<void>();
  const expired: string[] = [];
  let connections = first;
  let shown = 0;
  const watch = new CredentialWatch({
    store: { all: () => connections, onDidChange: changed.event },
    clock,
    show: () => shown++,
    expired: ({ id }) => expired.push(id),
  });
  context.after(() => watch.dispose());
  const change = (now: readonly Connection[]): void => {
    connections = now;
    changed.fire();
  };
  return { clock, watch, expired, shown: () => shown, change };
}

suite('The watch over credentials', () => {
  test('shows the warning when it begins, and says the end once', (context) => {
    const connection = living(30);
    const { clock, expired, shown } = watching(context, [
      connection,
      living(400),
      connectionTo('https://b.example.com'),
    ]);
    const pass = (days: number): void => {
      for (let passed = 0; passed < days; passed++) clock.advance(MILLIS_PER_DAY);
    };
    pass(26);
    assert.deepEqual([shown(), expired], [0, []]);
    pass(1);
    assert.deepEqual([shown(), expired], [1, []]);
    pass(5);
    assert.deepEqual([shown(), expired], [2, [connection.id]]);
    assert.equal(clock.waiting, 1);
  });

  test('notices what happened while the machine slept', (context) => {
    const connection = living(30);
    const { clock, watch, expired } = watching(context, [connection]);
    clock.sleep(40 * MILLIS_PER_DAY);
    watch.check();
    watch.check();
    assert.deepEqual(expired, [connection.id]);
  });

  test('says nothing of one that had ended before, nor of a new sign-in', (context) => {
    const ended = living(-1);
    const { clock, expired, change } = watching(context, [ended]);
    change([{ ...ended, ...living(-1), id: ended.id }]);
    clock.advance(MILLIS_PER_DAY);
    assert.deepEqual(expired, []);
  });

  test('has one timer at most, of a day at most, and none where nothing ends', (context) => {
    const { clock, watch, change } = watching(context, [living(4_000), living(5_000)]);
    change([living(4_000)]);
    assert.equal(clock.waiting, 1);
    clock.advance(MILLIS_PER_DAY - MILLIS_PER_HOUR);
    change([connectionTo('https://b.example.com')]);
    assert.equal(clock.waiting, 0);
    change([living(4_000)]);
    watch.dispose();
    assert.equal(clock.waiting, 0);
  });
});
