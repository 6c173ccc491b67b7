import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as v from 'valibot';
import { ServiceFailure, type FailureKind } from '../../../../src/service/failure/failure.ts';
import {
  GRAPHQL_ERROR,
  InvalidDocumentFailure,
  graphqlFailure,
  gravestFailure,
  isAboutDocument,
  isAboutRequest,
  type GraphQLError,
} from '../../../../src/service/failure/graphqlFailure.ts';
import { READING, failureOf } from '../clients.ts';

/** Parses an error of a response. */
function read(error: object): GraphQLError {
  return v.parse(GRAPHQL_ERROR, error);
}

function ofKind(kind: FailureKind, status = 200): ServiceFailure {
  return new ServiceFailure(kind, `${kind}.`, { status });
}

suite('The code or the type of an error', () => {
  for (const [extensions, kind, mayHaveActed, transient] of [
    [{ code: 403 }, 'refused', false, false],
    [{ type: 'UNAUTHORIZED' }, 'refused', false, false],
    [{ code: 'FORBIDDEN' }, 'refused', false, false],
    [{ code: 401 }, 'signedOut', false, false],
    [{ code: 'UNAUTHENTICATED' }, 'signedOut', false, false],
    [{ code: 400 }, 'badRequest', false, false],
    [{ type: 'BAD_REQUEST' }, 'badRequest', false, false],
    [{ code: 'BAD_USER_INPUT' }, 'badRequest', false, false],
    [{ code: 404 }, 'notFound', false, false],
    [{ type: 'NOT_FOUND' }, 'notFound', false, false],
    [{ code: 409 }, 'badRequest', false, false],
    [{ type: 'CONFLICT' }, 'badRequest', false, false],
    [{ code: 429 }, 'throttled', false, true],
    [{ type: 'TOO_MANY_REQUESTS' }, 'throttled', false, true],
    // Each is one of the two.
    [{ code: 'UNAUTHORIZED' }, 'server', true, false],
    [{ code: 'CONFLICT' }, 'server', true, false],
    [{ type: 'FORBIDDEN' }, 'server', true, false],
    [{ type: 'UNAUTHENTICATED' }, 'server', true, false],
    [{ code: 503, type: 'FORBIDDEN' }, 'unavailable', true, true],
    [{ code: 503 }, 'unavailable', true, true],
    [{ code: 504 }, 'unavailable', true, true],
    [{ type: 'SERVICE_UNAVAILABLE' }, 'unavailable', true, true],
    [{ type: 'DEADLINE_EXCEEDED' }, 'unavailable', true, true],
    [{ code: 500, type: 'SERVER_ERROR' }, 'server', true, false],
    [{ code: '', type: '' }, 'server', true, false],
    [{}, 'server', true, false],
  ] as const) {
    test(`determines its kind: ${JSON.stringify(extensions)} is ${kind}`, async () => {
      const failure = await failureOf(
        Promise.reject(graphqlFailure(READING, read({ message: 'boom', extensions }), 'boom', true)),
      );
      assert.deepEqual([failure.kind, failure.mayHaveActed, failure.transient], [kind, mayHaveActed, transient]);
      assert.deepEqual([failure.operation, failure.serverText], ['reading', 'boom']);
    });
  }

  test('is followed by the words of the server, if any', () => {
    for (const extensions of [{ code: 400 }, { code: 404 }, { code: 409 }, { code: 503 }, { code: 500 }]) {
      assert.match(graphqlFailure(READING, read({ extensions }), 'boom', true).message, /"reading".*: boom$/);
      assert.match(graphqlFailure(READING, read({ extensions }), undefined, true).message, /"reading".*\.$/);
    }
  });

  test('for a signed-out caller asks for a token only if none was sent', () => {
    const failure = (withCredential: boolean): ServiceFailure =>
      graphqlFailure(READING, read({ extensions: { code: 401 } }), undefined, withCredential);
    assert.match(failure(true).message, /Access token rejected/);
    assert.match(failure(false).message, /requires an access token/);
  });
});

suite('A malformed part of an error', () => {
  test('counts as missing', () => {
    const nothing = { message: '', path: undefined, extensions: {} };
    assert.deepEqual(read({ message: 7, path: 'x', extensions: 'y' }), nothing);
    assert.deepEqual(read({ path: null }), { ...nothing, path: null });
  });
});

suite('An error about the document', () => {
  for (const error of [
    { message: '', extensions: { classification: 'ValidationError' } },
    { message: '', extensions: { classification: 'InvalidSyntax' } },
    { message: '', extensions: { classification: 'IntrospectionDisabled' } },
    { message: '', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    { message: '', extensions: { code: 'GRAPHQL_PARSE_FAILED' } },
    { message: 'Validation error (FieldUndefined@[x])' },
    { message: 'Cannot query field "x" on type "Query".' },
    { message: 'Unknown type "X".' },
    { message: 'Unknown argument "x".' },
    { message: 'Unknown field x' },
    { message: 'Field "x" is not defined' },
    { message: 'Variable "$x" is never used' },
    { message: "Variable 'x' has an invalid value" },
    { message: 'Variable $x is missing' },
    { message: 'GraphQL introspection is not allowed' },
    { message: 'Syntax Error: Unexpected }' },
    { message: 'Syntax Error', path: [] },
    { message: 'Syntax Error', path: null },
  ]) {
    test(`is recognized: ${JSON.stringify(error)}`, () => {
      assert.ok(isAboutDocument(read(error)));
      assert.ok(!isAboutDocument(read({ ...error, path: ['x'] })), 'what has a path comes from execution');
    });
  }

  for (const error of [
    { message: '' },
    { message: 'boom', extensions: { code: 500, classification: 'DataFetchingException' } },
    { message: 'The server said: Validation error' },
    { message: 'No Field "x"' },
    { message: 'Variable x' },
    { message: 'boom', extensions: { code: '', classification: '' } },
  ]) {
    test(`is distinguished from another error: ${JSON.stringify(error)}`, () =>
      assert.ok(!isAboutDocument(read(error))));
  }

  test('suggests what to do, and keeps the complaints out of texts', async () => {
    const failure = await failureOf(Promise.reject(new InvalidDocumentFailure(READING, ['secret'], undefined)));
    assert.match(failure.next ?? '', /Test the connection/);
    assert.ok(failure instanceof InvalidDocumentFailure && !JSON.stringify(failure).includes('secret'));
  });
});

suite('A failure about the request', () => {
  for (const kind of ['invalidDocument', 'badRequest', 'refused', 'unsupported', 'unexpectedAnswer'] as const) {
    test(`is ${kind}`, () => assert.ok(isAboutRequest(ofKind(kind, 403))));
  }

  test('is a server error only in GraphQL: others affect every request', () => {
    assert.ok(isAboutRequest(ofKind('server', 200)));
    assert.ok(!isAboutRequest(ofKind('server', 500)));
    for (const kind of ['unreachable', 'signedOut', 'unavailable', 'timedOut', 'throttled'] as const) {
      assert.ok(!isAboutRequest(ofKind(kind, 200)), kind);
    }
  });

  test('is not a bug of the extension', () => {
    assert.ok(!isAboutRequest(Object.assign(new Error('x'), { kind: 'refused', status: 200 })));
    assert.ok(!isAboutRequest(undefined));
  });
});

suite('The gravest of several failures', () => {
  const [server, refused, signedOut, invalid] = [
    ofKind('server'),
    ofKind('refused'),
    ofKind('signedOut'),
    ofKind('invalidDocument'),
  ];

  for (const [failures, told] of [
    [[server, refused, signedOut, invalid], invalid],
    [[server, refused, signedOut], signedOut],
    [[signedOut, invalid], invalid],
    [[server, refused], refused],
    [[ofKind('notFound'), server], 'the first'],
    [[], undefined],
  ] as const) {
    test(`is the one about the caller: ${failures.map(({ kind }) => kind).join(', ') || 'none'}`, () => {
      assert.equal(gravestFailure(failures), told === 'the first' ? failures[0] : told);
    });
  }
});
