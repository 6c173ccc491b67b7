import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { taskTexts } from '../../../../src/truncation/texts/taskTexts.ts';
import { CONNECTION, NOW } from '../samples.ts';

const SIGN_IN = { origin: 'https://datahub.example.com', storedAt: NOW };
const SIGNED_IN = { ...CONNECTION, signIn: SIGN_IN };

suite('The reason why a truncation is not sent', () => {
  for (const [change, subject] of [
    [{ baseUrl: 'https://other.example.com', role: 'production' }, "The connection's address"],
    [{ actorUrn: 'urn:li:corpuser:other', signIn: undefined }, "The connection's user"],
    [{ actorUrn: undefined, signIn: undefined }, 'The sign-in'],
    [{ signIn: { ...SIGN_IN, storedAt: NOW + 1 }, role: 'production' }, 'The sign-in'],
    [{ role: 'production' }, "The connection's role"],
    [{ plainHttpOrigin: 'https://datahub.example.com' }, 'The connection'],
  ] as const) {
    test(`names the change with the largest effect: ${Object.keys(change).join(', ')}`, () =>
      assert.deepEqual(taskTexts.connectionChanged(SIGNED_IN, { ...SIGNED_IN, ...change }, false), {
        sentence: `${subject} has changed since the dry run.`,
        next: 'Run the dry run again.',
      }));
  }
});
