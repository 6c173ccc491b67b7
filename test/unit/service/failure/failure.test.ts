import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  ServiceFailure,
  asFailure,
  cancelled,
  isCutOff,
  refused,
  signedOut,
  unexpectedAnswer,
} from '../../../../src/service/failure/failure.ts';
import { failureReport } from '../../../../src/service/failure/failureReport.ts';
import { CREDENTIAL, READING, assertTellable } from '../clients.ts';

const WHEN = Date.UTC(2026, 10, 21, 10, 30);

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

  test('made of a bug tells which kind of one, and nothing that it said', () => {
    for (const thrown of [
      new TypeError(`Bearer ${CREDENTIAL}`),
      `Bearer ${CREDENTIAL}`,
      { message: CREDENTIAL },
      undefined,
    ]) {
      const failure = asFailure(thrown);
      assert.ok(!JSON.stringify(failure).includes('eyJ') && !failure.message.includes('eyJ'));
    }
    assert.match(asFailure(new TypeError('x')).message, /TypeError/);
    assertTellable(asFailure(new TypeError('x')));
    assert.equal(asFailure(new TypeError('x')).kind, 'server');
    const failure = new ServiceFailure('refused', 'No.');
    assert.equal(asFailure(failure), failure);
  });
});

suite('A cancelled request', () => {
  test('is cut off when it was sent and changes something, and else just cancelled', () => {
    const revoke = { name: 'revokeAccessToken', doing: () => 'revoke' };
    assert.ok(isCutOff(cancelled(revoke).with({ mayHaveActed: true })));
    assert.ok(isCutOff(cancelled({ name: 'createAccessToken', doing: () => 'create' }).with({ mayHaveActed: true })));
    assertTellable(cancelled());
    assert.ok(!isCutOff(cancelled(revoke)), 'never sent');
    assert.ok(
      !isCutOff(cancelled({ name: 'listAccessTokens', doing: () => 'list' }).with({ mayHaveActed: true })),
      'a read',
    );
    assert.ok(
      !isCutOff(new ServiceFailure('timedOut', 'No answer.', { operation: 'revokeAccessToken', mayHaveActed: true })),
    );
  });
});

suite('A refusal', () => {
  test('sends to an administrator, for the privilege that is missing if there is one', () => {
    for (const operation of [READING, { ...READING, privilege: 'Some Privilege' }]) {
      const failure = refused(operation, undefined);
      assertTellable(failure);
      assert.equal(failure.next?.includes('administrator'), true);
      assert.equal(failure.next?.includes('"Some Privilege"'), 'privilege' in operation);
      assert.deepEqual(
        [failure.status, failure.privilege],
        [403, 'privilege' in operation ? 'Some Privilege' : undefined],
      );
    }
  });

  test('of somebody without a token asks for one', () => {
    const failure = signedOut(READING, false, 'no');
    assertTellable(failure);
    assert.deepEqual(
      [failure.kind, failure.status, failure.serverText, failure.operation],
      ['signedOut', 401, 'no', 'reading'],
    );
    assert.match(failure.next ?? '', /^Sign in to continue/);
  });

  test('that nobody understands leads to the address', () => assertTellable(unexpectedAnswer(READING)));
});

suite('The report of a failure', () => {
  const failure = new ServiceFailure('throttled', 'Too many requests for this server.', {
    next: 'Try again in 7 s.',
    operation: 'listAccessTokens',
    status: 429,
    serverText: 'Slow down',
    retryAfterMillis: 6_500,
    mayHaveActed: true,
  });

  test('has a line for each fact that is known', () => {
    assert.equal(
      failureReport(failure, { connection: 'Production', product: 'DataHub', version: 'v1.7.0.1', when: WHEN }),
      [
        'What happened: Too many requests for this server.',
        'Next step: Try again in 7 s.',
        'Operation: listAccessTokens',
        'Kind: throttled',
        'HTTP status: 429',
        'Server says: Slow down',
        'Retry after: 7 s',
        'Outcome: unknown: the server may have acted',
        'Connection: Production',
        'Server: DataHub v1.7.0.1',
        'Time: 2026-11-21T10:30:00.000Z',
      ].join('\n'),
    );
    const bare = new ServiceFailure('refused', 'No.', { privilege: 'Manage All Access Tokens', serverText: '' });
    assert.equal(
      failureReport(bare, { product: '', version: '', when: WHEN }),
      'What happened: No.\nKind: refused\nMissing privilege: Manage All Access Tokens\nTime: 2026-11-21T10:30:00.000Z',
    );
    assert.match(failureReport(bare, { product: 'DataHub', version: '', when: WHEN }), /^Server: DataHub$/m);
    assert.equal(
      failureReport(new ServiceFailure('cancelled', 'Cancelled.'), { when: WHEN, operation: 'Create Token' }),
      'What happened: Cancelled.\nOperation: Create Token\nKind: cancelled\nTime: 2026-11-21T10:30:00.000Z',
    );
  });

  test('stays on its lines and holds no token, whatever the facts are', () => {
    const report = failureReport(failure.with({ serverText: `line\nTime: never ${CREDENTIAL}` }), {
      connection: `prod\r\nKind: fake ${CREDENTIAL}`,
      version: `v1 Bearer ${CREDENTIAL}`,
      when: WHEN,
    });
    assert.equal(report.split('\n').length, 11);
    assert.ok(!report.includes('eyJ'));
  });
});
