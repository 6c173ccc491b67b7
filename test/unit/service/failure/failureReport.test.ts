import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { failureReport } from '../../../../src/service/failure/failureReport.ts';
import { CREDENTIAL } from '../clients.ts';

const SETUP = { extension: '0.3.0', vscode: '1.105.0', place: 'desktop', release: 'v1.6.0.16rc6' };

suite('The report of a failure', () => {
  const failure = new ServiceFailure('throttled', 'Too many requests for this server.', {
    next: 'Try again in 7 s.',
    operation: 'createAccessToken',
    status: 429,
    serverText: 'Slow down',
    mayHaveActed: true,
  });

  test('has a line for each known fact', () => {
    assert.equal(
      failureReport(failure, SETUP),
      [
        'Extension: 0.3.0',
        'VS Code: 1.105.0',
        'Runs on: desktop',
        'Server: v1.6.0.16rc6',
        'Operation: createAccessToken',
        'Kind: throttled',
        'HTTP status: 429',
      ].join('\n'),
    );
    const bare = new ServiceFailure('refused', 'No.', { privilege: 'Manage All Access Tokens' });
    assert.match(failureReport(bare, SETUP), /^Kind: refused\nMissing privilege: Manage All Access Tokens$/m);
  });

  for (const [said, reported] of [
    ['v0.14.0', 'v0.14.0'],
    ['1.4.0', '1.4.0'],
    ['v1.3.0.1-4-gabcdef', 'v1.3.0.1'],
    ['v1.2.0-datahub.example.com', 'v1.2.0'],
    [undefined, 'unknown release'],
    ['10.20.30.40', 'unknown release'],
    ['10.20.30.40.example.com', 'unknown release'],
    ['head', 'unknown release'],
  ] as const) {
    test(`has the numbers of a server's release alone: ${said}`, () =>
      assert.match(failureReport(failure, { ...SETUP, release: said }), new RegExp(`^Server: ${reported}$`, 'm')));
  }

  test('has no address, user or token, wherever they were said', () => {
    const secret = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.webUrl({ withQueryParameters: true }),
      fc.emailAddress(),
      fc.constantFrom(CREDENTIAL, `Bearer ${CREDENTIAL}`, 'urn:li:corpuser:jdoe'),
    );
    const around = fc.constantFrom('', 'v1 ', 'line\nKind: ');
    fc.assert(
      fc.property(secret, around, (said, before) => {
        const text = before + said;
        const facts = { headline: text, next: text, serverText: text };
        const told = new ServiceFailure('server', text, { ...facts, operation: 'listAccessTokens', status: 500 });
        const report = failureReport(told.because(text), { ...SETUP, release: text });
        assert.ok(!report.includes(said), report);
        assert.deepEqual(
          report.split('\n').map((line) => line.split(':')[0]),
          ['Extension', 'VS Code', 'Runs on', 'Server', 'Operation', 'Kind', 'HTTP status'],
        );
      }),
    );
  });
});
