import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Dialect } from '../../../src/service/dialect.ts';
import type { Service } from '../../../src/service/service.ts';
import type { CreateToken, ListTokens } from '../../../src/service/tokens.ts';
import { KNOWN_DIALECT, ME, SCHEMA_OF_0_14, SCHEMA_OF_TODAY, failureOf, recordedPauses, serviceAt } from './clients.ts';
import { reply, wireServer } from './wireServer.ts';
import type { SeenRequest, WireServer } from './wireServer.ts';

const OWN: ListTokens = { scope: { kind: 'owned', ownerUrn: ME }, filters: [], start: 0, count: 10 };
const EMPTY = { data: { listAccessTokens: { start: 0, count: 10, total: 0, tokens: [] } } };
const NEW: CreateToken = { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_HOUR', name: 'my personal token', description: 'ci' };
const CREATED = { data: { createAccessToken: { accessToken: 'new-token', metadata: { id: 'new-id', name: 'my personal token', description: 'ci' } } } };

const refusal = (code: number, message = 'no'): object => ({ errors: [{ message, path: ['x'], extensions: { code } }], data: null });
const invalid = (...messages: string[]): object => ({ errors: messages.map((message) => ({ message, extensions: { classification: 'ValidationError' } })), data: null });

interface Asked {
  readonly service: Service;
  readonly server: WireServer;
  readonly pauses: readonly number[];
  /** The GraphQL bodies that were sent. */
  readonly sent: () => { readonly query: string; readonly variables: Record<string, unknown> }[];
}

/** A service that gives these answers one after the other, the last one again and again. */
async function answering(context: TestContext, answers: readonly (object | ((request: SeenRequest) => object))[], schema: Dialect['schema'] | 'unknown' = SCHEMA_OF_TODAY): Promise<Asked> {
  let next = 0;
  const server = await wireServer(context, (request, response) => {
    const answer = answers[Math.min(next++, answers.length - 1)] ?? {};
    reply(response, 200, typeof answer === 'function' ? (answer as (seen: SeenRequest) => object)(request) : answer);
  });
  const { pauses, pause } = recordedPauses();
  const service = serviceAt(server.url, { dialect: { ...KNOWN_DIALECT, schema: schema === 'unknown' ? undefined : schema }, pause });
  return { service, server, pauses, sent: () => server.requests.map(({ body }) => JSON.parse(body) as ReturnType<Asked['sent']>[number]) };
}

suite('Listing tokens', () => {
  test('always says where the page begins and how long it is', async (context) => {
    const { service, sent } = await answering(context, [EMPTY]);
    assert.deepEqual(await service.tokens.list({ ...OWN, start: 20 }), { tokens: [], received: 0, total: 0 });
    assert.deepEqual(sent()[0]?.variables, { start: 20, count: 10, field0: 'ownerUrn', value0: [ME] });
  });

  test('names the privilege that is missing: for one’s own, for those issued to one, for all', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    assert.equal((await failureOf(service.tokens.list(OWN))).privilege, 'Generate Personal Access Tokens');
    assert.equal((await failureOf(service.tokens.list({ ...OWN, scope: { kind: 'issued', actorUrn: ME } }))).privilege, 'Manage All Access Tokens');
    const all = await failureOf(service.tokens.list({ ...OWN, scope: { kind: 'all' } }));
    assert.equal(all.privilege, 'Manage All Access Tokens');
    assert.match(all.message, /you may not list the access tokens of others/);
  });

  test('that trips over a row revoked a moment ago is done again, once, some seconds later', async (context) => {
    const stale = { errors: [{ message: "The field at path '/listAccessTokens/tokens[0]/name' was declared as a non null type", path: ['listAccessTokens', 'tokens', 0, 'name'], extensions: { classification: 'NullValueInNonNullableField' } }], data: null };
    const well = await answering(context, [stale, EMPTY]);
    assert.equal((await well.service.tokens.list(OWN)).received, 0);
    assert.deepEqual(well.pauses, [3_000]);
    const ill = await answering(context, [stale]);
    assert.equal((await failureOf(ill.service.tokens.list(OWN))).kind, 'server');
    assert.equal(ill.server.requests.length, 2);
  });

  test('learns how this server spells, remembers it once it was understood, and asks so at once from then on', async (context) => {
    const complaints = ["argument 'input.filters[0]' contains a field not in 'FacetFilterInput': 'values'", "Field 'name' in type 'ListedAccessToken' is undefined", "Field 'expiresAt' in type 'ListedAccessToken' is undefined"];
    // Introspection tells nothing, and neither does the question for a type.
    const { service, sent } = await answering(context, [{ data: {} }, invalid('Unused variable'), invalid(...complaints), EMPTY], 'unknown');
    await service.tokens.list(OWN);
    await service.tokens.list(OWN);
    const [, , asked, learned, again] = sent();
    assert.match(asked?.query ?? '', /values: \$value0/);
    assert.match(learned?.query ?? '', /value: \$value0.*tokens \{ urn id actorUrn description ownerUrn createdAt \}/);
    assert.equal(again?.query, learned?.query);
    assert.equal(sent().length, 5);
    assert.equal(service.dialect.known.schema?.filterSpelling, 'value');
  });

  test('asks for the schema before it learns where that was remembered from before an upgrade', async (context) => {
    const types = { data: { create: { inputFields: [] }, filter: { inputFields: [{ name: 'values' }, { name: 'condition' }] } } };
    const old = { ...SCHEMA_OF_0_14, filterSpelling: 'value', tokenFields: ['urn', 'id', 'actorUrn'] } as const;
    const { service, sent } = await answering(context, [invalid("contains a field not in 'FacetFilterInput': 'value'"), types, EMPTY], old);
    await service.tokens.list(OWN);
    assert.deepEqual(sent().map(({ query }) => /value: |values: |__type/.exec(query)?.[0]), ['value: ', '__type', 'values: ']);
    assert.equal(service.dialect.known.schema?.tokenFields.length, 8);
  });

  test('forgets a lesson that the server did not understand either', async (context) => {
    const { service } = await answering(context, [invalid('Validation failed.')]);
    assert.equal((await failureOf(service.tokens.list(OWN))).kind, 'invalidDocument');
    assert.notEqual(service.dialect.known.schema?.filterSpelling, 'value');
  });

  test('as the interface description has it tries the other field for one’s own, and remembers it', async (context) => {
    const spec = { ...SCHEMA_OF_0_14, filterSpelling: 'value', tokenFields: ['urn', 'id', 'actorUrn'] } as const;
    const { service, sent } = await answering(
      context,
      [({ body }) => ((JSON.parse(body) as { variables: { field0: string } }).variables.field0 === 'actorUrn' ? EMPTY : refusal(403))],
      spec,
    );
    await service.tokens.list(OWN);
    await service.tokens.list(OWN);
    assert.deepEqual(sent().map(({ variables }) => variables['field0']), ['ownerUrn', 'actorUrn', 'actorUrn']);
    assert.equal(service.dialect.known.schema?.ownerField, 'actorUrn');
  });

  test('tells the first refusal where the other field is refused too, or where the server is known to check the owner', async (context) => {
    const spec = { ...SCHEMA_OF_0_14, filterSpelling: 'value', tokenFields: ['urn', 'id', 'actorUrn'] } as const;
    const strict = await answering(context, [refusal(403, 'first'), refusal(500, 'second')], spec);
    assert.equal((await failureOf(strict.service.tokens.list(OWN))).serverText, 'first');
    const real = await answering(context, [refusal(403)]);
    await failureOf(real.service.tokens.list(OWN));
    assert.equal(real.server.requests.length, 1);
  });

  for (const data of [{}, { listAccessTokens: null }, { listAccessTokens: { tokens: 7 } }]) {
    test(`is no listing in ${JSON.stringify(data)}`, async (context) => {
      const { service } = await answering(context, [{ data }]);
      assert.equal((await failureOf(service.tokens.list(OWN))).kind, 'unexpectedAnswer');
    });
  }
});

suite('Creating a token', () => {
  test('sends what was asked for as variables and gives the string as a secret', async (context) => {
    const { service, sent } = await answering(context, [CREATED]);
    const created = await service.tokens.create(NEW, true);
    assert.equal(created.secret.reveal(), 'new-token');
    assert.deepEqual([created.id, created.name, created.description], ['new-id', 'my personal token', 'ci']);
    assert.ok(!JSON.stringify(created).includes('new-token'));
    assert.deepEqual(sent()[0]?.variables, { input: { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_HOUR', name: 'my personal token', description: 'ci' } });
    assert.equal(
      sent()[0]?.query,
      'mutation createAccessToken($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { accessToken metadata { id name description } } }',
    );
  });

  test('as the interface description has it uses its input type and sends no description', async (context) => {
    const { service, sent } = await answering(context, [CREATED], { ...SCHEMA_OF_0_14, createInputType: 'GetAccessTokenInput', createTakesDescription: false });
    await service.tokens.create(NEW, true);
    assert.match(sent()[0]?.query ?? '', /\$input: GetAccessTokenInput!/);
    assert.deepEqual(sent()[0]?.variables, { input: { type: 'PERSONAL', actorUrn: ME, duration: 'ONE_HOUR', name: 'my personal token' } });
  });

  test('for a service account, and for any length of time, where the server knows both', async (context) => {
    const { service, sent } = await answering(context, [CREATED]);
    await service.tokens.create({ ...NEW, type: 'SERVICE_ACCOUNT', duration: { iso: 'P45D' }, description: undefined }, false);
    assert.deepEqual(sent()[0]?.variables, { input: { type: 'SERVICE_ACCOUNT', actorUrn: ME, durationIso: 'P45D', name: 'my personal token' } });
  });

  test('is not tried where the server could not understand it', async (context) => {
    const { service, server } = await answering(context, [CREATED], SCHEMA_OF_0_14);
    assert.equal((await failureOf(service.tokens.create({ ...NEW, type: 'SERVICE_ACCOUNT' }, false))).kind, 'unsupported');
    assert.equal((await failureOf(service.tokens.create({ ...NEW, duration: { iso: 'P45D' } }, true))).kind, 'unsupported');
    const today = await answering(context, [CREATED]);
    assert.equal((await failureOf(today.service.tokens.create({ ...NEW, duration: { iso: 'forever' } }, true))).kind, 'badRequest');
    assert.equal(server.requests.length + today.server.requests.length, 0);
  });

  test('names the privilege that is missing: for oneself, for others, for service accounts', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    const privilege = async (request: CreateToken, isSelf: boolean): Promise<string | undefined> => (await failureOf(service.tokens.create(request, isSelf))).privilege;
    assert.equal(await privilege(NEW, true), 'Generate Personal Access Tokens');
    assert.equal(await privilege(NEW, false), 'Manage All Access Tokens');
    assert.equal(await privilege({ ...NEW, type: 'SERVICE_ACCOUNT' }, false), 'Manage Service Accounts');
  });

  test('succeeds although the server does not tell what it made', async (context) => {
    for (const metadata of [null, undefined, 7, {}]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { service } = await answering(context, [{ data: { createAccessToken: { accessToken: 'new-token', metadata } }, errors: [{ message: 'no metadata', path: ['createAccessToken', 'metadata'] }] }]);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const created = await service.tokens.create(NEW, true);
      assert.deepEqual([created.secret.reveal(), created.id, created.name], ['new-token', '', 'my personal token']);
    }
  });

  test('with no string in the answer may have happened, and that is told', async (context) => {
    const { service } = await answering(context, [{ data: { createAccessToken: { accessToken: '', metadata: { id: 'x' } } } }]);
    const failure = await failureOf(service.tokens.create(NEW, true));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['unexpectedAnswer', true]);
  });

  test('with a duration that the server’s policy rules out teaches what to offer', async (context) => {
    const { service } = await answering(context, [refusal(400, 'Creating access tokens with no expiry is disabled. Configure authentication.accessTokens.allowNoExpiry=true to enable.')]);
    assert.ok((await service.durations()).includes('NO_EXPIRY'));
    const failure = await failureOf(service.tokens.create({ ...NEW, duration: 'NO_EXPIRY' }, true));
    assert.deepEqual([failure.kind, failure.mayHaveActed, failure.next], ['badRequest', false, 'Choose another duration.']);
    assert.ok(!(await service.durations()).includes('NO_EXPIRY'));
    assert.deepEqual(service.dialect.known.refusedDurations, ['NO_EXPIRY']);
  });

  test('that the schema does not fit is not repeated, and teaches what to send next time', async (context) => {
    const { service, server } = await answering(context, [invalid('Validation error (UnknownType) : Unknown type \'CreateAccessTokenInput\''), { data: {} }, invalid("Unknown type 'CreateAccessTokenInput'")]);
    const failure = await failureOf(service.tokens.create(NEW, true));
    assert.deepEqual([failure.kind, failure.mayHaveActed], ['invalidDocument', false]);
    assert.match(failure.next ?? '', /^Nothing was created\..*try again\.$/);
    assert.equal(server.requests.length, 1);
    assert.equal((await service.schema()).createInputType, 'GetAccessTokenInput');
  });
});

suite('Revoking a token', () => {
  test('sends the id as a variable, whatever is in it', async (context) => {
    const { service, sent } = await answering(context, [{ data: { revokeAccessToken: true } }]);
    await service.tokens.revoke('HnMJylxuowJ1FKN74BbGogLvXCS4w+fsd3MZdI35+8A="}');
    assert.deepEqual(sent()[0]?.variables, { tokenId: 'HnMJylxuowJ1FKN74BbGogLvXCS4w+fsd3MZdI35+8A="}' });
  });

  test('has failed when the server says false, and may have happened when it says nothing', async (context) => {
    const no = await answering(context, [{ data: { revokeAccessToken: false } }]);
    const refused = await failureOf(no.service.tokens.revoke('x'));
    assert.deepEqual([refused.kind, refused.mayHaveActed], ['server', false]);
    const odd = await answering(context, [{ data: { revokeAccessToken: 'true' } }]);
    const unknown = await failureOf(odd.service.tokens.revoke('x'));
    assert.deepEqual([unknown.kind, unknown.mayHaveActed], ['unexpectedAnswer', true]);
  });

  test('of another’s token names the privilege that is missing', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    assert.equal((await failureOf(service.tokens.revoke('x'))).privilege, 'Manage All Access Tokens');
  });
});

suite('A creation without an answer', () => {
  const since = 1_700_000_000_000;
  const row = (id: string, name: string | undefined, createdAt: number | undefined): object => ({ urn: `urn:${id}`, id, actorUrn: ME, ownerUrn: ME, name, createdAt });
  const page = (...tokens: object[]): ((request: SeenRequest) => object) => ({ body }) => {
    const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
    return { data: { listAccessTokens: { total: 99, tokens: start === 0 ? tokens : [] } } };
  };

  test('is found by name and time: the newest, and none from long before', async (context) => {
    const { service, pauses } = await answering(context, [page(row('old', 'ci', since - 3_600_000), row('first', 'ci', since - 60_000), row('second', 'ci', since + 100), row('other', 'cd', since))]);
    assert.equal((await service.tokens.findCreated('ci', ME, since))?.id, 'second');
    assert.deepEqual(pauses, []);
  });

  test('is looked for again after a while, since the listing lags', async (context) => {
    const late = await answering(context, [page(), page(row('late', 'ci', since))]);
    assert.equal((await late.service.tokens.findCreated('ci', ME, since))?.id, 'late');
    assert.deepEqual(late.pauses, [3_000]);
    const never = await answering(context, [page(row('old', 'ci', since - 3_600_000))]);
    assert.equal(await never.service.tokens.findCreated('ci', ME, since), undefined);
  });

  test('is found where the server tells no names, if it is the only one that is new', async (context) => {
    const rows = page(row('known', undefined, undefined), row('new', undefined, undefined));
    const { service } = await answering(context, [rows]);
    assert.equal((await service.tokens.findCreated('ci', ME, since, undefined, new Set(['known'])))?.id, 'new');
    assert.equal(await service.tokens.findCreated('ci', ME, since, undefined, new Set()), undefined, 'either could be it');
    assert.equal(await service.tokens.findCreated('ci', ME, since), undefined);
  });

  test('is looked for page by page, to the empty one', async (context) => {
    const { service, sent } = await answering(context, [
      ({ body }) => {
        const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
        const tokens = Array.from({ length: Math.max(0, Math.min(100, 230 - start)) }, (_, index) => row(`t${start + index}`, 'x', since));
        return { data: { listAccessTokens: { total: 1_000_000, tokens } } };
      },
    ]);
    assert.equal((await service.tokens.find('t229', { kind: 'all' }))?.id, 't229');
    assert.deepEqual(sent().map(({ variables }) => variables['start']), [0, 100, 200, 230]);
    assert.equal(await service.tokens.find('gone', { kind: 'all' }), undefined);
  });

  test('is not looked for without end where a server overlooks where a page begins', async (context) => {
    const { service, server } = await answering(context, [{ data: { listAccessTokens: { total: 1_000_000, tokens: [row('same', 'x', since)] } } }]);
    assert.equal(await service.tokens.find('gone', { kind: 'all' }), undefined);
    assert.equal(server.requests.length, 2);
  });
});
