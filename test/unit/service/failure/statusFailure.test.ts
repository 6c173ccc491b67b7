import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import type { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { readableServerText } from '../../../../src/service/failure/redaction.ts';
import { parseRetryAfter, statusFailure } from '../../../../src/service/failure/statusFailure.ts';
import { assertTellable, CREDENTIAL, READING } from '../clients.ts';

function failureFor(
  status: number,
  text = '',
  headers: Record<string, string> = {},
  withCredential = true,
): ServiceFailure {
  const operation = { ...READING, privilege: 'Some Privilege' };
  const failure = statusFailure({ status, text, headers: new Headers(headers), withCredential }, operation, (one) =>
    readableServerText(one, [CREDENTIAL]),
  );
  assertTellable(failure);
  return failure;
}

const JETTY =
  '<html><head><title>Error 401</title></head><body><h2>HTTP ERROR 401 Unauthorized to perform this action.</h2><table><tr><th>URI:</th></tr></table></body></html>';
const RESTLI = {
  exceptionClass: 'com.linkedin.restli.server.RestLiServiceException',
  stackTrace: 'com.linkedin.X\n\tat com.linkedin.X.y(X.java:1)',
  message: 'User is unauthorized to truncate timeseries index',
  status: 403,
};

suite('A status', () => {
  for (const [status, kind, mayHaveActed, transient] of [
    [300, 'unexpectedAnswer', true, false],
    [400, 'badRequest', false, false],
    [401, 'signedOut', false, false],
    [403, 'refused', false, false],
    [404, 'notFound', false, false],
    [405, 'notFound', false, false],
    [410, 'notFound', false, false],
    [407, 'unreachable', false, false],
    [408, 'timedOut', true, true],
    [409, 'badRequest', false, false],
    [413, 'badRequest', false, false],
    [421, 'unavailable', true, true],
    [425, 'unavailable', true, true],
    [429, 'throttled', false, true],
    [431, 'badRequest', false, false],
    [451, 'badRequest', false, false],
    [460, 'badRequest', true, false],
    [499, 'badRequest', true, false],
    [500, 'server', true, false],
    [502, 'unavailable', true, true],
    [503, 'unavailable', true, true],
    [504, 'unavailable', true, true],
    [520, 'server', true, false],
  ] as const) {
    const action = mayHaveActed ? ', and the request may have been carried out' : '';
    const later = transient ? '; it may succeed a moment later' : '';
    test(`${status} is ${kind}${action}${later}`, () => {
      const failure = failureFor(status);
      assert.deepEqual(
        [failure.kind, failure.mayHaveActed, failure.transient, failure.status, failure.operation],
        [kind, mayHaveActed, transient, status, 'reading'],
      );
      assert.match(failure.message, /\.$/);
    });
  }

  test('401 says whether a credential was sent', () => {
    for (const text of [JETTY, '{"timestamp":1,"status":401,"error":"Unauthorized","path":"/api/graphql"}'])
      assert.equal(failureFor(401, text).message, 'Access token rejected. It may have expired or been revoked.');
    assert.match(failureFor(401, JETTY, {}, false).message, /requires an access token/);
  });

  test('401 without a body may come from a front end that does not accept tokens', () => {
    assert.match(failureFor(401, ' \n').next ?? '', /use the service's own address/);
    assert.doesNotMatch(failureFor(401, JETTY).next ?? '', /front end/);
    assert.doesNotMatch(
      failureFor(401, '', {}, false).next ?? '',
      /front end/,
      'without a token the token is what is missing',
    );
  });

  test('403 names the missing privilege', () => {
    const failure = failureFor(403, JSON.stringify(RESTLI));
    assert.equal(failure.message, "The server refused: you aren't allowed to read.");
    assert.equal(failure.privilege, 'Some Privilege');
    assert.match(failure.next ?? '', /the privilege "Some Privilege"/);
    assert.equal(failure.serverText, 'User is unauthorized to truncate timeseries index');
  });

  for (const [what, text, said] of [
    ['Istio', 'RBAC: access denied', /^Something in front of the server .* \(HTTP 403\): RBAC: access denied\.$/],
    [
      'Cloudflare',
      '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Enable JavaScript and cookies to continue</body></html>',
      /^Something in front of the server .* \(HTTP 403\): Enable JavaScript and cookies to continue\.$/,
    ],
    ['a gateway that answers in JSON', '{"message":"Forbidden"}', /: Forbidden\.$/],
    ['Spring', '{"timestamp":1,"status":403,"error":"Forbidden","path":"/api/graphql"}', /: Forbidden\.$/],
    ['Spring Cloud Gateway', '{"timestamp":"x","status":403,"error":"Forbidden","message":"no"}', /: no\.$/],
    ['something on Jetty', 'Unauthorized to perform this action.', /: Unauthorized to perform this action\.$/],
    ['a gateway that lists errors', '{"success":false,"errors":[{"message":"no"}]}', /: no\.$/],
    ['no words', '', /^The server, or something in front of it, refused the request \(HTTP 403\)\.$/],
  ] as const) {
    test(`403 of ${what} names no privilege`, () => {
      const failure = failureFor(403, text);
      assert.match(failure.message, said);
      assert.deepEqual([failure.kind, failure.privilege], ['refused', undefined]);
      assert.doesNotMatch(failure.next ?? '', /privilege/);
    });
  }

  for (const [what, text] of [
    ['Rest.li', JSON.stringify(RESTLI)],
    ['Rest.li without a class', '{"message":"User is unauthorized to truncate timeseries index","status":403}'],
    ['GraphQL', '{"errors":[{"message":"no"}]}'],
    ['OpenAPI', 'urn:li:corpuser:x is not authorized to get timeseries index sizes'],
  ] as const) {
    test(`403 of ${what} names the privilege`, () => assert.equal(failureFor(403, text).privilege, 'Some Privilege'));
  }

  test('401 of a gateway has its words', () => {
    const words = 'Invalid IAP credentials: Unable to parse JWT';
    const failure = failureFor(401, words);
    assert.deepEqual(
      [failure.kind, failure.message, failure.credentialEnded],
      ['signedOut', `Access token rejected: ${words}.`, false],
    );
    assert.match(failure.next ?? '', /Something in front of the server may have answered/);
    const signedOut = failureFor(401, words, {}, false);
    assert.equal(signedOut.message, 'This server requires an access token.');
    assert.deepEqual(
      [failure, signedOut, failureFor(401, JETTY, {}, false)].map(({ isFromGateway }) => isFromGateway),
      [true, true, false],
    );
  });

  test('404 for a missing index does not mean that the server lacks the operation', () => {
    const failure = failureFor(404, JSON.stringify({ message: 'no such index [dataset_operationaspect_v1]' }));
    assert.deepEqual(
      [failure.kind, failure.headline, failure.message],
      ['notFound', 'No such index', 'The server has no index "dataset_operationaspect_v1".'],
    );
  });

  test('429 says how long to wait', () => {
    assert.equal(failureFor(429, '', { 'retry-after': '7' }).next, 'Try again in 7 s.');
    assert.equal(failureFor(429, '', { 'retry-after': '0' }).next, 'Try again in 1 s.');
    assert.equal(failureFor(429, '', { 'retry-after': '3600' }).next, 'Try again in 60 min.');
    assert.equal(failureFor(429, '', { 'retry-after': '120' }).next, 'Try again in 120 s.');
    assert.equal(failureFor(429, '', { 'retry-after': '121' }).next, 'Try again in 3 min.');
    assert.equal(failureFor(429, '', { 'retry-after': '99999999' }).next, 'Try again in a minute.');
    assert.equal(failureFor(429).next, 'Try again in a minute.');
  });
});

suite('The body of a refusal', () => {
  for (const [whose, text, said] of [
    ['Rest.li', JSON.stringify(RESTLI), 'User is unauthorized to truncate timeseries index'],
    ['Jetty, as a page', JETTY, 'HTTP ERROR 401 Unauthorized to perform this action. URI:'],
    [
      'Jetty, as JSON',
      '{"url":"/api/graphql","status":"401","message":"Unauthorized to perform this action."}',
      'Unauthorized to perform this action.',
    ],
    [
      'Spring',
      '{"timestamp":"2026-11-21T10:00:00Z","status":500,"error":"Internal Server Error","path":"/x"}',
      'Internal Server Error',
    ],
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
    test(`by ${whose} is read for its message`, () => {
      assert.equal(failureFor(500, text).serverText, said);
    });
  }

  test('is part of the sentence, if there is one', () => {
    assert.equal(failureFor(413, '"Too much"').message, 'The server rejected the request as too large.');
    assert.equal(failureFor(500, '"No disk left"').message, 'The server failed on "reading" (HTTP 500): No disk left');
    assert.equal(failureFor(500).message, 'The server failed on "reading" (HTTP 500).');
    assert.equal(failureFor(422, '"Bad name"').message, 'The server rejected "reading" (HTTP 422): Bad name');
  });

  test('has no stack trace, no markup and no secret', () => {
    const failure = failureFor(
      500,
      JSON.stringify({ message: `<b>boom</b> ${CREDENTIAL}\n\tat com.linkedin.X.y(X.java:1)` }),
    );
    assert.equal(failure.serverText, 'boom <redacted>');
    assert.ok(!JSON.stringify(failure).includes('linkedin'));
  });
});

suite('Retry-After', () => {
  const now = Date.UTC(2026, 10, 21, 10, 0, 0);

  test('is seconds or a date', () => {
    assert.equal(parseRetryAfter('120', now), 120_000);
    assert.equal(parseRetryAfter(' 0 ', now), 0);
    assert.equal(parseRetryAfter('86400', now), 86_400_000, 'a day');
    assert.equal(parseRetryAfter('Sat, 21 Nov 2026 10:00:30 GMT', now), 30_000);
    assert.equal(parseRetryAfter('Sat, 21 Nov 2026 09:00:00 GMT', now), 0, 'a date that has passed');
  });

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
    test(`means no pause if it is "${header}"`, () => {
      assert.equal(parseRetryAfter(header, now), undefined);
    });
  }

  test('is never negative, endless or more than a day', () => {
    assert.equal(parseRetryAfter(null, now), undefined);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.integer().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (header) => {
          const millis = parseRetryAfter(header, now);
          assert.ok(millis === undefined || (millis >= 0 && millis <= 86_400_000));
        },
      ),
    );
  });
});

suite('A status with known words', () => {
  const failureOver = (status: number, message: string): ReturnType<typeof statusFailure> =>
    statusFailure(
      { status, text: JSON.stringify({ message, status }), headers: new Headers(), withCredential: true },
      READING,
      (text) => readableServerText(text, []),
    );

  test("explains them, and keeps the server's words for the details", () => {
    const message =
      'OpenSearchStatusException[OpenSearch exception [type=index_not_found_exception, reason=no such index [dataset_nothingaspect_v1]]]';
    const failure = failureOver(500, message);
    assertTellable(failure);
    assert.deepEqual(
      [failure.headline, failure.message, failure.next, failure.serverText, failure.kind, failure.mayHaveActed],
      [
        'No such index',
        'The server has no index "dataset_nothingaspect_v1".',
        'Check the entity type and the aspect.',
        message,
        'server',
        true,
      ],
    );
  });

  test('stays a bad request', () => {
    const failure = failureOver(400, 'Failed to find entity with name nothing in EntityRegistry');
    assertTellable(failure);
    assert.deepEqual(
      [failure.kind, failure.message, failure.next],
      ['badRequest', 'The server has no entity type "nothing".', 'Check the entity type.'],
    );
  });

  test('quotes unknown words', () => {
    assert.match(failureOver(500, 'java.lang.IllegalStateException: out of paper').message, /out of paper$/);
  });
});
