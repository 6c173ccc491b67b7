import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as v from 'valibot';
import { ServiceFailure, type FailureKind } from '../../../../src/service/failure/failure.ts';
import {
  GRAPHQL_ERROR,
  gravestFailure,
  graphqlFailure,
  isAboutRequest,
  type GraphQLError,
} from '../../../../src/service/failure/graphqlFailure.ts';
import { READING } from '../clients.ts';

/** Parses an error of a response. */
function read(error: object): GraphQLError {
  return v.parse(GRAPHQL_ERROR, error);
}

function kindOf(error: object): FailureKind {
  return graphqlFailure(READING, 'd.test', read(error), true).kind;
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
  const MESSAGES = [
    'Validation error (FieldUndefined@[x])',
    'Cannot query field "x" on type "Query".',
    'Unknown type "X".',
    'Unknown argument "x".',
    'Unknown field x',
    'Field "x" is not defined',
    'Variable "$x" is never used',
    "Variable 'x' has an invalid value",
    'Variable $x is missing',
    'GraphQL introspection is not allowed',
    'Syntax Error: Unexpected }',
  ];
  const CLASSIFICATIONS = ['ValidationError', 'InvalidSyntax', 'IntrospectionDisabled'];

  for (const error of [
    ...CLASSIFICATIONS.map((classification) => ({ extensions: { classification } })),
    ...['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED'].map((code) => ({ extensions: { code } })),
    ...MESSAGES.map((message) => ({ message })),
    { message: 'Syntax Error', path: [] },
    { message: 'Syntax Error', path: null },
  ]) {
    test(`is recognized: ${JSON.stringify(error)}`, () => {
      assert.equal(kindOf(error), 'invalidDocument');
      assert.notEqual(kindOf({ ...error, path: ['x'] }), 'invalidDocument', 'what has a path comes from execution');
    });
  }

  for (const error of [
    ...['', 'The server said: Validation error', 'No Field "x"', 'Variable x'].map((message) => ({ message })),
    { message: 'boom', extensions: { code: 500, classification: 'DataFetchingException' } },
    { message: 'boom', extensions: { code: '', classification: '' } },
  ]) {
    test(`is distinguished from another: ${JSON.stringify(error)}`, () =>
      assert.notEqual(kindOf(error), 'invalidDocument'));
  }
});

suite('A failure', () => {
  const OF_REQUEST = ['invalidDocument', 'badRequest', 'refused', 'unsupported', 'unexpectedAnswer'] as const;
  const OF_ALL = ['unreachable', 'signedOut', 'unavailable', 'timedOut', 'throttled'] as const;

  for (const [kind, status, is] of [
    ...OF_REQUEST.map((one) => [one, 403, true] as const),
    ...OF_ALL.map((one) => [one, 200, false] as const),
    // In GraphQL it concerns a field, outside it every request.
    ['server', 200, true],
    ['server', 500, false],
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
