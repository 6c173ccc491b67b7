/** Every change asks its gate before anything leaves, and again as its last piece does. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import type { GraphQLEndpoint } from '../../../src/service/http/graphql.ts';
import type { Transport } from '../../../src/service/http/transport.ts';
import { truncationBody } from '../../../src/service/indices/truncation.ts';
import type { KnownServer } from '../../../src/service/server/knownServer.ts';
import { OperationsEndpoint } from '../../../src/service/server/operationsEndpoint.ts';
import type { TokenCreationRequest } from '../../../src/service/tokens/tokenCreation.ts';
import { REVOKE_DOCUMENT } from '../../../src/service/tokens/tokens.ts';
import { CHANGES, PLAN } from './changes.ts';
import { ALWAYS, KNOWN_FACTS, READING, failureOf, serviceAt } from './clients.ts';
import { reply, wireServer, type WireServer } from './wireServer.ts';

declare const TOKEN: TokenCreationRequest;
declare const SERVER: KnownServer;

async function stage(
  context: TestContext,
  knownFacts?: typeof KNOWN_FACTS,
): Promise<{ readonly service: MetadataService; readonly server: WireServer }> {
  const server = await wireServer(context, ({ body }, response) =>
    reply(
      response,
      200,
      body.includes('query')
        ? { data: { createAccessToken: { accessToken: 'a-token' }, revokeAccessToken: true } }
        : { value: 'node:1' },
    ),
  );
  return { service: serviceAt(server.url, knownFacts === undefined ? {} : { knownFacts }), server };
}

suite('The gate of a change', () => {
  for (const { what, operation, make, sign } of CHANGES) {
    test(`lets ${operation} pass once it was asked before and as it leaves`, async (context) => {
      const { service, server } = await stage(context, KNOWN_FACTS);
      let asked = 0;
      await make(service, () => Promise.resolve(void asked++));
      assert.ok(asked >= 2, `asked ${asked} times`);
      assert.equal(server.requests.filter(({ body }) => sign.test(body)).length, 1);
    });

    for (const passes of [0, 1]) {
      test(`refuses ${operation} when it is asked ${passes === 0 ? 'first' : 'again'}: none arrives`, async (context) => {
        const { service, server } = await stage(context, KNOWN_FACTS);
        let asked = 0;
        const failure = await failureOf(
          make(service, () =>
            asked++ < passes ? Promise.resolve() : Promise.reject(new ServiceFailure('notSent', 'No.')),
          ),
        );
        assert.deepEqual([failure.kind, failure.mayHaveActed], ['notSent', false], what);
        assert.ok(!server.requests.some(({ body }) => sign.test(body)));
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
    new OperationsEndpoint(transport, SERVER).callReadAction(READING, truncationBody(PLAN, false)),
  ];
  assert.equal(typeof withoutGate, 'function', 'never called: the compiler is the test');
});
