import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { checkBaseUrl, isLoopback } from '../../../src/service/baseUrl.ts';

suite('A pasted address', () => {
  for (const [text, baseUrl] of Object.entries({
    'https://datahub.example.com': 'https://datahub.example.com',
    ' https://datahub.example.com/ ': 'https://datahub.example.com',
    'https://datahub.example.com/api/graphql': 'https://datahub.example.com',
    'https://datahub.example.com/api/v2/graphql': 'https://datahub.example.com',
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
  })) {
    test(`${text.trim()} is ${baseUrl}`, () => {
      assert.deepEqual(checkBaseUrl(text), { baseUrl, needsConsent: false });
    });
  }

  test('without TLS to another machine needs consent', () => {
    assert.deepEqual(checkBaseUrl('http://datahub.example.com'), { baseUrl: 'http://datahub.example.com', needsConsent: true });
    assert.deepEqual(checkBaseUrl('http://10.0.0.7:8080/'), { baseUrl: 'http://10.0.0.7:8080', needsConsent: true });
    assert.deepEqual(checkBaseUrl('http://service.localhost:8080'), { baseUrl: 'http://service.localhost:8080', needsConsent: true });
    assert.deepEqual(checkBaseUrl('http://localhost.example.com'), { baseUrl: 'http://localhost.example.com', needsConsent: true });
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
  ]) {
    test(`"${text}" is refused with a reason`, () => {
      const check = checkBaseUrl(text);
      assert.ok('problem' in check);
      assert.match(check.problem, /\.$/);
    });
  }

  test('that holds a password is refused without repeating it', () => {
    const check = checkBaseUrl('https://admin:hunter2@datahub.example.com');
    assert.ok('problem' in check && !check.problem.includes('hunter2'));
  });

  test('becomes an address without user, query, fragment or slash at its end, whatever was pasted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.domain()), (text) => {
        const check = checkBaseUrl(text);
        if ('problem' in check) {
          return;
        }
        const url = new URL(check.baseUrl);
        assert.match(url.protocol, /^https?:$/);
        assert.deepEqual([url.username, url.password, url.search, url.hash], ['', '', '', '']);
        assert.ok(!check.baseUrl.endsWith('/'));
        assert.equal(check.needsConsent, url.protocol === 'http:' && !isLoopback(url.hostname));
        assert.deepEqual(checkBaseUrl(check.baseUrl), check, 'normalising it once more changes nothing');
      }),
    );
  });
});

suite('A host', () => {
  test('of this machine is told from one that only looks like it', () => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '[::1]', '::1']) {
      assert.ok(isLoopback(host), host);
    }
    for (const host of ['localhost.example.com', 'a.localhost', '127.0.0.1.example.com', '128.0.0.1', '0.0.0.0', 'mylocalhost', '[::2]', '127.0.0']) {
      assert.ok(!isLoopback(host), host);
    }
  });
});
