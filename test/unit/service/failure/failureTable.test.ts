/** The table of failures: how a request failed, what the user is told, and whether the server may have acted. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as v from 'valibot';
import type { FailureKind, SentCredential, ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { GRAPHQL_ERROR, graphqlFailure } from '../../../../src/service/failure/graphqlFailure.ts';
import { networkFailure } from '../../../../src/service/failure/networkFailure.ts';
import { readableServerText } from '../../../../src/service/failure/redaction.ts';
import { statusFailure } from '../../../../src/service/failure/statusFailure.ts';
import { assertTellable, CREDENTIAL, READING } from '../clients.ts';

const OPERATION = { ...READING, privilege: 'Some Privilege' };

interface Answered {
  readonly text?: string;
  readonly sent?: SentCredential;
  readonly retryAfter?: string;
  readonly operation?: typeof READING;
}

function answered(status: number, given: Answered = {}): ServiceFailure {
  const { text = '', sent = true, retryAfter, operation = OPERATION } = given;
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  return statusFailure({ status, text, headers, withCredential: sent }, operation, (one) =>
    readableServerText(one, [CREDENTIAL]),
  );
}

function inGraphQL(extensions: object, said?: string, sent: SentCredential = true): ServiceFailure {
  return graphqlFailure(OPERATION, v.parse(GRAPHQL_ERROR, { extensions }), said, sent);
}

/** An error of fetch has its reason in the cause. */
function unanswered(code: string, message: string): ServiceFailure {
  const thrown = new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
  return networkFailure(thrown, 'd.test', OPERATION);
}

function assertIs(failure: ServiceFailure, kind: FailureKind, mayHaveActed: boolean, transient: boolean): void {
  assertTellable(failure);
  const { operation } = failure;
  assert.deepEqual(
    [failure.kind, failure.mayHaveActed, failure.transient, operation],
    [kind, mayHaveActed, transient, 'reading'],
  );
}

const title = (what: string, kind: string, mayHaveActed: boolean, transient: boolean): string =>
  `${what} is ${kind}${mayHaveActed ? ', and the request may have been carried out' : ''}` +
  (transient ? '; it may succeed a moment later' : '');

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
    test(title(String(status), kind, mayHaveActed, transient), () => {
      const failure = answered(status);
      assertIs(failure, kind, mayHaveActed, transient);
      assert.equal(failure.status, status);
    });
  }
});

suite('The code or the type of a GraphQL error', () => {
  for (const [extensions, kind, mayHaveActed, transient] of [
    [{ code: 403, type: 'UNAUTHORIZED', classification: 'DataFetchingException' }, 'refused', false, false],
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
    [{ classification: 'NullValueInNonNullableField' }, 'server', true, false],
    [{ code: { a: 1 }, type: [403], classification: null }, 'server', true, false],
    [{}, 'server', true, false],
  ] as const) {
    test(title(JSON.stringify(extensions), kind, mayHaveActed, transient), () => {
      assertIs(inGraphQL(extensions, 'boom'), kind, mayHaveActed, transient);
      assert.equal(inGraphQL(extensions, 'boom').serverText, 'boom');
    });
  }

  test('is followed by the words of the server, if any', () => {
    for (const code of [400, 404, 409, 503, 500]) {
      assert.match(inGraphQL({ code }, 'boom').message, /"reading".*: boom$/);
      assert.match(inGraphQL({ code }).message, /"reading".*\.$/);
    }
  });

  test('of a missing sign-in counts as status 401, of others as the 200 that it came with', () => {
    assert.equal(inGraphQL({ code: 401 }).status, 401);
    assert.equal(inGraphQL({ code: 403 }).status, 200);
  });
});

suite('An error that came instead of a response', () => {
  for (const [code, message, kind, mayHaveActed, sentence, next] of [
    ['EHOSTUNREACH', 'connect EHOSTUNREACH 192.0.2.1:443', 'unreachable', false, /No network route/],
    ['ENETUNREACH', 'connect ENETUNREACH 2001:db8::1:443', 'unreachable', false, /No network route/],
    ['EHOSTUNREACH', 'read EHOSTUNREACH', 'unreachable', true, /closed the connection/],
    ['ENETDOWN', 'connect ENETDOWN 192.0.2.1:443', 'unreachable', false, /No network route/],
    ['ENETDOWN', 'read ENETDOWN', 'unreachable', true, /closed the connection/],
    ['ECONNRESET', 'proxy 192.0.2.1:3128: read ECONNRESET', 'unreachable', true, /The proxy blocked/],
    ['ETIMEDOUT', 'proxy 192.0.2.1:3128: write ETIMEDOUT', 'unreachable', true, /The proxy blocked/],
    ['ETIMEDOUT', 'proxy 192.0.2.1:3128: spread EVERYWHERE', 'unreachable', false, /The proxy blocked/],
    ['ETIMEDOUT', 'connect ETIMEDOUT 192.0.2.1:443', 'timedOut', false, /Timed out connecting/],
    ['ETIMEDOUT', 'read ETIMEDOUT', 'unreachable', true, /closed the connection/],
    ['UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error', 'timedOut', false, /Timed out connecting/],
    ['UND_ERR_BODY_TIMEOUT', 'Body Timeout Error', 'unreachable', true, /closed the connection/],
    ['UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling', 'unreachable', false, /The proxy blocked/],
    ['', 'net::ERR_PROXY_CONNECTION_FAILED', 'unreachable', false, /The proxy blocked/],
    ['', 'net::ERR_NAME_NOT_RESOLVED', 'unreachable', false, /Can't find/],
    ['', 'net::ERR_CONNECTION_REFUSED', 'unreachable', false, /Can't reach/],
    ['', 'net::ERR_INTERNET_DISCONNECTED', 'unreachable', false, /No network route/],
    ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN d.test', 'unreachable', false, /Couldn't look up/],
    ['CERT_NOT_YET_VALID', 'x', 'tls', false, /has expired or isn't valid yet/],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'x', 'tls', false, /doesn't trust/],
    ['CERT_REVOKED', 'x', 'tls', false, /^The certificate for d\.test was revoked\.$/],
    ['CERT_UNTRUSTED', 'x', 'tls', false, /an authority this machine doesn't trust/, /NODE_EXTRA_CA_CERTS/],
    ['HOSTNAME_MISMATCH', 'x', 'tls', false, /a different name/],
    ['', 'net::ERR_CERT_AUTHORITY_INVALID', 'tls', false, /doesn't trust/, /NODE_EXTRA_CA_CERTS/],
    ['', 'net::ERR_CERT_DATE_INVALID', 'tls', false, /has expired or isn't valid yet/],
    ['', 'net::ERR_CERT_COMMON_NAME_INVALID', 'tls', false, /a different name/],
    ['CERT_CHAIN_TOO_LONG', 'x', 'tls', true, /^Couldn't .* to d\.test \(CERT_CHAIN_TOO_LONG\)\.$/],
    ['INVALID_PURPOSE', 'x', 'tls', true, /\(INVALID_PURPOSE\)/],
    ['CRL_HAS_EXPIRED', 'x', 'tls', true, /\(CRL_HAS_EXPIRED\)/],
    ['UNABLE_TO_GET_CRL', 'x', 'tls', true, /\(UNABLE_TO_GET_CRL\)/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'x', 'tls', true, /\(ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION\)\.$/],
    ['CERT_REJECTED', 'certificate rejected', 'tls', true, /Couldn't establish a secure connection/],
    ['EPROTO', 'read EPROTO: decryption failed or bad record mac', 'tls', true, /Couldn't establish .* \(EPROTO\)/],
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'x', 'tls', true, /Couldn't establish a secure connection/],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'x', 'tls', true, /requires a client certificate/, /requires none/],
    ['ERR_BAD_SSL_CLIENT_AUTH_CERT', 'x', 'tls', true, /requires a client certificate/, /requires none/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'x', 'tls', true, /^Couldn't .* connection to d\.test\.$/, /http:\/\//],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'x', 'tls', true, /^Couldn't .* connection to d\.test\.$/, /http:\/\//],
    ['', 'net::ERR_SSL_PROTOCOL_ERROR', 'tls', true, /^Couldn't .* connection to d\.test\.$/, /http:\/\//],
    ['HPE_INVALID_CONSTANT', 'Expected HTTP/', 'unexpectedAnswer', true, /didn't respond with HTTP/],
    ['', 'net::ERR_INVALID_HTTP_RESPONSE', 'unexpectedAnswer', true, /didn't respond with HTTP/],
    ['UND_ERR_HEADERS_OVERFLOW', 'Headers Overflow Error', 'tooLarge', true, /headers .* too large/],
    ['', 'net::ERR_RESPONSE_HEADERS_TOO_BIG', 'tooLarge', true, /headers .* too large/],
    ['', 'net::ERR_SOMETHING_NEW', 'unreachable', true, /closed the connection/],
  ] as const) {
    const transient = code === 'EAI_AGAIN' || sentence.source === 'closed the connection';
    test(title(`${code} ${message}`, kind, mayHaveActed, transient), () => {
      const failure = unanswered(code, message);
      assertIs(failure, kind, mayHaveActed, transient);
      assert.match(failure.message, sentence);
      assert.match(failure.next ?? '', next ?? /\.$/);
      assert.equal(kind === 'tls' && /http:\/\//.test(failure.next ?? ''), next?.source === 'http:\\/\\/');
    });
  }
});

const JETTY =
  '<html><head><title>Error 401</title></head><body><h2>HTTP ERROR 401 Unauthorized to perform this action.</h2><table><tr><th>URI:</th></tr></table></body></html>';
const SPRING = '{"timestamp":1,"status":401,"error":"Unauthorized","path":"/api/graphql"}';
const GATEWAY = 'Invalid IAP credentials: Unable to parse JWT';

suite('A 401', () => {
  for (const [what, failure, headline, message, next] of [
    ['of Jetty', answered(401, { text: JETTY }), 'Token rejected (401)', /^Access token rejected\. It may/, /^Sign in/],
    ['of Spring', answered(401, { text: SPRING }), 'Token rejected (401)', /^Access token rejected\. It may/, /^Sign/],
    ['in GraphQL', inGraphQL({ code: 401 }), 'Token rejected (401)', /^Access token rejected\. It may/, /^Sign in/],
    ['of a gateway', answered(401, { text: GATEWAY }), 'Token rejected (401)', /JWT\.$/, /in front of the server may/],
    ['of nobody', answered(401, { text: ' \n' }), 'Token rejected (401)', /rejected/, /use the service's own address/],
    ['to no token', answered(401, { sent: false }), 'Sign-in required (401)', /requires an access/, /^Sign in to cont/],
    ['to no token in GraphQL', inGraphQL({ code: 401 }, 'no', false), 'Sign-in required (401)', /requires an/, /^Sign/],
    ['to an expired token', answered(401, { sent: 'expired' }), 'Token expired', /has expired\.$/, /^Sign in with/],
  ] as const) {
    test(`${what} says what was rejected, and what to do`, () => {
      assertIs(failure, 'signedOut', false, false);
      assert.deepEqual([failure.headline, failure.status], [headline, 401]);
      assert.match(failure.message, message);
      assert.match(failure.next ?? '', next);
      assert.equal(/front end/.test(failure.next ?? ''), what === 'of nobody');
    });
  }

  test('of a gateway has its words, and says nothing about the credential', () => {
    const failure = answered(401, { text: GATEWAY });
    assert.equal(failure.message, `Access token rejected: ${GATEWAY}.`);
    assert.equal(failure.credentialEnded, false);
    const signedOut = answered(401, { text: GATEWAY, sent: false });
    assert.equal(signedOut.message, 'This server requires an access token.');
    assert.deepEqual(
      [failure, signedOut, answered(401, { text: JETTY, sent: false })].map(({ isFromGateway }) => isFromGateway),
      [true, true, false],
    );
  });
});

const CHALLENGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Enable JavaScript and cookies to continue</body></html>';
const IN_FRONT = /^Something in front of the server refused the request \(HTTP 403\): /;
const RESTLI = {
  exceptionClass: 'com.linkedin.restli.server.RestLiServiceException',
  stackTrace: 'com.linkedin.X\n\tat com.linkedin.X.y(X.java:1)',
  message: 'User is unauthorized to truncate timeseries index',
  status: 403,
};

suite('A 403', () => {
  for (const [whose, text, said] of [
    ['Istio', 'RBAC: access denied', 'RBAC: access denied.'],
    ['Cloudflare', CHALLENGE, 'Enable JavaScript and cookies to continue.'],
    ['a gateway that answers in JSON', '{"message":"Forbidden"}', 'Forbidden.'],
    ['Spring', '{"timestamp":1,"status":403,"error":"Forbidden","path":"/api/graphql"}', 'Forbidden.'],
    ['Spring Cloud Gateway', '{"timestamp":"x","status":403,"error":"Forbidden","message":"no"}', 'no.'],
    ['something on Jetty', 'Unauthorized to perform this action.', 'Unauthorized to perform this action.'],
    ['a gateway that lists errors', '{"success":false,"errors":[{"message":"no"}]}', 'no.'],
  ] as const) {
    test(`of ${whose} quotes it and names no privilege`, () => {
      const { message, privilege, next } = answered(403, { text });
      assert.match(message, IN_FRONT);
      assert.deepEqual([message.replace(IN_FRONT, ''), privilege], [said, undefined]);
      assert.doesNotMatch(next ?? '', /privilege/);
    });
  }

  test('without words names no privilege either', () => {
    const { message, privilege } = answered(403);
    assert.equal(message, 'The server, or something in front of it, refused the request (HTTP 403).');
    assert.equal(privilege, undefined);
  });

  for (const [whose, failure] of Object.entries({
    'Rest.li': answered(403, { text: JSON.stringify(RESTLI) }),
    'Rest.li without a class': answered(403, { text: '{"message":"User is unauthorized","status":403}' }),
    'GraphQL with that status': answered(403, { text: '{"errors":[{"message":"no"}]}' }),
    OpenAPI: answered(403, { text: 'urn:li:corpuser:x is not authorized to get timeseries index sizes' }),
    GraphQL: inGraphQL({ code: 403 }),
  })) {
    test(`of ${whose} names the missing privilege, for which the headline leaves room`, () => {
      assertIs(failure, 'refused', false, false);
      assert.equal(failure.message, "The server refused: you aren't allowed to read.");
      assert.deepEqual([failure.privilege, failure.headline], ['Some Privilege', 'Not allowed']);
      assert.equal(failure.next, 'Ask a server administrator for the privilege "Some Privilege".');
    });
  }

  test('of an operation without a known privilege refers to an administrator', () => {
    const failure = answered(403, { text: JSON.stringify(RESTLI), operation: READING });
    assert.deepEqual([failure.privilege, failure.headline], [undefined, 'Not allowed (403)']);
    assert.equal(failure.next, 'Ask a server administrator for permission.');
  });
});

suite('The sentence of a status', () => {
  for (const [status, text, message, headline] of [
    [413, '"Too much"', 'The server rejected the request as too large.', 'Request rejected (413)'],
    [422, '"Bad name"', 'The server rejected "reading" (HTTP 422): Bad name', 'Request rejected (422)'],
    [500, '"No disk left"', 'The server failed on "reading" (HTTP 500): No disk left', 'Server error (500)'],
    [500, '', 'The server failed on "reading" (HTTP 500).', 'Server error (500)'],
    [404, 'no such index [i_v1]', 'The server has no index "i_v1".', 'No such index'],
    [400, 'Failed to find entity with name x in EntityRegistry', 'The server has no entity type "x".', undefined],
  ] as const) {
    test(`${status} has the server's words, put in ours where they are known: ${text}`, () => {
      const failure = answered(status, { text });
      assert.equal(failure.message, message);
      assert.equal(failure.headline, headline ?? 'No such entity type');
    });
  }

  test("has the next step of words that are known, and keeps the server's own for the details", () => {
    const text = 'OpenSearchStatusException[[type=index_not_found_exception, reason=no such index [i_v1]]]';
    const failure = answered(500, { text });
    assertIs(failure, 'server', true, false);
    assert.deepEqual([failure.next, failure.serverText], ['Check the entity type and the aspect.', text]);
  });

  for (const [retryAfter, wait] of [
    ['7', '7 s'],
    ['0', '1 s'],
    ['120', '120 s'],
    ['121', '3 min'],
    ['3600', '60 min'],
    ['99999999', 'a minute'],
    [undefined, 'a minute'],
  ] as const) {
    test(`429 says how long to wait: ${retryAfter}`, () => {
      const failure = answered(429, retryAfter === undefined ? {} : { retryAfter });
      assert.equal(failure.next, `Try again in ${wait}.`);
    });
  }
});
