import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  toServiceFailure,
  cancelledFailure,
  failureHeadline,
  isAboutConnection,
  isCancelledMutation,
  ServiceFailure,
  unexpectedResponse,
  type FailureKind,
} from '../../../../src/service/failure/failure.ts';
import { explainFailure } from '../../../../src/service/failure/explainFailure.ts';
import { assertTellable, CREDENTIAL, READING } from '../clients.ts';

suite('A failure', () => {
  test('keeps its facts when one is added', () => {
    const failure = new ServiceFailure('refused', 'No.', {
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
    assert.equal(changed.advice, 'No. Ask again.');
    assert.equal(new ServiceFailure('refused', 'No.').advice, 'No.');
  });

  test('from a bug names its kind and omits its message', () => {
    for (const thrown of [
      new TypeError(`Bearer ${CREDENTIAL}`),
      `Bearer ${CREDENTIAL}`,
      { message: CREDENTIAL },
      undefined,
    ]) {
      const failure = toServiceFailure(thrown);
      assert.ok(!JSON.stringify(failure).includes('eyJ') && !failure.message.includes('eyJ'));
    }
    assert.match(toServiceFailure(new TypeError('x')).message, /TypeError/);
    assertTellable(toServiceFailure(new TypeError('x')));
    assert.equal(toServiceFailure(new TypeError('x')).kind, 'internal');
    const failure = new ServiceFailure('refused', 'No.');
    assert.equal(toServiceFailure(failure), failure);
  });
});

suite('A cancelled request', () => {
  test('has an unknown outcome if it was sent and changes something', () => {
    const revoke = { name: 'revokeAccessToken', actionPhrase: () => 'revoke' };
    assert.ok(isCancelledMutation(cancelledFailure(revoke).with({ mayHaveActed: true })));
    assert.ok(
      isCancelledMutation(
        cancelledFailure({ name: 'createAccessToken', actionPhrase: () => 'create' }).with({ mayHaveActed: true }),
      ),
    );
    assertTellable(cancelledFailure());
    assert.ok(!isCancelledMutation(cancelledFailure(revoke)), 'never sent');
    assert.ok(
      !isCancelledMutation(
        cancelledFailure({ name: 'listAccessTokens', actionPhrase: () => 'list' }).with({ mayHaveActed: true }),
      ),
      'a read',
    );
    assert.ok(
      !isCancelledMutation(
        new ServiceFailure('timedOut', 'No answer.', { operation: 'revokeAccessToken', mayHaveActed: true }),
      ),
    );
  });
});

suite('A refusal', () => {
  test('refers to an administrator, for the missing privilege if it is known', () => {
    for (const operation of [READING, { ...READING, privilege: 'Some Privilege' }]) {
      const failure = explainFailure(operation, { status: 403, author: 'operation' });
      assertTellable(failure);
      assert.equal(failure.next?.includes('administrator'), true);
      assert.equal(failure.next?.includes('"Some Privilege"'), 'privilege' in operation);
      assert.deepEqual(
        [failure.status, failure.privilege],
        [403, 'privilege' in operation ? 'Some Privilege' : undefined],
      );
    }
  });

  test('without a token asks for one', () => {
    const failure = explainFailure(READING, { status: 401, said: 'no' });
    assertTellable(failure);
    assert.deepEqual(
      [failure.kind, failure.status, failure.serverText, failure.operation],
      ['signedOut', 401, 'no', 'reading'],
    );
    assert.match(failure.next ?? '', /^Sign in to continue/);
  });

  test('in an unknown form suggests checking the address', () => assertTellable(unexpectedResponse(READING)));
});

const HEADLINES: Readonly<Record<FailureKind, string>> = {
  badRequest: 'Request rejected',
  unreachable: "Can't reach host",
  tls: 'No secure connection',
  timedOut: 'Timed out',
  cancelled: 'Canceled',
  signedOut: 'Token rejected',
  refused: 'Not allowed',
  notFound: 'Not found',
  throttled: 'Too many requests',
  unavailable: 'Server not ready',
  server: 'Server error',
  internal: 'Internal error',
  redirected: 'Redirected',
  unexpectedAnswer: 'Unexpected response',
  tooLarge: 'Response too large',
  invalidDocument: 'Not supported by the server',
  unsupported: 'Not supported by the server',
  storage: 'Storage error',
  notSent: 'Not sent',
  readOnly: 'Read-only',
};

suite('The headline of a failure', () => {
  for (const [kind, headline] of Object.entries(HEADLINES) as [FailureKind, string][]) {
    test(`of the kind ${kind} is "${headline}", short enough for a row with its status`, () => {
      assert.equal(new ServiceFailure(kind, 'A sentence.').headline, headline);
      const withStatus = new ServiceFailure(kind, 'A sentence.', { status: 500 }).headline;
      assert.equal(withStatus, `${headline} (500)`);
      assert.ok(withStatus.length <= 34, withStatus);
      assert.doesNotMatch(withStatus, /[.:]$/);
    });
  }

  test('omits a status that means success, because GraphQL refuses with it', () => {
    assert.equal(failureHeadline('server', 200), 'Server error');
    assert.equal(failureHeadline('server', undefined), 'Server error');
    assert.equal(failureHeadline('badRequest', 400), 'Request rejected (400)');
  });

  test('may be more specific, and stays when facts are added', () => {
    const failure = new ServiceFailure('server', 'A sentence.', { headline: 'No such index', status: 500 });
    assert.equal(failure.headline, 'No such index');
    assert.equal(failure.with({ next: 'Look.' }).headline, 'No such index');
    assert.equal(failure.because('Truncating failed').headline, 'No such index');
  });

  test('distinguishes a missing token from a rejected one', () => {
    assert.equal(explainFailure(READING, { status: 401, sent: true }).headline, 'Token rejected (401)');
    assert.equal(explainFailure(READING, { status: 401, sent: false }).headline, 'Sign-in required (401)');
    assert.equal(explainFailure(READING, { status: 401, sent: 'expired' }).headline, 'Token expired');
    assert.equal(explainFailure(READING, { status: 401, sent: 'expired' }).status, 401);
  });

  test('of a refusal omits the status to leave room for the missing privilege', () => {
    assert.equal(explainFailure(READING, { status: 403, author: 'operation' }).headline, 'Not allowed (403)');
    assert.equal(
      explainFailure({ ...READING, privilege: 'Some Privilege' }, { status: 403, author: 'operation' }).headline,
      'Not allowed',
    );
    assert.equal(explainFailure(READING, { status: 200, graphql: { code: 403 } }).headline, 'Not allowed');
  });

  test('of a bug does not blame the server', () =>
    assert.equal(toServiceFailure(new TypeError('x')).headline, 'Internal error'));
});

suite('A failure concerns the whole connection', () => {
  const about = new Set<FailureKind>([
    'unreachable',
    'tls',
    'timedOut',
    'signedOut',
    'unavailable',
    'redirected',
    'storage',
  ]);
  for (const kind of Object.keys(HEADLINES) as FailureKind[]) {
    test(`${about.has(kind) ? 'when it is' : 'but not when it is'} ${kind}`, () => {
      assert.equal(isAboutConnection(new ServiceFailure(kind, 'A sentence.')), about.has(kind));
    });
  }
});
