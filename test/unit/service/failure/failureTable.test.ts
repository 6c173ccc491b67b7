/** The table of failures: how a request failed, what the user is told, and whether the server may have acted. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as v from 'valibot';
import type { FailureKind, SentCredential, ServiceFailure } from '../../../../src/service/failure/failure.ts';
import { GRAPHQL_ERROR, graphqlFailure } from '../../../../src/service/failure/graphqlFailure.ts';
import { networkFailure } from '../../../../src/service/failure/networkErrorSigns.ts';
import { statusFailure } from '../../../../src/service/failure/errorResponse.ts';
import { assertTellable, READING } from '../clients.ts';

const OPERATION = { ...READING, privilege: 'Some Privilege' };

interface Answered {
  readonly text?: string;
  readonly sent?: SentCredential;
  readonly operation?: typeof READING;
}

function answered(status: number, given: Answered = {}): ServiceFailure {
  const { text = '', sent = true, operation = OPERATION } = given;
  return statusFailure({ status, text, headers: new Headers(), withCredential: sent }, operation, 'd.test');
}

function inGraphQL(extensions: object, message?: string, sent: SentCredential = true): ServiceFailure {
  return graphqlFailure(OPERATION, 'd.test', v.parse(GRAPHQL_ERROR, { extensions, message }), sent);
}

/** An error of fetch has its reason in the cause: in its message, or its code. */
function unanswered(sign: string): ServiceFailure {
  const cause = /^[A-Z0-9_]+$/.test(sign) ? Object.assign(new Error('x'), { code: sign }) : new Error(sign);
  return networkFailure(new TypeError('fetch failed', { cause }), 'd.test', OPERATION);
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
  for (const [statuses, kind, mayHaveActed, transient] of [
    [[300], 'unexpectedAnswer', true, false],
    [[400, 409, 413, 431, 451], 'badRequest', false, false],
    // Proxies use some of these after passing a request on.
    [[460, 499], 'badRequest', true, false],
    [[401], 'signedOut', false, false],
    [[403], 'refused', false, false],
    [[404, 405, 410], 'notFound', false, false],
    [[407], 'unreachable', false, false],
    [[429], 'throttled', false, true],
    [[408, 421, 425, 502, 503, 504], 'unavailable', true, true],
    [[500, 520], 'server', true, false],
  ] as const) {
    for (const status of statuses) {
      test(title(String(status), kind, mayHaveActed, transient), () => {
        const failure = answered(status);
        assertIs(failure, kind, mayHaveActed, transient);
        assert.equal(failure.status, status);
      });
    }
  }
});

suite('The code of a GraphQL error', () => {
  const NULL = { classification: 'NullValueInNonNullableField' };
  const MALFORMED = { code: { a: 1 }, type: [403], classification: null };

  for (const [errors, kind, mayHaveActed, transient] of [
    [[{ code: 403 }, { code: 'FORBIDDEN' }], 'refused', false, false],
    [[{ code: 401 }, { code: 'UNAUTHENTICATED' }], 'signedOut', false, false],
    [[{ code: 400 }, { code: 'BAD_USER_INPUT' }], 'badRequest', false, false],
    [[{ code: 409 }], 'badRequest', false, false],
    [[{ code: 404 }], 'notFound', false, false],
    [[{ code: 429 }], 'throttled', false, true],
    [[{ code: 503 }, { code: 504 }, { code: 503, type: 'FORBIDDEN' }], 'unavailable', true, true],
    [[{ code: 500, type: 'SERVER_ERROR' }, NULL, MALFORMED, {}], 'server', true, false],
  ] as const) {
    for (const extensions of errors) {
      test(title(JSON.stringify(extensions), kind, mayHaveActed, transient), () => {
        const failure = inGraphQL(extensions, 'boom');
        assertIs(failure, kind, mayHaveActed, transient);
        assert.equal(failure.serverText, 'boom');
      });
    }
  }

  test('is followed by the words of the server, if any', () => {
    for (const code of [400, 404, 503, 500]) {
      assert.match(inGraphQL({ code }, 'boom').message, /"reading".*: boom\.$/);
      assert.match(inGraphQL({ code }).message, /"reading".*\.$/);
    }
  });

  test('of a missing sign-in counts as status 401, of others as the 200 that it came with', () => {
    assert.equal(inGraphQL({ code: 401 }).status, 401);
    assert.equal(inGraphQL({ code: 403 }).status, 200);
  });
});

suite('An error that came instead of a response', () => {
  const PLAIN_TLS = /^Couldn't establish a secure connection to d\.test \(ERR_SSL_\w+\)\.$/;
  const CODED_TLS = /^Couldn't establish a secure connection to d\.test \([A-Z0-9_]+\)\.$/;
  const CUT = /closed the connection/;
  const [MAC, ALERT] = ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'];
  const CLIENT = ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ERR_BAD_SSL_CLIENT_AUTH_CERT'];

  for (const [sentence, kind, mayHaveActed, next, signs] of [
    [/Can't find/, 'unreachable', false, /VPN/, ['connect EHOSTUNREACH 192.0.2.1:443', 'connect ENETDOWN x']],
    [/Can't find/, 'unreachable', false, /VPN/, ['connect ENETUNREACH 2001:db8::1:443']],
    [/Can't find/, 'unreachable', false, /VPN/, ['ERR_INTERNET_DISCONNECTED', 'ERR_ADDRESS_UNREACHABLE']],
    [/Can't find/, 'unreachable', false, /^Check the address/, ['ENOTFOUND', 'ERR_NAME_NOT_RESOLVED']],
    [/Can't reach/, 'unreachable', false, /running/, ['ECONNREFUSED', 'ERR_CONNECTION_REFUSED']],
    [/Can't find/, 'unreachable', false, /VPN/, ['getaddrinfo EAI_AGAIN d.test']],
    [/Timed out/, 'timedOut', false, /VPN/, ['connect ETIMEDOUT 192.0.2.1:443', 'UND_ERR_CONNECT_TIMEOUT']],
    [/The proxy blocked/, 'unreachable', true, /http\.proxy/, ['proxy x: read ECONNRESET', 'proxy x: write ETIMEDOUT']],
    [/The proxy blocked/, 'unreachable', false, /http\.proxy/, ['proxy x: spread EVERYWHERE', 'ERR_PROXY_FAILED']],
    [/The proxy blocked/, 'unreachable', false, /http\.proxy/, ['Proxy response (407) !== 200 when HTTP Tunneling']],
    [CUT, 'unreachable', true, /Try again/, ['read EHOSTUNREACH', 'read ENETDOWN', 'read ETIMEDOUT']],
    [CUT, 'unreachable', true, /Try again/, ['UND_ERR_BODY_TIMEOUT', 'ERR_SOMETHING_NEW']],
    [/has expired or isn't valid yet/, 'tls', false, /clock/, ['CERT_NOT_YET_VALID', 'ERR_CERT_DATE_INVALID']],
    [/doesn't trust/, 'tls', false, /NODE_EXTRA_CA_CERTS/, ['SELF_SIGNED_CERT_IN_CHAIN', 'CERT_UNTRUSTED']],
    [/doesn't trust/, 'tls', false, /NODE_EXTRA_CA_CERTS/, ['ERR_CERT_AUTHORITY_INVALID']],
    [/was revoked/, 'tls', false, /^Ask a server administrator\.$/, ['CERT_REVOKED']],
    [/a different name/, 'tls', false, /Use the name/, ['HOSTNAME_MISMATCH', 'ERR_CERT_COMMON_NAME_INVALID']],
    [CODED_TLS, 'tls', true, /administrator/, ['CERT_CHAIN_TOO_LONG', 'INVALID_PURPOSE', 'CRL_HAS_EXPIRED']],
    [CODED_TLS, 'tls', true, /administrator/, ['UNABLE_TO_GET_CRL', 'CERT_REJECTED', 'read EPROTO: bad mac']],
    [CODED_TLS, 'tls', true, /administrator/, [MAC, ALERT]],
    [/requires a client certificate/, 'tls', true, /doesn't require one/, CLIENT],
    [PLAIN_TLS, 'tls', true, /http:\/\//, ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']],
    [PLAIN_TLS, 'tls', true, /http:\/\//, ['net::ERR_SSL_PROTOCOL_ERROR']],
    [/respond with HTTP/, 'unexpectedAnswer', true, /port/, ['HPE_INVALID_CONSTANT', 'ERR_INVALID_HTTP_RESPONSE']],
    [/too large/, 'tooLarge', true, /own/, ['UND_ERR_HEADERS_OVERFLOW', 'ERR_RESPONSE_HEADERS_TOO_BIG']],
  ] as const) {
    for (const sign of signs) {
      const transient = sentence === CUT;
      test(title(sign, kind, mayHaveActed, transient), () => {
        const failure = unanswered(sign);
        assertIs(failure, kind, mayHaveActed, transient);
        assert.match(failure.message, sentence);
        assert.match(failure.next ?? '', next);
      });
    }
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
    assert.equal(
      failure.message,
      `Access token rejected. It may be expired, revoked, or another server's. Server response: ${GATEWAY}.`,
    );
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
const IN_FRONT = /^The server, or something in front of it, refused the request \(HTTP 403\)\. Server response: /;
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
    assert.equal(failure.next, 'Ask a server administrator.');
  });
});

const NO_ENTITY_TYPE = 'The server has no entity type "d7".';
const CLUSTER = "The server's search cluster reported an error (HTTP 400).";
const CLUSTER_400 = 'Search cluster error (400)';

suite('The sentence of a status', () => {
  for (const [status, text, message, headline] of [
    [
      422,
      '"Bad name"',
      'The server rejected "reading" (HTTP 422). Server response: Bad name.',
      'Request rejected (422)',
    ],
    [
      500,
      '"No disk left"',
      'The server failed on "reading" (HTTP 500). Server response: No disk left.',
      'Server error (500)',
    ],
    [500, '', 'The server failed on "reading" (HTTP 500).', 'Server error (500)'],
    [404, 'no such index [i-v1.2_x]', 'The server has no such index.', 'Not found'],
    [500, '[type=index_not_found_exception, reason=no s…', 'The server has no such index.', 'Not found'],
    [500, 'index_not_found_exception, no such index [data…', 'The server has no such index.', 'Not found'],
    [400, 'x: Failed to find entity with name d7 in EntityRegistry', NO_ENTITY_TYPE, 'Not found'],
    [500, 'method [GET], host [https://x:443], URI [*/_stats], status line [HTTP/1.1 400 ]', CLUSTER, CLUSTER_400],
  ] as const) {
    test(`${status} has the server's words, put in ours where they are known: ${text}`, () => {
      const failure = answered(status, { text });
      assertTellable(failure);
      assert.deepEqual([failure.message, failure.headline], [message, headline]);
    });
  }

  for (const said of ['no such index', 'no such index []', 'status line [HTTP/1.1 400 Bad Request]']) {
    test(`quotes words that are not known: ${said}`, () => {
      assert.equal(
        answered(500, { text: said }).message,
        `The server failed on "reading" (HTTP 500). Server response: ${said}.`,
      );
    });
  }

  test("has the next step of words that are known, and keeps the server's own for the details", () => {
    const text = 'OpenSearchStatusException[[type=index_not_found_exception, reason=no such index [i_v1]]]';
    const failure = answered(500, { text });
    assertIs(failure, 'server', true, false);
    assert.deepEqual([failure.next, failure.serverText], ['Check the entity type and the aspect.', text]);
  });
});
