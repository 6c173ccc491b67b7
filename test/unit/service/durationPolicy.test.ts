import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { KnownCapabilities } from '../../../src/service/server/capabilities.ts';
import { INTROSPECTION } from '../../../src/service/server/schema.ts';
import type { Service } from '../../../src/service/service.ts';
import { KNOWN_CAPABILITIES, ME, SCHEMA_OF_0_14, SCHEMA_OF_TODAY, failureOf, serviceAt } from './clients.ts';
import { refusal } from './tokenServer.ts';
import { reply, wireServer } from './wireServer.ts';
import type { WireServer } from './wireServer.ts';

const TELLING = { ...SCHEMA_OF_TODAY, tellsDurationPolicy: true };
const TYPES = {
  create: { inputFields: [{ name: 'description' }, { name: 'durationIso' }] },
  filter: { inputFields: [{ name: 'values' }, { name: 'condition' }] },
};
const TELLS = {
  auth: { fields: [{ name: 'tokenAuthEnabled' }, { name: 'allowNoExpiry' }, { name: 'allowedAccessTokenDurations' }] },
};

interface Asked {
  readonly service: Service;
  readonly server: WireServer;
  /** The fields that each request asked for. */
  readonly asked: () => string[];
}

/** A server whose schema has these types and whose configuration says this, or fails so. */
async function telling(
  context: TestContext,
  authConfig: unknown,
  knownCapabilities: KnownCapabilities,
  types: object = TELLS,
): Promise<Asked> {
  const server = await wireServer(context, ({ body }, response) => {
    const { query } = JSON.parse(body) as { query: string };
    if (query.includes('__type(')) {
      return reply(response, 200, { data: { ...TYPES, ...types } });
    }
    if (query.includes('allowNoExpiry')) {
      return reply(
        response,
        200,
        typeof authConfig === 'function' ? (authConfig as () => object)() : { data: { appConfig: { authConfig } } },
      );
    }
    return reply(
      response,
      200,
      refusal(400, 'Access token duration ONE_DAY is not allowed. Allowed durations: [PT1H]'),
    );
  });
  const service = serviceAt(server.url, { knownCapabilities });
  const asked = (): string[] =>
    server.requests.map(
      ({ body }) =>
        /allowNoExpiry|__type|createAccessToken/.exec((JSON.parse(body) as { query: string }).query)?.[0] ?? '',
    );
  return { service, server, asked };
}

suite('What a new token may last', () => {
  test('is asked where the schema says that the server tells, once in a session', async (context) => {
    const { service, asked } = await telling(
      context,
      { allowNoExpiry: false, allowedAccessTokenDurations: ['PT1H', 'P1M', 'P45D'] },
      { ...KNOWN_CAPABILITIES, schema: undefined },
    );
    assert.deepEqual(await service.durations(), ['ONE_HOUR', 'ONE_MONTH', { iso: 'P45D' }]);
    assert.equal(await service.takesOtherDurations(), false);
    await Promise.all([service.durations(), service.durations()]);
    assert.deepEqual(asked(), ['__type', 'allowNoExpiry']);
    assert.match(INTROSPECTION, /auth: __type\(name: "AuthConfig"\)/);
  });

  test('is asked anew in the next session: an administrator may have changed it', async (context) => {
    let allowNoExpiry = false;
    const remembered: KnownCapabilities[] = [];
    const { service, server } = await telling(
      context,
      () => ({ data: { appConfig: { authConfig: { allowNoExpiry, allowedAccessTokenDurations: ['P1D'] } } } }),
      { ...KNOWN_CAPABILITIES, schema: TELLING, refusedDurations: ['ONE_DAY', 'NO_EXPIRY'] },
    );
    assert.deepEqual(await service.durations(), ['ONE_DAY'], 'what was refused once counts less than what is said now');
    allowNoExpiry = true;
    const next = serviceAt(server.url, {
      knownCapabilities: service.capabilities.known,
      rememberCapabilities: (known) => remembered.push(known),
    });
    assert.deepEqual(await next.durations(), ['ONE_DAY', 'NO_EXPIRY']);
    assert.ok(
      remembered.every((known) => !JSON.stringify(known).includes('P1D')),
      'it is not remembered',
    );
  });

  test('is not asked where the schema lacks the fields, or one of them', async (context) => {
    for (const types of [{}, { auth: null }, { auth: { fields: [{ name: 'allowNoExpiry' }] } }]) {
      // oxlint-disable-next-line no-await-in-loop -- one server after the other
      const { service, asked } = await telling(context, {}, { ...KNOWN_CAPABILITIES, schema: undefined }, types);
      // oxlint-disable-next-line no-await-in-loop -- one server after the other
      assert.equal((await service.durations()).length, 8);
      // oxlint-disable-next-line no-await-in-loop -- one server after the other
      assert.equal(await service.takesOtherDurations(), true);
      assert.deepEqual(asked(), ['__type']);
    }
  });

  test('is found out where a release that did not ask remembered the schema', async (context) => {
    const { tellsDurationPolicy: _, ...before } = SCHEMA_OF_TODAY;
    const { service, asked } = await telling(
      context,
      { allowNoExpiry: true, allowedAccessTokenDurations: ['P1D'] },
      { ...KNOWN_CAPABILITIES, schema: before },
    );
    assert.deepEqual(await service.durations(), ['ONE_DAY', 'NO_EXPIRY']);
    assert.deepEqual(asked(), ['__type', 'allowNoExpiry']);
  });

  for (const [what, authConfig] of Object.entries({
    'nothing of it': null,
    'nothing of either': { allowNoExpiry: null, allowedAccessTokenDurations: null },
    'an empty list': { allowedAccessTokenDurations: [] },
    'what is no length': { allowedAccessTokenDurations: ['forever', 7, null] },
    'what is no list': { allowedAccessTokenDurations: 'P1D' },
    'that it has no such field after all': () => ({
      errors: [{ message: 'x', extensions: { classification: 'ValidationError' } }],
      data: null,
    }),
    'that it may not be asked': () => refusal(403),
    'that it broke': () => refusal(500),
  })) {
    test(`is not known where the server tells ${what}`, async (context) => {
      const { service } = await telling(context, authConfig, { ...KNOWN_CAPABILITIES, schema: TELLING });
      assert.equal((await service.durations()).length, 8);
      assert.equal(await service.takesOtherDurations(), true);
    });
  }

  test('is nothing but what the schema names where the server takes no other length', async (context) => {
    const { service } = await telling(context, {}, { ...KNOWN_CAPABILITIES, schema: SCHEMA_OF_0_14 });
    assert.equal(await service.takesOtherDurations(), false);
  });

  test('is no answer of a server that does not accept the credential', async (context) => {
    const { service } = await telling(context, () => refusal(401), { ...KNOWN_CAPABILITIES, schema: TELLING });
    assert.equal((await failureOf(service.durations())).kind, 'signedOut');
  });

  test('is what a refusal says, when it says otherwise later in the session', async (context) => {
    const { service } = await telling(
      context,
      { allowNoExpiry: false, allowedAccessTokenDurations: ['P1D'] },
      { ...KNOWN_CAPABILITIES, schema: TELLING },
    );
    assert.deepEqual(await service.durations(), ['ONE_DAY']);
    await failureOf(
      service.tokens.create(
        { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_DAY', name: 'x', description: undefined },
        true,
      ),
    );
    assert.deepEqual(await service.durations(), ['ONE_HOUR']);
  });
});
