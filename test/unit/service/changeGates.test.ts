/** Every change asks its gate before anything leaves, and again as its last piece does. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import type { GraphQLEndpoint } from '../../../src/service/http/graphql.ts';
import type { Transport } from '../../../src/service/http/transport.ts';
import { truncationBody } from '../../../src/service/indices/truncationRequest.ts';
import type { KnownServer } from '../../../src/service/server/knownServer.ts';
import { OperationsEndpoint } from '../../../src/service/server/operationsEndpoint.ts';
import type { TokenCreationRequest } from '../../../src/service/tokens/tokenCreation.ts';
import { REVOKE_DOCUMENT } from '../../../src/service/tokens/tokens.ts';
import { CHANGES, PLAN, type Change } from './changes.ts';
import { ALWAYS, READING, serviceAt } from './clients.ts';
import { reply, wireServer } from './wireServer.ts';

declare const TOKEN: TokenCreationRequest;
declare const SERVER: KnownServer;

/** Makes a change whose gate passes so many times. @returns whether it arrived, how often it was asked, and the outcome */
async function attempt(context: TestContext, { make, sign }: Change, passes: number) {
  const server = await wireServer(context, ({ body }, response) =>
    reply(
      response,
      200,
      body.includes('query')
        ? { data: { createAccessToken: { accessToken: 'a-token' }, revokeAccessToken: true } }
        : { value: 'node:1' },
    ),
  );
  let asked = 0;
  const refusal = new ServiceFailure('notSent', 'No.');
  const work = make(serviceAt(server.url), () => (asked++ < passes ? Promise.resolve() : Promise.reject(refusal)));
  const outcome: unknown = await work.catch((thrown: unknown) => thrown);
  return { outcome, asked, arrived: server.requests.filter(({ body }) => sign.test(body)).length };
}

suite('The gate of a change', () => {
  for (const change of CHANGES) {
    test(`is asked before ${change.operation} and as it leaves`, async (context) => {
      const { asked, arrived } = await attempt(context, change, Infinity);
      assert.ok(asked >= 2, `asked ${asked} times`);
      assert.equal(arrived, 1);
    });

    for (const passes of [0, 1]) {
      test(`refuses ${change.operation} when it is asked ${passes === 0 ? 'first' : 'again'}: none arrives`, async (context) => {
        const { outcome, arrived } = await attempt(context, change, passes);
        const { kind, mayHaveActed } = outcome instanceof ServiceFailure ? outcome : assert.fail(String(outcome));
        assert.deepEqual([kind, mayHaveActed, arrived], ['notSent', false, 0]);
      });
    }
  }
});

test('A change without its gate does not compile', () => {
  const withoutGate = (
    { tokens, indices }: MetadataService,
    graphql: GraphQLEndpoint,
    transport: Transport,
  ): unknown[] => [
    // @ts-expect-error -- no gate
    tokens.create(TOKEN, true),
    // @ts-expect-error -- no gate
    tokens.revoke('some-id'),
    // @ts-expect-error -- no gate
    indices.execute(PLAN),
    // @ts-expect-error -- no gate
    graphql.runMutation(READING, REVOKE_DOCUMENT, {}),
    // @ts-expect-error -- a mutation is no query
    graphql.runQuery(READING, REVOKE_DOCUMENT, {}),
    // @ts-expect-error -- a gate, but nothing to hold back
    transport.exchange({ operation: READING, method: 'POST', path: '/operations', mayStillSend: ALWAYS }),
    // @ts-expect-error -- an execution is no read
    new OperationsEndpoint(SERVER).callReadAction(READING, truncationBody(PLAN, false)),
  ];
  assert.equal(typeof withoutGate, 'function', 'never called: the compiler is the test');
});
