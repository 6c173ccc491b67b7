import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { isoMillis } from './isoDuration.ts';
import { startService, type RunningService } from './main.ts';
import type { ServiceOptions } from './options.ts';
import { dig, TestClient } from './testClient.ts';
import { createDocument } from './tokenDocuments.ts';

const day = 24 * 60 * 60 * 1000;

let service: RunningService | undefined;

/**
 * Creates a token with these fields.
 * @returns the error, or null
 */
async function errorOf(fields: object): Promise<unknown> {
  const body = await create(fields);
  return dig(body, 'data', 'createAccessToken') === null ? dig(body, 'errors', 0) : null;
}

async function create(fields: object): Promise<unknown> {
  assert.ok(service);
  const input = { type: 'PERSONAL', actorUrn: service.users.admin.urn, name: 'x', ...fields };
  return (await new TestClient(service, 'admin').graphql(createDocument, { input })).body;
}

async function start(options: ServiceOptions): Promise<void> {
  service = await startService({ profile: 'next', tokens: 0, rows: 16, ...options });
}

describe('durations of the main line', () => {
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  const daysOf = async (fields: object): Promise<number> => {
    const metadata = dig(await create(fields), 'data', 'createAccessToken', 'metadata');
    return (Number(dig(metadata, 'expiresAt')) - Number(dig(metadata, 'createdAt'))) / day;
  };

  test('are given by name or as an ISO text, never both', async () => {
    await start({});
    assert.equal(await daysOf({ duration: 'ONE_YEAR' }), 365);
    assert.equal(await daysOf({ durationIso: 'P90D' }), 90);
    for (const fields of [{}, { duration: 'ONE_DAY', durationIso: 'P1D' }, { duration: 'ONE_DAY', durationIso: ' ' }]) {
      assert.match(
        String(dig(await errorOf(fields), 'message')),
        /^Exactly one of duration or durationIso must be provided/,
      );
    }
  });

  test('are compared by length, not as texts', async () => {
    await start({});
    for (const [durationIso, days] of [
      ['P1W', 7],
      ['P1M', 30],
      ['P3M', 90],
      ['P1Y', 365],
      ['P4W2D', 30],
      ['PT24H', 1],
      ['p7d', 7],
    ] as const) {
      assert.equal(await daysOf({ durationIso }), days, durationIso);
    }
  });

  test('are refused in other words by the first version of the rules', async () => {
    await start({ durationWording: 'early', allowedDurations: ['PT1H', 'P1M'] });
    assert.equal(
      dig(await errorOf({ duration: 'ONE_YEAR' }), 'message'),
      'Access token duration ONE_YEAR is not allowed. Allowed durations: [PT1H, P1M]',
    );
    assert.equal(await daysOf({ duration: 'ONE_MONTH' }), 30);
    assert.equal(await daysOf({ duration: 'ONE_MONTH', durationIso: '' }), 30, 'an empty text counts as none');
  });

  test('may include never expiring and other lengths in an installation, and the refusal says so', async () => {
    await start({ allowNoExpiry: true, allowedDurations: ['P2D'] });
    assert.equal(
      dig(await create({ duration: 'NO_EXPIRY' }), 'data', 'createAccessToken', 'metadata', 'expiresAt'),
      null,
    );
    assert.equal(await daysOf({ durationIso: 'PT48H' }), 2);
    assert.ok(service);
    const query = '{ appConfig { authConfig { tokenAuthEnabled allowNoExpiry allowedAccessTokenDurations } } }';
    const { body } = await new TestClient(service, 'guest').graphql(query);
    assert.deepEqual(dig(body, 'data', 'appConfig', 'authConfig'), {
      tokenAuthEnabled: true,
      allowNoExpiry: true,
      allowedAccessTokenDurations: ['P2D'],
    });
  });

  test('must be parseable', () => {
    for (const text of ['P', 'PT', '30D', 'P1D2W', 'P-1D', 'P1.5D', 'THREE_YEARS']) {
      assert.throws(() => isoMillis(text), { message: `Invalid ISO-8601 access token duration: ${text}` });
    }
    assert.throws(() => isoMillis(' '), { message: 'Access token duration must not be blank' });
    assert.throws(() => isoMillis('PT0S'), { message: 'Access token duration must be positive: PT0S' });
    assert.equal(isoMillis('PT1.5S'), 1500);
  });
});
