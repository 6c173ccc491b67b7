import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { statusFailure } from '../../../../src/service/failure/errorResponse.ts';
import { CREDENTIAL, READING } from '../clients.ts';

function failureFor(status: number, text: string, retryAfter?: string): ServiceFailure {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  return statusFailure({ status, text, headers, withCredential: true }, READING, 'd.test');
}

suite('The body of a refusal', () => {
  for (const [whose, text, said] of [
    ['Rest.li', '{"exceptionClass":"x","message":"User is unauthorized","status":403}', 'User is unauthorized'],
    ['Jetty, as a page', '<html><h2>HTTP ERROR 401 no</h2><table><th>URI:</th></table>', 'HTTP ERROR 401 no URI:'],
    ['Jetty, as JSON', '{"url":"/api/graphql","status":"401","message":"no"}', 'no'],
    ['Spring', '{"timestamp":"x","status":500,"error":"Server Error","path":"/x"}', 'Server Error'],
    ['GraphQL', '{"errors":[{"message":"Query too deep"}]}', 'Query too deep'],
    ['a front end', 'Proxy request timed out.', 'Proxy request timed out.'],
    ['JSON text', '"Not today"', 'Not today'],
    ['JSON for machines', '{"code":17,"detail":{"x":1}}', undefined],
    ['invalid JSON', '{"errors":[],"message":{}}', undefined],
    ['a list', '[1,2]', undefined],
    ['a number', '7', undefined],
    ['nothing, as JSON', 'null', undefined],
    ['GraphQL, without an error', '{"errors":[null]}', undefined],
    ['GraphQL, without a message', '{"errors":[{}],"error":"Bad Request"}', 'Bad Request'],
    ['nobody', '', undefined],
  ] as const) {
    test(`by ${whose} is read for its message`, () => assert.equal(failureFor(500, text).serverText, said));
  }

  test('has no stack trace, no markup and no secret', () => {
    const message = `<b>boom</b> ${CREDENTIAL}\n\tat com.linkedin.X.y(X.java:1)`;
    const failure = failureFor(500, JSON.stringify({ message }));
    assert.equal(failure.serverText, 'boom <redacted>');
    assert.ok(!JSON.stringify(failure).includes('linkedin'));
  });
});

for (const [header, millis] of [
  ['120', 120_000],
  [' 0 ', 0],
  [undefined, undefined],
  ['', undefined],
  ['soon', undefined],
  ['1.5', undefined],
  ['5 apples', undefined],
  ['999999999999', undefined],
  ['Sat, 21 Nov 2026 10:00:30 GMT', undefined],
] as const) {
  test(`Retry-After is in seconds: ${header}`, () =>
    assert.equal(failureFor(503, '', header).retryAfterMillis, millis));
}
