import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import type { KnownFacts } from '../../../../src/service/server/facts.ts';
import type { MetadataService } from '../../../../src/service/service.ts';
import { failureOf, KNOWN_FACTS, SCHEMA_OF_TODAY, serviceAt, typeAnswer } from '../clients.ts';
import { refusal } from '../tokenServer.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';
import { parseDurationRefusal } from '../../../../src/service/tokens/durationPolicy.ts';

const TELLING = { ...SCHEMA_OF_TODAY, tellsDurationPolicy: true };
const UNASKED = { ...SCHEMA_OF_TODAY, tellsDurationPolicy: undefined };
const POLICY_FIELDS = ['tokenAuthEnabled', 'allowNoExpiry', 'allowedAccessTokenDurations'];

interface Asked {
  readonly service: MetadataService;
  readonly server: WireServer;
  /** Fields that each request asked for. */
  readonly asked: () => string[];
}

/** A server with these fields of its configuration in the schema, and this configuration, or this failure. */
async function telling(
  context: TestContext,
  authConfig: unknown,
  knownFacts: KnownFacts,
  fields: readonly string[] | null = POLICY_FIELDS,
): Promise<Asked> {
  const server = await wireServer(context, ({ body }, response) => {
    const { query } = JSON.parse(body) as { query: string };
    if (query.includes('"AuthConfig"')) {
      return reply(response, 200, typeAnswer('fields', fields));
    }
    return reply(
      response,
      200,
      typeof authConfig === 'function' ? (authConfig as () => object)() : { data: { appConfig: { authConfig } } },
    );
  });
  const service = serviceAt(server.url, { knownFacts });
  const asked = (): string[] =>
    server.requests.map(
      ({ body }) => /allowNoExpiry|AuthConfig/.exec((JSON.parse(body) as { query: string }).query)?.[0] ?? '',
    );
  return { service, server, asked };
}

suite('The duration policy', () => {
  test('is read once in a session if the schema has it', async (context) => {
    const { service, asked } = await telling(
      context,
      { allowNoExpiry: false, allowedAccessTokenDurations: ['PT1H', 'P1M', 'P45D'] },
      { ...KNOWN_FACTS, ...UNASKED },
    );
    assert.deepEqual(await service.offeredDurations(), ['ONE_HOUR', 'ONE_MONTH', { iso: 'P45D' }]);
    await Promise.all([service.offeredDurations(), service.offeredDurations()]);
    assert.deepEqual(asked(), ['AuthConfig', 'allowNoExpiry']);
  });

  for (const fields of [[], null, ['allowNoExpiry']]) {
    test(`is not requested if the schema has ${JSON.stringify(fields)}`, async (context) => {
      const { service, asked } = await telling(context, {}, { ...KNOWN_FACTS, ...UNASKED }, fields);
      assert.equal((await service.offeredDurations()).length, 8);
      assert.deepEqual(asked(), ['AuthConfig']);
    });
  }

  for (const [what, authConfig] of Object.entries({
    'no configuration': null,
    'null for both': { allowNoExpiry: null, allowedAccessTokenDurations: null },
    'an empty list': { allowedAccessTokenDurations: [] },
    'invalid lengths': { allowedAccessTokenDurations: ['forever', 7, null] },
    'no list': { allowedAccessTokenDurations: 'P1D' },
    'with a refusal': () => refusal(403),
    'with an error': () => refusal(500),
  })) {
    test(`is unknown if the server answers ${what}`, async (context) => {
      const { service } = await telling(context, authConfig, { ...KNOWN_FACTS, ...TELLING });
      assert.equal((await service.offeredDurations()).length, 8);
    });
  }

  test('fails if the server does not accept the credential', async (context) => {
    const { service } = await telling(context, () => refusal(401), { ...KNOWN_FACTS, ...TELLING });
    assert.equal((await failureOf(service.offeredDurations())).kind, 'signedOut');
  });

  test('has each length once, nothing else, and a sensible number of them', async (context) => {
    const many = Array.from({ length: 100_000 }, (_, days) => `P${(days % 9_999) + 1}D`);
    for (const [listed, count] of [
      [['P7D', 'P1W', 'forever', 7, null, ' pt1h ', 'P0D'], 2],
      [many, 50],
    ] as const) {
      const policy = { allowNoExpiry: false, allowedAccessTokenDurations: listed };
      const { service } = await telling(context, policy, { ...KNOWN_FACTS, ...TELLING });
      assert.equal((await service.offeredDurations()).length, count);
    }
  });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

suite('A refusal of a duration', () => {
  for (const [text, allowed] of [
    ['Unrecognized access token duration ONE_WEEK provided', []],
    ['Access token duration ONE_WEEK could not be mapped to milliseconds', []],
    ['Access token duration ONE_YEAR is not allowed. Allowed durations: [PT1H, P1D, P30D]', [HOUR, DAY, 30 * DAY]],
    [
      'Access token duration ONE_YEAR is not allowed. Choose a value from ACCESS_TOKEN_ALLOWED_DURATIONS (currently: [PT24H, P1W, P1M, P3Y]).',
      [DAY, 7 * DAY, 30 * DAY, 3 * 365 * DAY],
    ],
    ["Access token duration 'P400D' is not allowed. Allowed durations: PT1H, P1D", [HOUR, DAY]],
    ['Never-expiring access tokens (NO_EXPIRY) cannot be created.', []],
    ['allowed durations:[PT1H]', [HOUR]],
    [
      'Allowed durations: \n [P7D, P1D, PT1H, P30D, P90D, P180D, P365D]',
      [7 * DAY, DAY, HOUR, 30 * DAY, 90 * DAY, 180 * DAY, 365 * DAY],
    ],
    ['Invalid input for enum "AccessTokenDuration".', []],
    ['Value ONE_WEEK does not exist in enum AccessTokenDuration', []],
    [
      "Variable 'input' has an invalid value: Invalid input for enum 'AccessTokenDuration'. No value found for name 'ONE_WEEK'",
      [],
    ],
  ] as const) {
    test(`names ${allowed.length} allowed lengths in the words "${text.slice(0, 90)}"`, () => {
      assert.deepEqual(parseDurationRefusal(text), allowed);
    });
  }

  for (const text of [
    'An unknown error occurred.',
    'Unauthorized to perform this action. Please contact your DataHub administrator.',
    'Token name must not be empty',
  ]) {
    test(`is not recognized in "${text.slice(0, 60)}"`, () => assert.equal(parseDurationRefusal(text), undefined));
  }

  test('names only lengths, whatever it says', () => {
    const word = fc.oneof(
      fc.constantFrom('P1D', 'PT1H', 'P30D', 'P1M', '[', ']', ', ', 'Allowed durations:', '(currently: ', 'P', 'T'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        assert.ok(parseDurationRefusal(words.join(' '))?.every((length) => length > 0) ?? true);
      }),
    );
  });
});
