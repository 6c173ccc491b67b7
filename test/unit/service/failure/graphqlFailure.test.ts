import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as v from 'valibot';
import { ServiceFailure, type FailureKind } from '../../../../src/service/failure/failure.ts';
import {
  GRAPHQL_ERROR,
  gravestFailure,
  isAboutDocument,
  isAboutRequest,
  type GraphQLError,
} from '../../../../src/service/failure/graphqlFailure.ts';

/** Parses an error of a response. */
function read(error: object): GraphQLError {
  return v.parse(GRAPHQL_ERROR, error);
}

function ofKind(kind: FailureKind, status = 200): ServiceFailure {
  return new ServiceFailure(kind, `${kind}.`, { status });
}

test('A malformed part of an error counts as missing', () => {
  const nothing = { message: '', path: undefined, extensions: {} };
  assert.deepEqual(read({ message: 7, path: 'x', extensions: 'y' }), nothing);
  assert.deepEqual(read({ path: null }), { ...nothing, path: null });
});

suite('An error about the document', () => {
  for (const error of [
    { extensions: { classification: 'ValidationError' } },
    { extensions: { classification: 'InvalidSyntax' } },
    { extensions: { classification: 'IntrospectionDisabled' } },
    { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    { extensions: { code: 'GRAPHQL_PARSE_FAILED' } },
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
    test(`is distinguished from another: ${JSON.stringify(error)}`, () => assert.ok(!isAboutDocument(read(error))));
  }
});

suite('A failure', () => {
  for (const [kind, status, is] of [
    ['invalidDocument', 403, true],
    ['badRequest', 403, true],
    ['refused', 403, true],
    ['unsupported', 403, true],
    ['unexpectedAnswer', 403, true],
    ['server', 200, true],
    // Outside GraphQL it affects every request.
    ['server', 500, false],
    ['unreachable', 200, false],
    ['signedOut', 200, false],
    ['unavailable', 200, false],
    ['timedOut', 200, false],
    ['throttled', 200, false],
  ] as const) {
    test(`of the kind ${kind} with status ${status} is about ${is ? 'this request' : 'every request'}`, () =>
      assert.equal(isAboutRequest(ofKind(kind, status)), is));
  }

  test('of a bug is not about the request', () => {
    assert.ok(!isAboutRequest(Object.assign(new Error('x'), { kind: 'refused', status: 200 })));
    assert.ok(!isAboutRequest(undefined));
  });

  for (const [kinds, told] of [
    [['server', 'refused', 'signedOut', 'invalidDocument'], 'invalidDocument'],
    [['server', 'refused', 'signedOut'], 'signedOut'],
    [['server', 'refused'], 'refused'],
    [['notFound', 'server'], 'notFound'],
    [[], undefined],
  ] as const) {
    test(`about the caller comes before one about a field: ${kinds.join(', ') || 'none'}`, () =>
      assert.equal(gravestFailure(kinds.map((kind) => ofKind(kind)))?.kind, told));
  }
});
