import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { isExposed } from '../../../../src/connections/whereItRuns.ts';
import {
  candidateAddresses,
  checkBaseUrl,
  isLoopbackHost,
  mayBeLoopbackHost,
} from '../../../../src/service/http/baseUrl.ts';

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
  })) {
    test(`${text.trim()} is ${baseUrl}`, () => {
      assert.deepEqual(checkBaseUrl(text), { baseUrl });
      assert.equal(isExposed(baseUrl), false);
    });
  }

  test('may have a host named like a scheme if the scheme is explicit', () => {
    assert.deepEqual(checkBaseUrl('http://http:8080'), { baseUrl: 'http://http:8080' });
    assert.deepEqual(checkBaseUrl('https://https.example.com'), { baseUrl: 'https://https.example.com' });
  });

  test('without TLS to another machine needs consent', () => {
    for (const host of ['datahub.example.com', '10.0.0.7:8080', 'service.localhost:8080', 'localhost.example.com']) {
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
      const check = checkBaseUrl(text);
      assert.ok('problem' in check);
      assert.match(check.problem, /^(?:Not a valid address\. Example: https:\S+|[A-Z].*\.)$/);
    });
  }

  test('is requested if it is empty', () => {
    for (const text of ['', ' \n']) {
      const check = checkBaseUrl(text);
      assert.ok('problem' in check && check.problem.startsWith('Enter the server address'));
    }
  });

  test('is refused if it includes a password, without repeating it', () => {
    const check = checkBaseUrl('https://admin:hunter2@datahub.example.com');
    assert.ok('problem' in check && !check.problem.includes('hunter2'));
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
          assert.equal(isExposed(check.baseUrl), url.protocol === 'http:' && !isLoopbackHost(url.hostname));
          assert.deepEqual(checkBaseUrl(check.baseUrl), check, 'normalising it once more changes nothing');
        },
      ),
    );
  });
});

suite('A host', () => {
  for (const host of [
    'localhost',
    'LOCALHOST.',
    'localhost..',
    'service.localhost',
    'localhost.localdomain',
    'localhost6',
    'host.docker.internal',
    '127.0.0.1',
    '127.1',
    '127.0.0.2',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
    '0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:2]',
    '[::127.0.0.1]',
  ]) {
    test(`${host} may be this machine`, () =>
      assert.equal(mayBeLoopbackHost(new URL(`http://${host}`).hostname), true));
  }

  for (const host of [
    'datahub.example.com',
    'localhost.example.com',
    'mylocalhost',
    '10.0.0.1',
    '128.0.0.1',
    '[fd00::1]',
  ]) {
    test(`${host} is elsewhere`, () => assert.equal(mayBeLoopbackHost(new URL(`http://${host}`).hostname), false));
  }

  test('surely is this machine only if it may be', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      assert.ok(isLoopbackHost(host) && mayBeLoopbackHost(host));
    }
  });
});

suite("An address with a path of the interface, which may be the service's own", () => {
  for (const [text, ...baseUrls] of [
    ['https://dh.example.com/gms', 'https://dh.example.com', 'https://dh.example.com/gms'],
    ['dh.example.com/gms/', 'https://dh.example.com', 'https://dh.example.com/gms'],
    [
      'https://dh.example.com/x/gms',
      'https://dh.example.com/x',
      'https://dh.example.com/x/gms',
      'https://dh.example.com',
    ],
    ['https://dh.example.com/gms/operations?action=x', 'https://dh.example.com', 'https://dh.example.com/gms'],
    ['https://dh.example.com/api/gms', 'https://dh.example.com', 'https://dh.example.com/api/gms'],
    ['https://dh.example.com/gms/api/graphql', 'https://dh.example.com/gms', 'https://dh.example.com'],
    ['https://dh.example.com/api/graphql', 'https://dh.example.com'],
  ] as const) {
    test(`${text} offers ${baseUrls.join(', then ')}`, () => {
      assert.deepEqual(
        candidateAddresses(text),
        baseUrls.map((baseUrl) => ({ baseUrl })),
      );
    });
  }
});

suite('An address copied from a page', () => {
  for (const [text, ...baseUrls] of [
    [
      'https://host.example.com/settings/tokens',
      'https://host.example.com',
      'https://host.example.com/settings/tokens',
    ],
    ['host.example.com/browse/dataset/prod?page=2', 'https://host.example.com'],
    ['https://host.example.com/search?query=a%20b&page=1#top', 'https://host.example.com'],
    [
      'https://host.example.com/glossaryTerm/urn:li:glossaryTerm:a/Related',
      'https://host.example.com',
      'https://host.example.com/glossaryTerm/urn:li:glossaryTerm:a/Related',
    ],
    ['http://localhost:9002/login?redirect_uri=%2F', 'http://localhost:9002'],
    [
      'https://host.example.com/datahub/settings/tokens/',
      'https://host.example.com/datahub',
      'https://host.example.com/datahub/settings/tokens',
    ],
    [
      'https://host.example.com/openapi/swagger-ui/index.html',
      'https://host.example.com',
      'https://host.example.com/openapi/swagger-ui/index.html',
    ],
    [
      'https://host.example.com/api/gms/browse/x',
      'https://host.example.com',
      'https://host.example.com/api/gms/browse/x',
    ],
    // Not a known page, so possibly the service's own path.
    ['https://host.example.com/datahub', 'https://host.example.com/datahub', 'https://host.example.com'],
    ['https://host.example.com/datahub/api/graphql', 'https://host.example.com/datahub', 'https://host.example.com'],
    ['https://host.example.com', 'https://host.example.com'],
    ['https://host.example.com/api/graphql', 'https://host.example.com'],
    ['http://10.0.0.7/settings', 'http://10.0.0.7', 'http://10.0.0.7/settings'],
  ] as const) {
    test(`${text} offers ${baseUrls.join(', then ')}`, () => {
      assert.deepEqual(
        candidateAddresses(text),
        baseUrls.map((baseUrl) => ({ baseUrl })),
      );
    });
  }

  for (const text of [
    '',
    'ftp://host.example.com/settings',
    'https://jdoe:secret@host.example.com/settings',
    'https:\\\\host.example.com\\settings',
    'https://host.example.com/?x=1',
    'https://ho st/settings',
  ]) {
    test(`"${text}" is refused for its other mistake`, () => assert.ok('problem' in candidateAddresses(text)));
  }

  test('offers only the pasted origin, and only valid addresses', () => {
    const segment = fc.constantFrom(
      'settings',
      'browse',
      'datahub',
      'api',
      'gms',
      'graphql',
      'urn:li:x',
      '..',
      '%2e',
      '',
    );
    const path = fc.array(segment).map((segments) => segments.join('/'));
    fc.assert(
      fc.property(fc.webUrl(), path, fc.constantFrom('', '?a=b', '#c'), (url, rest, end) => {
        const text = `${new URL(url).origin}/${rest}${end}`;
        const found = candidateAddresses(text);
        for (const one of 'problem' in found ? [] : found) {
          const { origin, pathname } = new URL(one.baseUrl);
          assert.equal(origin, new URL(text).origin);
          assert.equal(one.baseUrl, origin + pathname.replace(/\/+$/, ''));
          assert.ok('baseUrl' in checkBaseUrl(one.baseUrl));
        }
      }),
    );
  });
});

suite('A host', () => {
  test('on this machine is distinguished from one that only looks like it', () => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', '::1']) {
      assert.ok(isLoopbackHost(host), host);
    }
    for (const host of [
      'localhost.example.com',
      'a.localhost',
      '127.0.0.1.example.com',
      '128.0.0.1',
      '0.0.0.0',
      'mylocalhost',
      'a127.0.0.1',
      '[::2]',
      '127.0.0',
      // On this machine, but behind VS Code's proxy.
      '127.0.0.2',
      '127.9.8.7',
      '127.10.200.255',
      'localhost.',
    ]) {
      assert.ok(!isLoopbackHost(host), host);
    }
  });

  for (const [text, baseUrl] of [
    ['http://127.0.0.2:8080', 'http://127.0.0.2:8080'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://2130706434', 'http://127.0.0.2'],
    ['127.0.0.2:8080', 'https://127.0.0.2:8080'],
    ['http://[::ffff:127.0.0.1]', 'http://[::ffff:7f00:1]'],
    ['http://localhost.', 'http://localhost.'],
    ['localhost:8080', 'http://localhost:8080'],
  ] as const) {
    const needsConsent = !/^https:|localhost(?!\.)|127\.0\.0\.1$/.test(baseUrl);
    test(`"${text}" ${needsConsent ? 'needs' : 'needs no'} consent`, () => {
      assert.deepEqual(checkBaseUrl(text), { baseUrl });
      assert.equal(isExposed(baseUrl), needsConsent);
    });
  }
});
