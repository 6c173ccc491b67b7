import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { suggestRole } from '../../../src/connections/suggestRole.ts';

suite('The suggested role', () => {
  for (const [name, baseUrl, role, because] of [
    ['PROD-EU', 'https://datahub.example.com', 'production', 'prod'],
    ['myProd', 'https://datahub.example.com', 'production', 'prod'],
    ['Live data', 'https://datahub.example.com', 'production', 'live'],
    ['DataHub', 'https://datahub.prod2.example.com:8080', 'production', 'prod2'],
    ['Production through a tunnel', 'http://localhost:9002', 'production', 'production'],
    ['Staging', 'https://prod.example.com', 'production', 'prod'],
    ['DataHub', 'https://datahub-dev.example.com', 'development', 'dev'],
    ['DataHub', 'https://staging.example.com/gms', 'development', 'staging'],
    ['Pre-prod', 'https://datahub.example.com', 'development', 'preprod'],
    ['DataHub', 'https://non-prod.example.com', 'development', 'nonprod'],
    ['DataHub', 'http://localhost:8080', 'development', 'localhost'],
    ['DataHub', 'http://[::1]:8080', 'development', '[::1]'],
  ] as const) {
    test(`for "${name}" at ${baseUrl} is ${role}, because of "${because}"`, () =>
      assert.deepEqual(suggestRole({ name, baseUrl }), { role, because }));
  }

  for (const [name, baseUrl] of [
    ['DataHub', 'https://datahub.example.com'],
    ['Products', 'https://products.example.com'],
    ['Olive', 'https://delivery.example.com'],
    ['Latest', 'https://contest.example.com'],
    ['Producer', 'https://192.168.0.1'],
    ['DataHub', 'https://datahub.corp.local'],
    ['DataHub', 'https://datahub.example.dev'],
  ] as const) {
    test(`for "${name}" at ${baseUrl} is none, since a part of a word or a top-level domain doesn't count`, () =>
      assert.equal(suggestRole({ name, baseUrl }), undefined));
  }
});
