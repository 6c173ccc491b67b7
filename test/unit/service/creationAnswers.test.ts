/** The response to a creation may have the new token in any shape and place. No part of it may get into a text. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { TokenCreationRequest, CreatedAccessToken } from '../../../src/service/tokens/tokenCreation.ts';
import type { ExchangeRecord } from '../../../src/service/http/transport.ts';
import { ALWAYS, ME, serviceAt } from './clients.ts';
import { reply, wireServer } from './wireServer.ts';

/** A token that is not known yet and no JSON Web Token, so nothing can mask it. */
const OPAQUE = 'opaque/4f9c+QmZ1tbm9ib2R5LWtub3dz=';
const NEW: TokenCreationRequest = {
  type: 'PERSONAL',
  actorUrn: ME,
  duration: 'ONE_DAY',
  name: 'ci',
  description: 'for the pipeline',
};

const error = (extensions: object, rest: object = { path: ['createAccessToken'] }): object => ({
  message: `made ${OPAQUE}`,
  extensions,
  ...rest,
});
const graphql = (extensions: object, rest?: object): object => ({
  errors: [error(extensions, rest)],
  data: { createAccessToken: null },
});

const ANSWERS: Readonly<Record<string, readonly [status: number, body: unknown]>> = {
  'a refusal': [200, graphql({ code: 403 })],
  'bad input': [200, graphql({ code: 400 })],
  'bad input about a duration': [
    200,
    { errors: [{ message: `Access token duration ${OPAQUE} is not allowed.`, extensions: { code: 400 } }], data: null },
  ],
  'nothing found': [200, graphql({ code: 404 })],
  'a conflict': [200, graphql({ code: 409 })],
  'a missing sign-in': [200, graphql({ code: 401 })],
  'a fault': [200, graphql({ code: 500 })],
  'a server not ready': [200, graphql({ code: 503 })],
  'a document that does not fit': [200, graphql({ classification: 'ValidationError' }, {})],
  'an error next to half of a token': [
    200,
    { errors: [error({ code: 500 })], data: { createAccessToken: { accessToken: '', metadata: null } } },
  ],
  'another shape': [200, { data: { createAccessToken: { token: OPAQUE } } }],
  'data of another type': [200, { data: { createAccessToken: OPAQUE } }],
  'no GraphQL response': [200, { accessToken: OPAQUE }],
  'a text': [200, JSON.stringify(OPAQUE)],
  'a page': [200, `<html>${OPAQUE}</html>`],
  'half a response': [200, `{"data":{"createAccessToken":{"accessToken":"${OPAQUE}`],
  'status 400': [400, { message: OPAQUE }],
  'status 400 with a response': [400, graphql({ code: 400 })],
  'status 401': [401, { message: OPAQUE }],
  'status 403': [403, OPAQUE],
  'status 404': [404, OPAQUE],
  'status 409': [409, { error: OPAQUE }],
  'status 429': [429, OPAQUE],
  'status 500': [500, { errors: [{ message: OPAQUE }] }],
  'status 503': [503, OPAQUE],
  'status 207': [207, OPAQUE],
};

interface Attempt {
  readonly outcome: CreatedAccessToken | ServiceFailure;
  /** Everything of it that is shown, logged, copied or stored. */
  readonly texts: string;
}

async function attempt(url: string): Promise<Attempt> {
  const exchanges: ExchangeRecord[] = [];
  const remembered: unknown[] = [];
  const service = serviceAt(url, {
    observe: (exchange) => exchanges.push(exchange),
    rememberFacts: (known) => remembered.push(known),
  });
  const outcome: unknown = await service.tokens
    .create(NEW, true, { mayStillSend: ALWAYS })
    .catch((thrown: unknown) => thrown);
  service.close();
  const failure = outcome instanceof ServiceFailure ? outcome : undefined;
  const told =
    failure === undefined
      ? [JSON.stringify(outcome), inspect(outcome, { depth: 9 })]
      : [
          failure.advice,
          failure.serverText,
          failure.stack,
          JSON.stringify(failure),
          inspect(failure, { depth: 9, showHidden: true }),
        ];
  return {
    outcome: outcome as Attempt['outcome'],
    texts: [...told, JSON.stringify(exchanges), JSON.stringify(remembered)].join('\n'),
  };
}

/** Twelve consecutive characters would reveal the token. */
function assertUntold(texts: string): void {
  for (let at = 0; at + 12 <= OPAQUE.length; at++) {
    assert.ok(!texts.includes(OPAQUE.slice(at, at + 12)), texts);
  }
}

suite('A new token', () => {
  for (const [what, [status, body]] of Object.entries(ANSWERS)) {
    test(`is in no text when the response is ${what}`, async (context) => {
      const server = await wireServer(context, (_, response) => reply(response, status, body));
      const { outcome, texts } = await attempt(server.url);
      assert.ok(outcome instanceof ServiceFailure);
      assert.equal(outcome.serverText, undefined);
      assertUntold(texts);
      assert.match(outcome.message, /\.$/, 'what is told is a sentence of ours');
    });
  }

  test('is in no text when the response has it twice', async (context) => {
    const metadata = { id: `id of ${OPAQUE}`, name: OPAQUE, description: `my ${OPAQUE}` };
    const server = await wireServer(context, (_, response) =>
      reply(response, 200, {
        data: { createAccessToken: { accessToken: OPAQUE, metadata } },
        errors: [error({ code: 500 })],
      }),
    );
    const { outcome, texts } = await attempt(server.url);
    assert.ok(!(outcome instanceof ServiceFailure));
    assert.equal(outcome.secret.reveal(), OPAQUE);
    assert.deepEqual([outcome.id, outcome.name, outcome.description], ['', 'ci', 'for the pipeline']);
    assertUntold(texts);
  });

  test('is in no text, wherever the response has it', async (context) => {
    let current: readonly [number, unknown] = [200, {}];
    const server = await wireServer(context, (_, response) => reply(response, ...current));
    const leaf = fc.constantFrom<unknown>(
      OPAQUE,
      `so: ${OPAQUE}.`,
      null,
      7,
      '',
      'ci',
      { code: 400 },
      { classification: 'ValidationError' },
    );
    const key = fc.constantFrom(
      'data',
      'errors',
      'message',
      'extensions',
      'path',
      'createAccessToken',
      'metadata',
      'id',
      'name',
      'error',
      OPAQUE,
    );
    const body = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.dictionary(key, tie('any'), { maxKeys: 4 }),
        fc.array(tie('any'), { maxLength: 2 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(200, 400, 401, 403, 409, 500, 503), body, async (status, answer) => {
        current = [status, JSON.stringify(answer)];
        assertUntold((await attempt(server.url)).texts);
      }),
      { numRuns: 300 },
    );
  });
});
