import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { creationRefusal } from '../../../src/service/creationRefusal.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { CreateToken } from '../../../src/service/tokens/tokenCreation.ts';
import { ME } from './clients.ts';

const NEW: CreateToken = { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_DAY', name: 'ci', description: undefined };
const ROBOT: CreateToken = { ...NEW, type: 'SERVICE_ACCOUNT' };
const FACTS = { operation: 'createAccessToken', status: 200, mayHaveActed: true };
const NOT_ALLOWED = 'Access token duration ONE_DAY is not allowed.';
const NO_ROBOT = 'The specified URN is not a service account: urn:li:corpuser:x';

function failed(kind: ServiceFailure['kind'], next?: string): ServiceFailure {
  return new ServiceFailure(kind, 'As it was told.', { ...FACTS, next });
}

suite('A creation that was refused', () => {
  for (const kind of ['badRequest', 'server', 'invalidDocument'] as const) {
    test(`for its duration says so, and that nothing was made (${kind})`, () => {
      const { failure, durations } = creationRefusal(failed(kind), NEW, ['One of two.', NOT_ALLOWED]);
      assert.deepEqual(
        { ...failure },
        {
          ...new ServiceFailure('badRequest', '', { ...FACTS, mayHaveActed: false, next: 'Choose another duration.' }),
        },
      );
      assert.match(failure.message, /duration/);
      assert.deepEqual(durations, { refused: ['ONE_DAY'], lengths: undefined });
    });
  }

  test('for its duration names those that are allowed, twelve at most', () => {
    const days = Array.from({ length: 14 }, (_, day) => `P${day + 2}D`);
    const { failure } = creationRefusal(failed('badRequest'), NEW, [
      `${NOT_ALLOWED} Allowed durations: [${days.join(', ')}]`,
    ]);
    assert.match(failure.next ?? '', /^Choose one of these: 2 days, 3 days, .*, 13 days\.$/);
  });

  test('is not told by two sentences that were one', () => {
    assert.equal(
      creationRefusal(failed('badRequest'), NEW, ['Access token duration ', ' ONE_DAY is not allowed.']).durations,
      undefined,
    );
  });

  for (const text of [NO_ROBOT, 'FAILED TO VALIDATE SERVICE ACCOUNT']) {
    test(`because there is no such service account says so: ${text}`, () => {
      const { failure } = creationRefusal(failed('server'), ROBOT, [text]);
      assert.deepEqual(
        [failure.kind, failure.mayHaveActed, failure.status, failure.operation],
        ['badRequest', false, 200, 'createAccessToken'],
      );
      assert.match(failure.message, /service account/);
      assert.match(failure.next ?? '', /service account/);
    });
  }

  for (const [what, request, text] of [
    ['of a personal token', NEW, NO_ROBOT],
    ['in other words', ROBOT, 'Something about robots'],
  ] as const) {
    test(`${what} is not taken for a missing service account`, () => {
      const failure = failed('server', 'Try again.');
      assert.equal(creationRefusal(failure, request, [text]).failure, failure);
    });
  }

  test('as bad input says what to check, unless there is a next step', () => {
    assert.match(creationRefusal(failed('badRequest'), NEW, ['no']).failure.next ?? '', /name.*user.*duration/);
    assert.equal(creationRefusal(failed('badRequest', 'Do this.'), NEW, ['no']).failure.next, 'Do this.');
    assert.equal(creationRefusal(failed('server'), NEW, ['no']).failure.next, undefined);
  });

  for (const kind of ['refused', 'unreachable', 'cancelled', 'unavailable'] as const) {
    test(`is not looked into where it is about something else: ${kind}`, () => {
      const failure = failed(kind);
      const refusal = creationRefusal(failure, ROBOT, [NOT_ALLOWED, NO_ROBOT]);
      assert.deepEqual(refusal, { failure, durations: undefined });
      assert.equal(refusal.failure, failure);
    });
  }
});
