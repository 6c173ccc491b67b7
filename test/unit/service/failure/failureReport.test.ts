import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { failureReport } from '../../../../src/service/failure/failureReport.ts';
import { CREDENTIAL } from '../clients.ts';

const WHEN = Date.UTC(2026, 10, 21, 10, 30);

suite('The report of a failure', () => {
  const failure = new ServiceFailure('throttled', 'Too many requests for this server.', {
    next: 'Try again in 7 s.',
    operation: 'listAccessTokens',
    status: 429,
    serverText: 'Slow down',
    retryAfterMillis: 6_500,
    mayHaveActed: true,
  });

  test('has a line for each known fact', () => {
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

  test('keeps its lines and has no token, whatever the facts are', () => {
    const report = failureReport(failure.with({ serverText: `line\nTime: never ${CREDENTIAL}` }), {
      connection: `prod\r\nKind: fake ${CREDENTIAL}`,
      version: `v1 Bearer ${CREDENTIAL}`,
      when: WHEN,
    });
    assert.equal(report.split('\n').length, 11);
    assert.ok(!report.includes('eyJ'));
  });
});
