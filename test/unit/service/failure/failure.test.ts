import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  toServiceFailure,
  isCancelledMutation,
  ServiceFailure,
  type FailureKind,
  cancelledFailure,
} from '../../../../src/service/failure/failure.ts';
import { assertTellable, CREDENTIAL } from '../clients.ts';

const KINDS = (
  'unreachable tls timedOut signedOut unavailable redirected storage badRequest cancelled refused notFound throttled ' +
  'server internal unexpectedAnswer tooLarge invalidDocument unsupported notSent readOnly'
).split(' ') as FailureKind[];

suite('A failure', () => {
  test('keeps its facts when one is added, and as the reason for another', () => {
    const failure = new ServiceFailure('refused', 'No.', {
      headline: 'No such index',
      next: 'Ask.',
      operation: 'x',
      status: 403,
      serverText: 'no',
      privilege: 'P',
      retryAfterMillis: 5,
      mayHaveActed: true,
      transient: true,
    });
    const changed = failure.with({ next: 'Ask again.' });
    assert.deepEqual({ ...changed }, { ...failure, next: 'Ask again.' });
    assert.deepEqual([changed.advice, changed.headline], ['No. Ask again.', 'No such index']);
    const reason = failure.because('Truncating failed');
    assert.deepEqual({ ...reason }, { ...failure });
    assert.deepEqual([reason.advice, reason.headline], ['Truncating failed: No. Ask.', 'No such index']);
  });

  test('from a bug names its kind and omits its message', () => {
    for (const thrown of [new TypeError(`Bearer ${CREDENTIAL}`), CREDENTIAL, { message: CREDENTIAL }, undefined]) {
      const failure = toServiceFailure(thrown);
      assertTellable(failure);
      assert.equal(failure.kind, 'internal');
      assert.ok(!JSON.stringify(failure).includes('eyJ') && !failure.message.includes('eyJ'));
    }
    assert.match(toServiceFailure(new TypeError('x')).message, /TypeError/);
    const failure = new ServiceFailure('refused', 'No.');
    assert.equal(toServiceFailure(failure), failure);
  });

  for (const kind of KINDS) {
    test(`that is ${kind} has a headline short enough for a row`, () => {
      assert.match(new ServiceFailure(kind, 'A sentence.', { status: 500 }).headline, /^.{4,28} \(500\)$/);
    });
  }

  for (const [message, name, isNamed] of [
    ["Can't reach prod.example.com.", 'prod', false],
    ["Can't reach api.prod:8080.", 'prod', false],
    ['The products are gone.', 'prod', false],
    ["Can't reach (a+b)/c.example.com.", '(a+b)/c', false],
    ['prod: This connection is read-only.', 'prod', true],
    ['The result is unknown on "prod".', 'prod', true],
    ['Connected to prod.', 'prod', true],
    ['Connected to (a+b)/c.', '(a+b)/c', true],
  ] as const) {
    test(`${isNamed ? 'names the connection already' : 'is given the name of the connection'}: ${message}`, () => {
      const named = new ServiceFailure('refused', message).naming(name).message;
      assert.equal(named, isNamed ? message : `${name}: ${message}`);
    });
  }

  test('has no number of a success in its headline: GraphQL refuses with it', () => {
    assert.equal(new ServiceFailure('server', 'A sentence.', { status: 200 }).headline, 'Server error');
  });
});

suite('A cancelled request', () => {
  for (const [what, name, mayHaveActed, isUnknown] of [
    ['a sent revocation', 'revokeAccessToken', true, true],
    ['a sent creation', 'createAccessToken', true, true],
    ['a revocation that was never sent', 'revokeAccessToken', false, false],
    ['a read', 'listAccessTokens', true, false],
  ] as const) {
    test(`has ${isUnknown ? 'an unknown' : 'no'} outcome: ${what}`, () => {
      const failure = cancelledFailure({ name, actionPhrase: () => 'x' }).with({ mayHaveActed });
      assert.equal(isCancelledMutation(failure), isUnknown);
    });
  }

  test('is not one that timed out', () => {
    const facts = { operation: 'revokeAccessToken', mayHaveActed: true };
    assert.ok(!isCancelledMutation(new ServiceFailure('timedOut', 'No answer.', facts)));
  });
});
