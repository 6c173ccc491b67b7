import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { OWN } from '../changes.ts';
import { ALWAYS, SCHEMA_OF_0_14, SCHEMA_OF_SPEC, SCHEMA_OF_1_6, failureOf, serviceAt, typeAnswer } from '../clients.ts';
import { answering, invalid, refusal } from '../tokenServer.ts';
import { reply, wireServer, type SeenRequest } from '../wireServer.ts';

const EMPTY = { data: { listAccessTokens: { start: 0, count: 10, total: 0, tokens: [] } } };

/** Answers either question for a type that a listing needs. */
const typesOfToday = ({ body }: SeenRequest): object =>
  body.includes('FacetFilterInput')
    ? typeAnswer('inputFields', ['field', 'values', 'negated', 'condition'])
    : typeAnswer('fields', SCHEMA_OF_1_6.tokenFields);

suite('Listing tokens', () => {
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

  test('reads the schema before it falls back, once for two listings, if the remembered one is from before', async (context) => {
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
    assert.equal(service.server.known.tokenFields?.length, 8);
  });

  test('forgets words that the server did not understand either, and reports the first complaint', async (context) => {
    const answers = [{ data: {} }, { data: {} }, invalid('the usual words'), invalid('the other words')];
    const { service } = await answering(context, answers, 'unknown');
    const failure = await failureOf(service.tokens.list(OWN));
    assert.deepEqual([failure.kind, failure.serverText], ['invalidDocument', 'the usual words']);
    assert.notEqual(service.server.known.filter?.spelling, 'value');
  });

  test('names the missing privilege for the caller’s own tokens', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    const own = await failureOf(service.tokens.list(OWN));
    assert.equal(own.privilege, 'Generate Personal Access Tokens');
    assert.match(own.message, /you aren't allowed to list access tokens\./);
  });

  test('fails without a page', async (context) => {
    const { service } = await answering(context, [{ data: {} }]);
    assert.equal((await failureOf(service.tokens.list(OWN))).kind, 'unexpectedAnswer');
  });
});

suite('Revoking a token', () => {
  for (const [answer, kind, mayHaveActed] of [
    [false, 'server', false],
    ['true', 'unexpectedAnswer', true],
  ] as const) {
    test(`answered with ${JSON.stringify(answer)} ${mayHaveActed ? 'may have' : 'has not'} succeeded`, async (context) => {
      const { service } = await answering(context, [{ data: { revokeAccessToken: answer } }]);
      const failure = await failureOf(service.tokens.revoke('x', { mayStillSend: ALWAYS }));
      assert.deepEqual([failure.kind, failure.mayHaveActed], [kind, mayHaveActed]);
    });
  }

  test('of one that is already gone says so, in other words too', async (context) => {
    const message = 'java.lang.RuntimeException: com.linkedin.metadata.TokenException: Access token no longer exists';
    const { service } = await answering(context, [refusal(500, message)]);
    assert.equal(await service.tokens.revoke('x', { mayStillSend: ALWAYS }), 'alreadyGone');
  });
});
