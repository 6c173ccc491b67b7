import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  ServiceFailure,
  asFailure,
  isAboutConnection,
  refused,
  signedOut,
} from '../../../../src/service/failure/failure.ts';
import type { FailureKind } from '../../../../src/service/failure/failure.ts';
import { headlineOf } from '../../../../src/service/failure/headline.ts';
import { READING } from '../clients.ts';

const HEADLINES: Readonly<Record<FailureKind, string>> = {
  badRequest: 'Request rejected',
  unreachable: "Can't reach host",
  tls: 'No secure connection',
  timedOut: 'Timed out',
  cancelled: 'Cancelled',
  signedOut: 'Token rejected',
  refused: 'Not allowed',
  notFound: 'Not found',
  throttled: 'Too many requests',
  unavailable: 'Server not ready',
  server: 'Server error',
  redirected: 'Redirected',
  unexpectedAnswer: 'Unexpected response',
  tooLarge: 'Response too large',
  invalidDocument: 'Not supported by the server',
  unsupported: 'Not supported by the server',
  storage: 'Storage error',
  readOnly: 'Read-only',
};

suite('The headline of a failure', () => {
  for (const [kind, headline] of Object.entries(HEADLINES) as [FailureKind, string][]) {
    test(`of the kind ${kind} is "${headline}", which fits into a row with its status`, () => {
      assert.equal(new ServiceFailure(kind, 'A sentence.').headline, headline);
      const withStatus = new ServiceFailure(kind, 'A sentence.', { status: 500 }).headline;
      assert.equal(withStatus, `${headline} (500)`);
      assert.ok(withStatus.length <= 34, withStatus);
      assert.doesNotMatch(withStatus, /[.:]$/);
    });
  }

  test('names no status that says "success": GraphQL refuses with one', () => {
    assert.equal(headlineOf('server', 200), 'Server error');
    assert.equal(headlineOf('server', undefined), 'Server error');
    assert.equal(headlineOf('badRequest', 400), 'Request rejected (400)');
  });

  test('is another where more is known, and stays when facts are added', () => {
    const failure = new ServiceFailure('server', 'A sentence.', { headline: 'No such index', status: 500 });
    assert.equal(failure.headline, 'No such index');
    assert.equal(failure.with({ next: 'Look.' }).headline, 'No such index');
    assert.equal(failure.because('Truncating failed').headline, 'No such index');
  });

  test('tells who has no token from whose token is not accepted', () => {
    assert.equal(signedOut(READING, true).headline, 'Token rejected (401)');
    assert.equal(signedOut(READING, false).headline, 'Sign-in required (401)');
  });

  test('of a refusal leaves the place of the number to the privilege that is missing', () => {
    assert.equal(refused(READING, undefined).headline, 'Not allowed (403)');
    assert.equal(refused({ ...READING, privilege: 'Some Privilege' }, undefined).headline, 'Not allowed');
    assert.equal(refused(READING, undefined, 200).headline, 'Not allowed');
  });

  test('of a bug blames no server', () => assert.equal(asFailure(new TypeError('x')).headline, 'Internal error'));
});

suite('A failure is about the whole connection', () => {
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
