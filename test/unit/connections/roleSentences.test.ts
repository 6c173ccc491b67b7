import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { productionLine } from '../../../src/connections/roleSentences.ts';

suite('The first line of a question about production', () => {
  const baseUrl = 'https://datahub.example.com:8443/gms';
  for (const [name, role, lines] of [
    ['Main', 'production', [`Production connection: Main (${baseUrl})`]],
    // As the form proposes it.
    ['datahub.example.com:8443', 'production', [`Production connection: ${baseUrl}`]],
    ['datahub.example.com', 'production', [`Production connection: datahub.example.com (${baseUrl})`]],
    ['Main', 'development', []],
    ['Main', 'readOnly', []],
  ] as const) {
    test(`is ${lines[0] ?? 'not there'} for ${name}, ${role}`, () =>
      assert.deepEqual(productionLine({ name, baseUrl, role }), lines));
  }
});
