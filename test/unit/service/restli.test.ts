import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isFromOperations, isNowhere, lacksAction, valueIn } from '../../../src/service/restli.ts';
import type { Answer } from '../../../src/service/http/transport.ts';

const ACTION = { name: 'getIndexSizes', doing: () => 'read' };
const TASK = 'qhxGdzytQS-pQek8CwBCZg:533446';
const ERROR = { exceptionClass: 'com.linkedin.restli.server.RestLiServiceException' };

function answer(status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    text: typeof body === 'string' ? body : JSON.stringify(body),
    headers: new Headers(headers),
    withCredential: true,
  };
}

suite('The value of an action', () => {
  for (const [status, body, value] of [
    [200, { value: 7 }, { value: 7 }],
    [200, { value: null, more: 1 }, { value: null }],
    [204, { value: 7 }, { value: 7 }],
    [299, { value: 7 }, { value: 7 }],
    [199, { value: 7 }, undefined],
    [300, { value: 7 }, undefined],
    [404, { value: 7 }, undefined],
    [500, { value: 7 }, undefined],
    [200, '"text"', { value: 'text' }],
    [200, ` ${TASK}\n`, { value: TASK }],
    [200, 'hello', undefined],
    [200, { indexSizes: [] }, undefined],
    [200, '[7]', undefined],
    [200, '', undefined],
  ] as const) {
    test(`in ${status} ${JSON.stringify(body)} is ${JSON.stringify(value)}`, () =>
      assert.deepEqual(valueIn(answer(status, body)), value));
  }
});

suite('An endpoint of operations', () => {
  for (const [what, one, isOne] of [
    ['a value', answer(200, { value: 7 }), true],
    ['an error of Rest.li', answer(500, ERROR), true],
    ['an error that is marked by a header', answer(400, '', { 'x-restli-error-response': 'true' }), true],
    ['an error that is marked otherwise', answer(400, '', { 'x-restli-error-response': 'false' }), false],
    ['an error without a class', answer(500, { message: 'boom' }), false],
    ['an error with another class', answer(500, { exceptionClass: 7 }), false],
    ['a page', answer(200, '<html>'), false],
    ['an error of Rest.li that claims success', answer(200, ERROR), false],
    ['a redirect that is marked', answer(399, ERROR, { 'x-restli-error-response': 'true' }), false],
  ] as const) {
    test(`${isOne ? 'gives' : 'does not give'} ${what}`, () => assert.equal(isFromOperations(one), isOne));
  }

  for (const [one, isOne] of [
    [answer(404), true],
    [answer(405), true],
    [answer(410), true],
    [answer(200, '<html>'), true],
    [answer(299, '<html>'), true],
    [answer(199), false],
    [answer(300), false],
    [answer(400), false],
    [answer(401), false],
    [answer(500), false],
    [answer(404, ERROR), false],
    [answer(200, { value: 7 }), false],
  ] as const) {
    test(`is ${isOne ? '' : 'not '}missing where the answer is ${one.status} "${one.text}"`, () =>
      assert.equal(isNowhere(one), isOne));
  }
});

suite('An action', () => {
  for (const [status, body, isMissing] of [
    [404, '', true],
    [405, '<html>', true],
    [400, '', false],
    [403, '', false],
    [500, { ...ERROR, message: 'getIndexSizes is not supported' }, false],
    [400, { ...ERROR, message: 'POST action getIndexSizes operation NOT SUPPORTED for URI: /operations' }, true],
    [405, { ...ERROR, message: 'getIndexSizes not supported' }, true],
    [400, { ...ERROR, message: 'this strategy is not supported' }, false],
    [400, { ...ERROR, message: 'UNKNOWN ACTION' }, true],
    [400, { ...ERROR, message: 'No such action' }, true],
    [400, { ...ERROR, message: 'no such operation' }, true],
    [400, { ...ERROR, message: 'getIndexSizes failed' }, false],
    [404, { ...ERROR, message: 'getIndexSizes is not here' }, true],
    [404, { ...ERROR, message: 'Index not found' }, false],
    [404, ERROR, false],
    [404, { ...ERROR, message: 7 }, false],
  ] as const) {
    test(`is ${isMissing ? '' : 'not '}missing where the answer is ${status} ${JSON.stringify(body)}`, () => {
      assert.equal(lacksAction(answer(status, body), ACTION), isMissing);
    });
  }
});
