import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { taskTexts } from '../../../../src/truncation/texts/taskTexts.ts';
import { CONNECTION, NOW } from '../samples.ts';

const SIGNED_IN = { ...CONNECTION, signIn: { origin: 'https://datahub.example.com', storedAt: NOW } };

suite('Why a dry run no longer counts', () => {
  for (const [what, now] of [
    ["The connection's address", { ...SIGNED_IN, baseUrl: 'https://datahub.example.com/production' }],
    ["The connection's user", { ...SIGNED_IN, actorUrn: 'urn:li:corpuser:other' }],
    ['The sign-in', { ...SIGNED_IN, signIn: { ...SIGNED_IN.signIn, storedAt: NOW + 1 } }],
    // Signed out, nobody is known: there is no other user.
    ['The sign-in', { ...CONNECTION, actorUrn: undefined }],
    ["The connection's role", { ...SIGNED_IN, role: 'production' }],
    ['The connection', { ...SIGNED_IN, product: 'Service' }],
    ['The connection', undefined],
  ] as const) {
    test(`is that this has changed: ${what}`, () => {
      const sentence = `${what} has changed since the dry run.`;
      assert.equal(taskTexts.connectionChanged(SIGNED_IN, now, false).sentence, sentence);
      assert.equal(taskTexts.connectionChanged(SIGNED_IN, now, true).sentence, `Nothing was deleted. ${sentence}`);
    });
  }
});
