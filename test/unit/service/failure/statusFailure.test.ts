import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import type { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { readableServerText } from '../../../../src/service/failure/redaction.ts';
import { statusFailure } from '../../../../src/service/failure/statusFailure.ts';
import { CREDENTIAL, READING } from '../clients.ts';

const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);

function failureFor(status: number, text: string, retryAfter?: string): ServiceFailure {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  const show = (one: string): string | undefined => readableServerText(one, [CREDENTIAL]);
  return statusFailure({ status, text, headers, withCredential: true }, READING, 'd.test', show, NOW);
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

suite('Retry-After', () => {
  const pause = (header?: string, status = 503): number | undefined => failureFor(status, '', header).retryAfterMillis;

  for (const [header, millis] of [
    ['120', 120_000],
    [' 0 ', 0],
    ['86400', 86_400_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    // Has passed.
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ] as const) {
    test(`is seconds or a date: ${header}`, () => assert.equal(pause(header), millis));
  }

  for (const header of [
    '',
    'soon',
    '-5',
    '1.5',
    '5 apples',
    '1e3',
    '999999999999',
    '86401',
    'Sat, 21 Nov 2126 10:00:30 GMT',
    'Xyz, 99 Foo 2026 99:99:99 GMT',
    'on Sat, 21 Nov 2026 10:00:30 GMT',
    'Sat, 21 Nov 2026 10:00:30 GMT+0000',
    '2026-11-21T10:00:30Z',
  ]) {
    test(`means no pause if it is "${header}"`, () => assert.equal(pause(header), undefined));
  }

  test('counts only where the same request may succeed later', () => {
    for (const status of [429, 502, 503, 504]) {
      assert.equal(pause('7', status), 7_000);
    }
    for (const status of [400, 403, 500]) {
      assert.equal(pause('7', status), undefined);
    }
  });

  test('is never negative, endless or more than a day', () => {
    assert.equal(pause(), undefined);
    const header = fc.oneof(
      fc.stringMatching(/^[\x20-\x7E]*$/),
      fc.integer().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(header, (said) => {
        const millis = pause(said);
        assert.ok(millis === undefined || (millis >= 0 && millis <= 86_400_000));
      }),
    );
  });
});
