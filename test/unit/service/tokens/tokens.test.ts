import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { TOKEN_FIELDS } from '../../../../src/service/server/facts.ts';
import type { TokenListingRequest } from '../../../../src/service/tokens/tokenListing.ts';
import { ALWAYS, ME, SCHEMA_OF_0_14, SCHEMA_OF_SPEC, failureOf, serviceAt, typeAnswer } from '../clients.ts';
import { answering, invalid, refusal } from '../tokenServer.ts';
import { reply, wireServer, type SeenRequest } from '../wireServer.ts';

const OWN: TokenListingRequest = { scope: { kind: 'owned', ownerUrn: ME }, filters: [], start: 0, count: 10 };
const EMPTY = { data: { listAccessTokens: { start: 0, count: 10, total: 0, tokens: [] } } };

/** Answers either question for a type that a listing needs. */
const typesOfToday = ({ body }: SeenRequest): object =>
  body.includes('FacetFilterInput')
    ? typeAnswer('inputFields', ['field', 'values', 'negated', 'condition'])
    : typeAnswer('fields', TOKEN_FIELDS);

suite('Listing tokens', () => {
  test('always sends the start and the size of the page', async (context) => {
    const { service, sent } = await answering(context, [EMPTY]);
    assert.deepEqual(await service.tokens.list({ ...OWN, start: 20 }), { tokens: [], received: 0, total: 0 });
    assert.deepEqual(sent()[0]?.variables, { start: 20, count: 10, field0: 'ownerUrn', value0: [ME] });
  });

  test('names the missing privilege: for the caller’s own, for all', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    const own = await failureOf(service.tokens.list(OWN));
    assert.equal(own.privilege, 'Generate Personal Access Tokens');
    assert.match(own.message, /you aren't allowed to list access tokens\./);
    const all = await failureOf(service.tokens.list({ ...OWN, scope: { kind: 'all' } }));
    assert.equal(all.privilege, 'Manage All Access Tokens');
    assert.match(all.message, /you aren't allowed to list other users' access tokens/);
  });

  test('is not repeated if the server fails on it', async (context) => {
    const { service, server } = await answering(context, [refusal(500)]);
    assert.equal((await failureOf(service.tokens.list(OWN))).kind, 'server');
    assert.equal(server.requests.length, 1);
  });

  test('is not repeated if it fails with an HTTP status', async (context) => {
    const server = await wireServer(context, (_, response) => reply(response, 500, ''));
    assert.equal((await failureOf(serviceAt(server.url).tokens.list(OWN))).kind, 'server');
    assert.equal(server.requests.length, 1);
  });

  test('keeps the words that a server understands although it refuses, and stores nothing without need', async (context) => {
    const answers = [typesOfToday, typesOfToday, invalid('No such words.'), refusal(403), refusal(403)];
    const { service, sent } = await answering(context, answers, 'unknown');
    const all = {
      ...OWN,
      scope: { kind: 'all' },
      filters: [{ field: 'name', value: 'ci', condition: 'EQUAL' }],
    } as const;
    await failureOf(service.tokens.list(all));
    await failureOf(service.tokens.list(all));
    assert.deepEqual(
      sent().map(({ query }) => /value: |values: |__type/.exec(query)?.[0]),
      ['__type', '__type', 'values: ', 'value: ', 'value: '],
    );
    const remembered: unknown[] = [];
    const well = await wireServer(context, (_, response) => reply(response, 200, EMPTY));
    await serviceAt(well.url, { rememberFacts: (known) => remembered.push(known) }).tokens.list(OWN);
    assert.deepEqual(remembered, []);
  });

  test('falls back to the words of the interface description, and uses them from then on', async (context) => {
    // Neither question for a type is answered.
    const answers = [{ data: {} }, { data: {} }, invalid('No such words.'), EMPTY];
    const { service, sent } = await answering(context, answers, 'unknown');
    await service.tokens.list(OWN);
    await service.tokens.list(OWN);
    const [, , asked, learned, again] = sent();
    assert.match(asked?.query ?? '', /values: \$value0/);
    assert.match(learned?.query ?? '', /value: \$value0\}.*tokens \{ urn id actorUrn \}/);
    assert.equal(again?.query, learned?.query);
    assert.equal(sent().length, 5);
    assert.deepEqual(service.server.known.filter, SCHEMA_OF_SPEC.filter);
  });

  for (const filter of [
    { field: 'name', value: 'ci', condition: 'CONTAIN' },
    { field: 'expiresAt', value: '', condition: 'ABSENT' },
  ] as const) {
    test(`never falls back to a wider filter than ${filter.condition}`, async (context) => {
      const { service, server } = await answering(context, [invalid('No such words.')], SCHEMA_OF_0_14);
      const failure = await failureOf(service.tokens.list({ ...OWN, filters: [filter] }));
      assert.equal(failure.kind, 'unsupported');
      assert.ok(server.requests.every(({ body }) => body.includes('__type') || body.includes('condition: ')));
      assert.notEqual(service.server.known.filter?.spelling, 'value', 'nothing was understood');
    });
  }

  test('keeps its words if the network fails before the server has understood others', async (context) => {
    const server = await wireServer(context, ({ body }, response) =>
      body.includes(', value: $') ? response.destroy() : reply(response, 200, invalid('No.')),
    );
    const service = serviceAt(server.url);
    assert.equal((await failureOf(service.tokens.list(OWN))).kind, 'unreachable');
    assert.notEqual(service.server.known.filter?.spelling, 'value');
  });

  test('reads the schema before it falls back, if the remembered one is from before an upgrade', async (context) => {
    const { service, sent } = await answering(
      context,
      [invalid("contains a field not in 'FacetFilterInput': 'value'"), typesOfToday, typesOfToday, EMPTY],
      SCHEMA_OF_SPEC,
    );
    await service.tokens.list(OWN);
    assert.deepEqual(
      sent().map(({ query }) => /value: |values: |__type/.exec(query)?.[0]),
      ['value: ', '__type', '__type', 'values: '],
    );
    assert.equal(service.server.known.tokenFields?.length, 8);
  });

  test('reads it once for two listings at a time', async (context) => {
    const answer = (request: SeenRequest): object => {
      if (request.body.includes('__type')) {
        return typesOfToday(request);
      }
      return request.body.includes('value: ') ? invalid("contains a field not in 'FacetFilterInput': 'value'") : EMPTY;
    };
    const { service, sent } = await answering(context, [answer], SCHEMA_OF_SPEC);
    await Promise.all([service.tokens.list(OWN), service.tokens.list(OWN)]);
    assert.deepEqual(
      sent()
        .map(({ query }) => /value: |values: |__type/.exec(query)?.[0])
        .toSorted(),
      ['__type', '__type', 'value: ', 'value: ', 'values: ', 'values: '],
    );
  });

  test('forgets words that the server did not understand either, and reports the first complaint', async (context) => {
    const answers = [{ data: {} }, { data: {} }, invalid('the usual words'), invalid('the other words')];
    const { service } = await answering(context, answers, 'unknown');
    const failure = await failureOf(service.tokens.list(OWN));
    assert.deepEqual([failure.kind, failure.serverText], ['invalidDocument', 'the usual words']);
    assert.notEqual(service.server.known.filter?.spelling, 'value');
  });

  test('by the interface description tries the other field for the caller’s own, and remembers it', async (context) => {
    const { service, sent } = await answering(
      context,
      [
        ({ body }) =>
          (JSON.parse(body) as { variables: { field0: string } }).variables.field0 === 'actorUrn'
            ? EMPTY
            : refusal(403),
      ],
      SCHEMA_OF_SPEC,
    );
    assert.deepEqual(await service.tokens.list(OWN), { tokens: [], received: 0, total: 0 });
    await service.tokens.list(OWN);
    assert.deepEqual(
      sent().map(({ variables }) => variables['field0']),
      ['ownerUrn', 'actorUrn', 'actorUrn'],
    );
    assert.equal(service.server.known.ownerField, 'actorUrn');
  });

  test('reports the first refusal if the other field is refused too, or known not to help', async (context) => {
    const strict = await answering(context, [refusal(403, 'first'), refusal(500, 'second')], SCHEMA_OF_SPEC);
    assert.equal((await failureOf(strict.service.tokens.list(OWN))).serverText, 'first');
    const real = await answering(context, [refusal(403)]);
    await failureOf(real.service.tokens.list(OWN));
    assert.equal(real.server.requests.length, 1);
  });

  test('tries the other field if the usual one is bad input too, and in no other case', async (context) => {
    const wrongField = await answering(context, [refusal(400), EMPTY], SCHEMA_OF_SPEC);
    assert.equal((await wrongField.service.tokens.list(OWN)).received, 0);
    for (const [answer, ownerField, request] of [
      [refusal(404), undefined, OWN],
      [refusal(403), undefined, { ...OWN, scope: { kind: 'all' } }],
      [refusal(403), 'actorUrn', OWN],
    ] as const) {
      const { service, server } = await answering(context, [answer], SCHEMA_OF_SPEC);
      service.server.learn({ ownerField });
      await failureOf(service.tokens.list(request));
      assert.equal(server.requests.length, 1);
    }
  });

  for (const data of [{}, { listAccessTokens: null }, { listAccessTokens: { tokens: 7 } }]) {
    test(`fails for ${JSON.stringify(data)}`, async (context) => {
      const { service } = await answering(context, [{ data }]);
      assert.equal((await failureOf(service.tokens.list(OWN))).kind, 'unexpectedAnswer');
    });
  }
});

suite('A server', () => {
  test('compares values if its schema has conditions', async (context) => {
    for (const [schema, compares] of [
      [SCHEMA_OF_0_14, true],
      [SCHEMA_OF_SPEC, false],
    ] as const) {
      const { service, server } = await answering(context, [EMPTY], schema);
      assert.equal(await service.tokens.canCompare(), compares);
      assert.equal(server.requests.length, 0);
    }
  });
});

suite('Revoking a token', () => {
  test('sends the ID as a variable, whatever it contains', async (context) => {
    const { service, sent } = await answering(context, [{ data: { revokeAccessToken: true } }]);
    await service.tokens.revoke('HnMJylxuowJ1FKN74BbGogLvXCS4w+fsd3MZdI35+8A="}', { mayStillSend: ALWAYS });
    assert.deepEqual(sent()[0]?.variables, { tokenId: 'HnMJylxuowJ1FKN74BbGogLvXCS4w+fsd3MZdI35+8A="}' });
  });

  test('has failed if the server says false, and may have succeeded if it says nothing', async (context) => {
    const no = await answering(context, [{ data: { revokeAccessToken: false } }]);
    const refused = await failureOf(no.service.tokens.revoke('x', { mayStillSend: ALWAYS }));
    assert.deepEqual([refused.kind, refused.mayHaveActed], ['server', false]);
    const odd = await answering(context, [{ data: { revokeAccessToken: 'true' } }]);
    const unknown = await failureOf(odd.service.tokens.revoke('x', { mayStillSend: ALWAYS }));
    assert.deepEqual([unknown.kind, unknown.mayHaveActed], ['unexpectedAnswer', true]);
  });

  test('of one that is already gone says so, and does not fail', async (context) => {
    for (const message of [
      'Failed to revoke access token. Root cause: Access token no longer exists.',
      'java.lang.RuntimeException: com.linkedin.metadata.TokenException: Access token no longer exists',
    ]) {
      const { service } = await answering(context, [refusal(500, message)]);
      assert.equal(await service.tokens.revoke('x', { mayStillSend: ALWAYS }), 'alreadyGone');
    }
    const { service } = await answering(context, [
      { data: { revokeAccessToken: true } },
      refusal(500, 'An unknown error occurred.'),
    ]);
    assert.equal(await service.tokens.revoke('x', { mayStillSend: ALWAYS }), 'revoked');
    assert.equal((await failureOf(service.tokens.revoke('x', { mayStillSend: ALWAYS }))).kind, 'server');
  });

  test('of another’s token names the missing privilege', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    const failure = await failureOf(service.tokens.revoke('x', { mayStillSend: ALWAYS }));
    assert.equal(failure.privilege, 'Manage All Access Tokens');
    assert.match(failure.message, /you aren't allowed to revoke this access token\./);
  });
});
