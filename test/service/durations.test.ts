import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoMillis } from './isoDuration.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { createDocument } from './tokenDocuments.ts';

const day = 24 * 60 * 60 * 1000;

test('a token lasts as long as its name or ISO text says, compared by length and not as a text', async (t) => {
  const service = await serviceFor(t, { profile: 'next' });
  const neitherOrBoth = /^Exactly one of duration or durationIso must be provided/;
  for (const [fields, expected] of [
    [{ duration: 'ONE_YEAR' }, 365],
    [{ durationIso: 'P1M' }, 30],
    [{ durationIso: 'P4W2D' }, 30],
    [{ durationIso: 'PT24H' }, 1],
    [{ durationIso: 'p7d' }, 7],
    [{}, neitherOrBoth],
    [{ duration: 'ONE_DAY', durationIso: 'P1D' }, neitherOrBoth],
    [{ duration: 'ONE_DAY', durationIso: ' ' }, neitherOrBoth],
  ] as const) {
    const input = { type: 'PERSONAL', actorUrn: service.users.admin.urn, name: 'x', ...fields };
    const { body } = await new TestClient(service, 'admin').graphql(createDocument, { input });
    if (typeof expected === 'number') {
      const metadata = dig(body, 'data', 'createAccessToken', 'metadata');
      const lasting = Number(dig(metadata, 'expiresAt')) - Number(dig(metadata, 'createdAt'));
      assert.equal(lasting / day, expected, JSON.stringify(fields));
    } else {
      assert.match(String(dig(body, 'errors', 0, 'message')), expected, JSON.stringify(fields));
    }
  }
});

test('an ISO text must be a length', () => {
  for (const text of ['P', 'PT', '30D', 'P1D2W', 'P-1D', 'P1.5D', 'THREE_YEARS']) {
    assert.throws(() => isoMillis(text), { message: `Invalid ISO-8601 access token duration: ${text}` });
  }
  assert.throws(() => isoMillis('PT0S'), { message: 'Access token duration must be positive: PT0S' });
  assert.equal(isoMillis('PT1.5S'), 1500);
});
