import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseConnection } from '../../../../src/connections/connection.ts';
import { isExposed } from '../../../../src/connections/extensionPlace.ts';
import { checkBaseUrl, isLoopbackHost, mayBeLoopbackHost } from '../../../../src/service/http/baseUrl.ts';

function problemOf(text: string): string {
  const check = checkBaseUrl(text);
  return 'problem' in check ? check.problem : assert.fail(`taken for an address: ${text}`);
}

suite('A pasted address', () => {
  for (const [text, baseUrl] of Object.entries({
    'https://datahub.example.com': 'https://datahub.example.com',
    ' https://datahub.example.com/ ': 'https://datahub.example.com',
    'https://datahub.example.com/api/graphql': 'https://datahub.example.com',
    'https://datahub.example.com/api/v2/graphql': 'https://datahub.example.com',
    'https://datahub.example.com/API/GraphQL': 'https://datahub.example.com',
    'datahub.example.com/to/https://other.example.com': 'https://datahub.example.com/to/https://other.example.com',
    'https://datahub.example.com/api/graphiql': 'https://datahub.example.com',
    'https://datahub.example.com/api/gms': 'https://datahub.example.com',
    'https://datahub.example.com/api/gms/operations?action=getIndexSizes': 'https://datahub.example.com',
    'http://localhost:8080/operations?action=truncateTimeseriesAspect': 'http://localhost:8080',
    'http://localhost:8080/gms/operations': 'http://localhost:8080',
    'https://example.com/tools/datahub/api/graphql/': 'https://example.com/tools/datahub',
    'https://example.com//': 'https://example.com',
    'HTTPS://Example.COM:443/': 'https://example.com',
    'datahub.example.com:8443': 'https://datahub.example.com:8443',
    'localhost:8080': 'http://localhost:8080',
    '127.0.0.1:9002/': 'http://127.0.0.1:9002',
    '[::1]:8080': 'http://[::1]:8080',
    'service.localhost:8080': 'https://service.localhost:8080',
    // A name like a scheme, where the scheme is explicit.
    'https://https.example.com': 'https://https.example.com',
    // As the parser of addresses writes them: still this machine.
    'http://127.1': 'http://127.0.0.1',
    // This machine too, but behind VS Code's proxy, so TLS is the default.
    '127.0.0.2:8080': 'https://127.0.0.2:8080',
  })) {
    test(`${text.trim()} is ${baseUrl}`, () => {
      assert.deepEqual(checkBaseUrl(text), { baseUrl });
      assert.equal(isExposed(baseUrl), false);
    });
  }

  test('without TLS to another machine needs consent', () => {
    for (const host of ['datahub.example.com', '10.0.0.7:8080', 'service.localhost:8080', 'http:8080']) {
      assert.deepEqual(checkBaseUrl(`http://${host}/`), { baseUrl: `http://${host}` });
      assert.equal(isExposed(`http://${host}`), true);
    }
  });

  for (const text of [
    '',
    '   ',
    'https://',
    'ftp://datahub.example.com',
    'file:///etc/passwd',
    'javascript://example.com/%0aalert(1)',
    'https://user:password@datahub.example.com',
    'https://token@datahub.example.com',
    'https://:password@datahub.example.com',
    'https://datahub.example.com/?next=/home',
    'https://datahub.example.com/#tokens',
    'https://data hub.example.com',
    'https:\\\\datahub.example.com',
    'https://datahub.example.com\\@evil.example.com',
    'https://[::1',
    'http://example.com:99999',
    // A typo around the address must not become the name of another host.
    'https:/datahub.example.com',
    'http:/localhost:8080',
    'https//datahub.example.com',
    'http:8080',
    'https://https://datahub.example.com',
    'https://http//datahub.example.com',
    '"https://datahub.example.com"',
    "'datahub.example.com'",
    'https://a.example.com,https://b.example.com',
    'datahub.example.com;',
    'https://*.example.com',
    `https://datahub.example.com/${'a'.repeat(2_000)}`,
  ]) {
    test(`"${text.slice(0, 60)}" is refused with a reason`, () => {
      assert.match(problemOf(text), /^(?:Not a valid address\. Example: https:\S+|[A-Z].*\.)$/);
    });
  }

  test('that is empty is asked for, and one with a password is not repeated', () => {
    assert.deepEqual(problemOf(' \n'), 'Not a valid address. Example: https://datahub.example.com:8080');
    assert.doesNotMatch(problemOf('https://admin:hunter2@datahub.example.com'), /hunter2/);
  });

  test('becomes an address without user, query, fragment or trailing slash', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.domain()),
        (text) => {
          const check = checkBaseUrl(text);
          if ('problem' in check) {
            return;
          }
          const url = new URL(check.baseUrl);
          assert.match(url.protocol, /^https?:$/);
          assert.deepEqual([url.username, url.password, url.search, url.hash], ['', '', '', '']);
          assert.ok(!check.baseUrl.endsWith('/'));
          assert.ok(parseConnection({ name: 'x', baseUrl: check.baseUrl, createdAt: 1 }), 'it can be stored');
          assert.equal(isExposed(check.baseUrl), url.protocol === 'http:' && !isLoopbackHost(url.hostname));
          assert.deepEqual(checkBaseUrl(check.baseUrl), check, 'normalising it once more changes nothing');
        },
      ),
    );
  });
});

suite('A host', () => {
  const SURELY = 'localhost LOCALHOST 127.0.0.1 127.1 [::1] [0:0:0:0:0:0:0:1]'.split(' ');
  /** Some of 127.0.0.0/8 are this machine, but behind VS Code's proxy. */
  const MAYBE = (
    'LOCALHOST. localhost.. service.localhost localhost.localdomain localhost6 host.docker.internal 127.0.0.2 ' +
    '127.10.200.255 2130706434 0x7f.2 0.0.0.0 0 [::] [::2] [::ffff:127.0.0.1] [::ffff:7f00:2] [::127.0.0.1]'
  ).split(' ');
  const ELSEWHERE =
    'datahub.example.com localhost.example.com 127.0.0.1.example.com mylocalhost 10.0.0.1 128.0.0.1 [fd00::1]'.split(
      ' ',
    );

  for (const host of [...SURELY, ...MAYBE, ...ELSEWHERE]) {
    const [isHere, mayBeHere] = [SURELY.includes(host), !ELSEWHERE.includes(host)];
    test(`${host} ${isHere ? 'is' : mayBeHere ? 'may be' : 'is not'} this machine`, () => {
      const { hostname } = new URL(`http://${host}`);
      assert.deepEqual([isLoopbackHost(hostname), mayBeLoopbackHost(hostname)], [isHere, mayBeHere]);
      assert.equal(isExposed(`http://${host}`), !isHere);
    });
  }
});
