/** A change is sent once, whatever the response: a second request could create, revoke or delete twice. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import type { MetadataService } from '../../../src/service/service.ts';
import { CHANGES } from './changes.ts';
import { failureOf, serviceAt } from './clients.ts';
import { reply, wireServer } from './wireServer.ts';

interface Fault {
  readonly strike: (response: ServerResponse) => unknown;
  /** True if the server may have carried it out, so that the user must check. */
  readonly mayHaveActed: boolean;
}

const graphqlError =
  (extensions: object, rest: object = { path: ['x'] }): Fault['strike'] =>
  (response) =>
    reply(response, 200, { errors: [{ message: 'no', ...rest, extensions }], data: null });
const status =
  (code: number, headers: Record<string, string> = {}): Fault['strike'] =>
  (response) =>
    reply(response, code, '', headers);

const FAULTS: Readonly<Record<string, Fault>> = {
  'is refused with 400': { strike: status(400), mayHaveActed: false },
  'is refused with 401': { strike: status(401), mayHaveActed: false },
  'is refused with 403': { strike: status(403), mayHaveActed: false },
  // Fetch hides a 407 and its cause: it only reports that no response came.
  'is refused with 407': { strike: status(407), mayHaveActed: true },
  'is refused with 413': { strike: status(413), mayHaveActed: false },
  'meets 404': { strike: status(404), mayHaveActed: false },
  'meets 405': { strike: status(405), mayHaveActed: false },
  'meets 408': { strike: status(408), mayHaveActed: true },
  'meets 421': { strike: status(421), mayHaveActed: true },
  'meets 425': { strike: status(425), mayHaveActed: true },
  'is throttled': { strike: status(429), mayHaveActed: false },
  'is throttled and may be repeated at once': { strike: status(429, { 'retry-after': '0' }), mayHaveActed: false },
  'fails with 500': { strike: status(500), mayHaveActed: true },
  'meets 502': { strike: status(502), mayHaveActed: true },
  'gets 503 and may be repeated at once': { strike: status(503, { 'retry-after': '0' }), mayHaveActed: true },
  'meets 504': { strike: status(504), mayHaveActed: true },
  'is redirected': { strike: status(307, { location: '/elsewhere' }), mayHaveActed: true },
  'is redirected after it was carried out': { strike: status(303, { location: '/done' }), mayHaveActed: true },
  'is answered with a page': { strike: (response) => reply(response, 200, '<html>Sign in</html>'), mayHaveActed: true },
  'gets an empty response': { strike: (response) => reply(response, 200, ''), mayHaveActed: true },
  'gets half a response': {
    strike: (response) => reply(response, 200, '{"data":{"createAcc'),
    mayHaveActed: true,
  },
  'gets an unknown response': {
    strike: (response) => reply(response, 200, { data: {}, value: { odd: true } }),
    mayHaveActed: true,
  },
  'is cut before a response': { strike: (response) => response.destroy(), mayHaveActed: true },
  'is cut within the response': {
    strike: (response) =>
      response.writeHead(200, { 'content-length': '100' }).write('{"data":', () => response.destroy()),
    mayHaveActed: true,
  },
  'gets an endless response': {
    strike: (response) => {
      const piece = 'x'.repeat(65_536);
      const more = (): boolean => response.destroyed || (response.write(piece), setImmediate(more).hasRef());
      response.writeHead(200);
      more();
    },
    mayHaveActed: true,
  },
  'is never answered': { strike: () => undefined, mayHaveActed: true },
};

const GRAPHQL_FAULTS: Readonly<Record<string, Fault>> = {
  'is refused by GraphQL': { strike: graphqlError({ code: 403 }), mayHaveActed: false },
  'is bad input to GraphQL': { strike: graphqlError({ code: 400 }), mayHaveActed: false },
  'fails in GraphQL': { strike: graphqlError({ code: 500 }), mayHaveActed: true },
  'is not ready for GraphQL': { strike: graphqlError({ code: 503 }), mayHaveActed: true },
  'is too slow for GraphQL': { strike: graphqlError({ code: 504 }), mayHaveActed: true },
  'fails on a null in GraphQL': {
    strike: graphqlError({ classification: 'NullValueInNonNullableField' }),
    mayHaveActed: true,
  },
  'does not fit the schema': { strike: graphqlError({ classification: 'ValidationError' }, {}), mayHaveActed: false },
};

for (const { what, sign, make } of CHANGES) {
  suite(what, () => {
    const faults = sign.source.startsWith('mutation') ? { ...FAULTS, ...GRAPHQL_FAULTS } : FAULTS;
    for (const [how, { strike, mayHaveActed }] of Object.entries(faults)) {
      test(`is sent once if it ${how}${mayHaveActed ? ', with an unknown outcome' : ''}`, async (context) => {
        const server = await wireServer(context, ({ body }, response) =>
          sign.test(body) ? strike(response) : reply(response, 200, { data: {}, value: { indexSizes: [] } }),
        );
        const service = serviceAt(server.url, { largestAnswerBytes: 200_000 });
        // Keeps a connection open. If that is cut, a careless client would send again by itself.
        await service.indices.listIndexSizes();
        const failure = await failureOf(
          how === 'is never answered'
            ? giveUp(make, service, () => server.requests.some(({ body }) => sign.test(body)))
            : make(service),
        );
        assert.equal(server.requests.filter(({ body }) => sign.test(body)).length, 1);
        assert.equal(failure.mayHaveActed, mayHaveActed, `${failure.kind}: ${failure.message}`);
        service.close();
      });
    }
  });
}

/** Closes the connection once the request has arrived: like a cancellation, but faster than any timeout. */
async function giveUp(
  make: (service: MetadataService) => Promise<unknown>,
  service: MetadataService,
  arrived: () => boolean,
): Promise<unknown> {
  const work = make(service);
  const look = setInterval(() => {
    if (arrived()) {
      service.close();
    }
  }, 1);
  return work.finally(() => clearInterval(look));
}
