/** The response to a creation may have the new token in any shape and place. No part of it may get into a text. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { CreatedAccessToken } from '../../../src/service/tokens/tokenCreation.ts';
import type { ExchangeRecord } from '../../../src/service/http/transport.ts';
import { NEW } from './changes.ts';
import { ALWAYS, assertNoTrace, serviceAt } from './clients.ts';
import { reply, wireServer } from './wireServer.ts';

/** A token that is not known yet and no JSON Web Token, so nothing can mask it. */
const OPAQUE = 'opaque/4f9c+QmZ1tbm9ib2R5LWtub3dz=';
const error = (extensions: object, rest: object = { path: ['createAccessToken'] }): object => ({
  message: `made ${OPAQUE}`,
  extensions,
  ...rest,
});
const graphql = (...errors: object[]): object => ({ errors, data: { createAccessToken: null } });
const DURATION = `Access token duration ${OPAQUE} is not allowed.`;
const HALF = { createAccessToken: { accessToken: '', metadata: null } };

/** One for each way in which a response is explained. The property below has any other. */
const ANSWERS: Readonly<Record<string, readonly [status: number, body: unknown]>> = {
  'a refusal': [200, graphql(error({ code: 403 }))],
  'a fault': [200, graphql(error({ code: 500 }))],
  'bad input about a duration': [200, graphql({ ...error({ code: 400 }), message: DURATION })],
  'a document that does not fit': [200, graphql(error({ classification: 'ValidationError' }, {}))],
  'an error next to half of a token': [200, { errors: [error({ code: 500 })], data: HALF }],
  'another shape': [200, { data: { createAccessToken: { token: OPAQUE } } }],
  'data of another type': [200, { data: { createAccessToken: OPAQUE } }],
  'no GraphQL response': [200, { accessToken: OPAQUE }],
  'a page': [200, `<html>${OPAQUE}</html>`],
  'half a response': [200, `{"data":{"createAccessToken":{"accessToken":"${OPAQUE}`],
  'status 207': [207, OPAQUE],
  'status 400 with a response': [400, graphql(error({ code: 400 }))],
  'status 401': [401, { message: OPAQUE }],
  'status 403': [403, OPAQUE],
  'status 500': [500, { errors: [{ message: OPAQUE }] }],
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
  const shown = inspect(outcome, { depth: 9, showHidden: true });
  const told = [failure?.advice, failure?.serverText, failure?.stack, JSON.stringify(outcome), shown];
  return {
    outcome: outcome as Attempt['outcome'],
    texts: [...told, JSON.stringify(exchanges), JSON.stringify(remembered)].join('\n'),
  };
}

suite('A new token', () => {
  for (const [what, [status, body]] of Object.entries(ANSWERS)) {
    test(`is in no text when the response is ${what}`, async (context) => {
      const server = await wireServer(context, (_, response) => reply(response, status, body));
      const { outcome, texts } = await attempt(server.url);
      assert.ok(outcome instanceof ServiceFailure);
      assert.equal(outcome.serverText, undefined);
      assertNoTrace(texts, OPAQUE);
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
    assert.deepEqual([outcome.id, outcome.name, outcome.description], ['', NEW.name, NEW.description]);
    assertNoTrace(texts, OPAQUE);
  });

  test('is in no text, wherever the response has it', async (context) => {
    let current: readonly [number, unknown] = [200, {}];
    const server = await wireServer(context, (_, response) => reply(response, ...current));
    const marks = [{ code: 400 }, { classification: 'ValidationError' }];
    const leaf = fc.constantFrom<unknown>(OPAQUE, `so: ${OPAQUE}.`, null, 7, '', NEW.name, ...marks);
    const names = 'data errors message extensions path createAccessToken metadata id name error'.split(' ');
    const key = fc.constantFrom(OPAQUE, ...names);
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
        assertNoTrace((await attempt(server.url)).texts, OPAQUE);
      }),
      { numRuns: 300 },
    );
  });
});
