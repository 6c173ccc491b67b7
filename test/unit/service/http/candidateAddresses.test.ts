import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { checkBaseUrl } from '../../../../src/service/http/baseUrl.ts';
import { candidateAddresses } from '../../../../src/service/http/candidateAddresses.ts';

suite('An address with a path', () => {
  const [HOST, BROWSE] = ['https://dh.test', 'https://dh.test/browse/x'];

  for (const [text, ...baseUrls] of [
    // Of the interface, which may be the service's own.
    ['https://dh.test/gms', HOST, 'https://dh.test/gms'],
    ['dh.test/gms/', HOST, 'https://dh.test/gms'],
    ['https://dh.test/x/gms', 'https://dh.test/x', 'https://dh.test/x/gms', HOST],
    ['https://dh.test/gms/operations?action=x', HOST, 'https://dh.test/gms'],
    ['https://dh.test/api/gms', HOST, 'https://dh.test/api/gms'],
    ['https://dh.test/gms/api/graphql', 'https://dh.test/gms', HOST],
    ['https://dh.test/api/graphql', HOST],
    // Of a page.
    [BROWSE, HOST, BROWSE],
    ['dh.test/browse/dataset/prod?page=2', HOST],
    ['https://dh.test/search?query=a%20b&page=1#top', HOST],
    ['https://dh.test/glossaryTerm/urn:li:x:a/Related', HOST, 'https://dh.test/glossaryTerm/urn:li:x:a/Related'],
    ['http://localhost:9002/login?redirect_uri=%2F', 'http://localhost:9002'],
    ['https://dh.test/datahub/settings/tokens/', 'https://dh.test/datahub', 'https://dh.test/datahub/settings/tokens'],
    ['https://dh.test/openapi/swagger-ui/index.html', HOST, 'https://dh.test/openapi/swagger-ui/index.html'],
    ['https://dh.test/api/gms/browse/x', HOST, 'https://dh.test/api/gms/browse/x'],
    ['http://10.0.0.7/settings', 'http://10.0.0.7', 'http://10.0.0.7/settings'],
    // Of nothing known, so possibly the service's own.
    ['https://dh.test/datahub', 'https://dh.test/datahub', HOST],
    ['https://dh.test/datahub/api/graphql', 'https://dh.test/datahub', HOST],
    ['https://dh.test', HOST],
    // As copied from a file, a chat or a mail.
    [' "https://dh.test/login?x=1" ', HOST],
    ['<dh.test>', HOST],
    ['“https://dh.test”', HOST],
  ] as const) {
    test(`${text} offers ${baseUrls.join(', then ')}`, () => {
      assert.deepEqual(candidateAddresses(text), baseUrls);
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
    const segments = ['settings', 'browse', 'datahub', 'api', 'gms', 'graphql', 'urn:li:x', '..', '%2e', ''];
    const segment = fc.constantFrom(...segments);
    const path = fc.array(segment).map((some) => some.join('/'));
    fc.assert(
      fc.property(fc.webUrl(), path, fc.constantFrom('', '?a=b', '#c'), (url, rest, end) => {
        const text = `${new URL(url).origin}/${rest}${end}`;
        const found = candidateAddresses(text);
        for (const one of 'problem' in found ? [] : found) {
          const { origin, pathname } = new URL(one);
          assert.equal(origin, new URL(text).origin);
          assert.equal(one, origin + pathname.replace(/\/+$/, ''));
          assert.ok('baseUrl' in checkBaseUrl(one));
        }
      }),
    );
  });
});
