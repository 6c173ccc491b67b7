import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskTexts } from '../../../../src/truncation/texts/taskTexts.ts';
import { CONNECTION, NOW } from '../samples.ts';

test('A connection that was signed out has no other user: nobody is known', () => {
  const signedIn = { ...CONNECTION, signIn: { origin: 'https://datahub.example.com', storedAt: NOW } };
  const signedOut = { ...CONNECTION, actorUrn: undefined };
  const { sentence } = taskTexts.connectionChanged(signedIn, signedOut, false);
  assert.equal(sentence, 'The sign-in has changed since the dry run.');
});
