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

const saying =
  (body: unknown): Fault['strike'] =>
  (response) =>
    reply(response, 200, body);
const graphqlError = (extensions: object, rest: object = { path: ['x'] }): Fault['strike'] =>
  saying({ errors: [{ message: 'no', ...rest, extensions }], data: null });

const [NOT_DONE, UNKNOWN] = [false, true];
/** Whether the server may have carried it out, by its answer. Fetch hides a 407: it only reports that none came. */
const STATUSES = [
  ...[400, 401, 403, 404, 405, 413].map((code) => [code, {}, NOT_DONE] as const),
  ...[407, 408, 421, 425, 500, 502, 504].map((code) => [code, {}, UNKNOWN] as const),
  [429, {}, NOT_DONE],
  [429, { 'retry-after': '0' }, NOT_DONE],
  [503, { 'retry-after': '0' }, UNKNOWN],
  [307, { location: '/elsewhere' }, UNKNOWN],
  // Carried out already.
  [303, { location: '/done' }, UNKNOWN],
] as const;

const FAULTS: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    STATUSES.map(([code, headers, mayHaveActed]) => [
      `is answered with ${[code, ...Object.values(headers)].join(' ')}`,
      { strike: (response: ServerResponse) => reply(response, code, '', headers), mayHaveActed },
    ]),
  ),
  'is answered with a page': { strike: saying('<html>Sign in</html>'), mayHaveActed: true },
  'gets an empty response': { strike: saying(''), mayHaveActed: true },
  'gets half a response': { strike: saying('{"data":{"createAcc'), mayHaveActed: true },
  'gets an unknown response': { strike: saying({ data: {}, value: { odd: true } }), mayHaveActed: true },
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
  'is answered in another protocol': {
    strike: (response) => response.socket?.write('garbage from a broken proxy\r\n\r\n'),
    mayHaveActed: true,
  },
  'gets headers without an end': {
    strike: (response) => response.socket?.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}`),
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
        const service = serviceAt(server.url);
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
