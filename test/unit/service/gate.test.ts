/** Every change asks its gate before anything leaves, and again as its last piece does. */
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import { CHANGES } from './changes.ts';
import { KNOWN_CAPABILITIES, failureOf, serviceAt } from './clients.ts';
import { reply, wireServer, type WireServer } from './wireServer.ts';

async function stage(
  context: TestContext,
  knownCapabilities?: typeof KNOWN_CAPABILITIES,
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
  return { service: serviceAt(server.url, knownCapabilities === undefined ? {} : { knownCapabilities }), server };
}

suite('The gate of a change', () => {
  for (const { what, operation, make, sign } of CHANGES) {
    test(`lets ${operation} pass once it was asked twice`, async (context) => {
      const { service, server } = await stage(context, KNOWN_CAPABILITIES);
      let asked = 0;
      await make(service, () => Promise.resolve(void asked++));
      assert.deepEqual([asked, server.requests.filter(({ body }) => sign.test(body)).length], [2, 1]);
    });

    for (const passes of [0, 1]) {
      test(`refuses ${operation} when it is asked ${passes === 0 ? 'first' : 'again'}: none arrives`, async (context) => {
        const { service, server } = await stage(context, KNOWN_CAPABILITIES);
        let asked = 0;
        const failure = await failureOf(
          make(service, () =>
            asked++ < passes ? Promise.resolve() : Promise.reject(new ServiceFailure('notSent', 'No.')),
          ),
        );
        assert.deepEqual([failure.kind, failure.operation, failure.mayHaveActed], ['notSent', operation, false], what);
        assert.ok(!server.requests.some(({ body }) => sign.test(body)));
      });
    }
  }
});
