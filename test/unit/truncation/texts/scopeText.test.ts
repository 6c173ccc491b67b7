import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { placeText } from '../../../../src/truncation/texts/scopeText.ts';

suite('The place of a deletion', () => {
  for (const [name, baseUrl, text] of [
    ['prod', 'https://gms.example.com/gms/', 'prod (gms.example.com/gms)'],
    ['gms.example.com', 'https://gms.example.com/gms', 'gms.example.com (gms.example.com/gms)'],
    ['localhost:8080', 'http://localhost:8080', 'localhost:8080'],
  ] as const) {
    test(`has its address, but not twice: ${text}`, () => assert.equal(placeText({ name, baseUrl }), text));
  }
});
