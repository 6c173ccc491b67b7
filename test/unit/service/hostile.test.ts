/**
 * A server may answer anything. The client always returns a result or a ServiceFailure in time, and no secret gets
 * into a text.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { suite, test } from 'node:test';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { toServiceFailure, ServiceFailure } from '../../../src/service/failure/failure.ts';
import { failureReport } from '../../../src/service/failure/failureReport.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import { listAllTokens } from '../../../src/service/tokens/tokenListing.ts';
import type { ExchangeRecord } from '../../../src/service/http/transport.ts';
import { CHANGES, OWN, PLAN } from './changes.ts';
import { assertNoTrace, CREDENTIAL, KNOWN_FACTS, ME, serviceAt } from './clients.ts';
import { wireServer } from './wireServer.ts';

/** A secret that a server may reveal: a token it has just created. */
const NEW_TOKEN =
  'eyJhbGciOiJIUzI1NiJ9.eyJhY3RvcklkIjoiYWRtaW4iLCJ2ZXJzaW9uIjoiMiJ9.YS1uZXctdG9rZW4tdGhhdC1ub2JvZHkta25vd3M';
const CALLS: Readonly<Record<string, (service: MetadataService) => Promise<unknown>>> = {
  greet: (service) => service.check(),
  callerInfo: (service) => service.server.fact('caller'),
  rights: (service) => service.server.fact('rights'),
  schema: (service) => service.server.fact('tokenFields'),
  list: (service) => service.tokens.list({ ...OWN, filters: [{ field: 'name', value: 'ci', condition: 'CONTAIN' }] }),
  find: (service) => listAllTokens((request) => service.tokens.list(request), { kind: 'all' }),
  sizes: (service) => service.indices.listIndexSizes(),
  dryRun: (service) => service.indices.dryRun(PLAN),
  ...Object.fromEntries(CHANGES.map(({ operation, make }) => [operation, make])),
  status: (service) => service.tasks.readTaskStatus('node:1'),
};

/** Calls with a timeout longer than the given one. Only closing the service ends them soon. */
const PATIENT_CALLS: ReadonlySet<string> = new Set(['dryRun', ...CHANGES.map(({ operation }) => operation)]);

const TOKEN = { urn: 'u', id: 'i', name: 'n', actorUrn: ME, ownerUrn: ME, createdAt: 1, expiresAt: null };
const CREATED = { accessToken: NEW_TOKEN, metadata: { id: 'i', name: 'n', description: 'd' } };
const RIGHTS = { generatePersonalAccessTokens: true, manageTokens: true };
const APP = { appVersion: 'v1', authConfig: { tokenAuthEnabled: true } };
const INDEX = {
  indexName: 'dataset_operationaspect_v1',
  entityName: 'dataset',
  aspectName: 'operation',
  sizeInMb: 1.5,
};
const INVALID = { classification: 'ValidationError' };
const PROGRESS = JSON.stringify({ total: 1, deleted: 1, canceled: CREDENTIAL });

/** Valid responses, to be corrupted. */
const GOOD: readonly unknown[] = [
  { data: { listAccessTokens: { start: 0, count: 10, total: 1, tokens: [TOKEN] } }, extensions: {} },
  { data: { createAccessToken: CREATED } },
  { data: { revokeAccessToken: true } },
  { data: { me: { corpUser: { urn: ME }, platformPrivileges: RIGHTS }, appConfig: APP } },
  { data: { type: { inputFields: [{ name: 'values' }], fields: [{ name: 'urn' }], enumValues: [{ name: 'X' }] } } },
  {
    errors: [{ message: `Bearer ${CREDENTIAL} is wrong`, path: ['x'], extensions: { ...INVALID, code: 500 } }],
    data: null,
  },
  { errors: [{ message: `Unknown type '${CREDENTIAL}'`, extensions: INVALID }], data: null },
  { value: { indexSizes: [INDEX] } },
  { value: 'node:1' },
  { value: `Delete 1 out of 2 rows (50.00%). ${CREDENTIAL}` },
  { value: JSON.stringify({ completed: true, taskId: 'node:1', status: PROGRESS, runTimeNanos: 1 }) },
  {
    exceptionClass: 'com.linkedin.restli.server.RestLiServiceException',
    message: `no ${CREDENTIAL} ${NEW_TOKEN}`,
    stackTrace: `x\n\tat a.b(C.java:1) ${CREDENTIAL}`,
    status: 500,
  },
  { noCode: 'true', versions: { x: { version: CREDENTIAL } } },
];

const nasty = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1e308, '', CREDENTIAL, NEW_TOKEN, `\u202E${CREDENTIAL}`, '<b onclick=x>', [], {}),
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.bigInt().map(String),
);

/** A valid response with something nasty in place of any one value. */
const spoiled = fc.tuple(fc.constantFrom(...GOOD), fc.nat(), nasty).map(([good, place, replacement]) => {
  const places: { at: Record<string, unknown>; key: string }[] = [];
  const copy = structuredClone({ root: good }) as Record<string, unknown>;
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) {
        places.push({ at: value as Record<string, unknown>, key });
        collect((value as Record<string, unknown>)[key]);
      }
    }
  };
  collect(copy);
  const chosen = places[place % places.length];
  if (chosen !== undefined) {
    chosen.at[chosen.key] = replacement;
  }
  return JSON.stringify(copy['root']) ?? '';
});

const deep = fc
  .constantFrom('[', '{"a":', '{"value":[', '{"data":{"listAccessTokens":[')
  .map((opening) => opening.repeat(20_000));
const polluting = fc.constantFrom(
  '{"__proto__":{"polluted":true},"data":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
  '{"value":{"__proto__":{"polluted":true},"indexSizes":[{"__proto__":{"polluted":true},"indexName":"x"}]}}',
  '{"errors":[{"message":"x","extensions":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}],"data":null}',
);
const cutOff = fc
  .tuple(spoiled, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([text, share]) => text.slice(0, text.length * share));
const page = fc.constantFrom('', 'null', '7', '"x"', `<html>${CREDENTIAL}</html>`, `HTTP error: Bearer ${CREDENTIAL}`);
const body = fc.oneof(
  { weight: 4, arbitrary: spoiled },
  { weight: 2, arbitrary: cutOff },
  fc.json(),
  fc.uint8Array({ maxLength: 3_000 }),
  deep,
  polluting,
  page,
);
const NAMES =
  'content-type retry-after x-restli-error-response www-authenticate set-cookie content-encoding location'.split(' ');
const VALUES = 'application/json text/html true 0 99999999999 -1 gzip br https://elsewhere.invalid/'
  .split(' ')
  .concat(CREDENTIAL);
const headers = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(fc.constantFrom(...VALUES), fc.stringMatching(/^[\x20-\x7E]{0,40}$/)),
);
const answer = fc.record({
  status: fc.oneof(fc.constantFrom(200, 400, 401, 403, 404, 429, 500, 503), fc.integer({ min: 200, max: 599 })),
  headers,
  body,
});

function assertNoSecret(text: string): void {
  const squeezed = text.replace(/[\s\p{C}]/gu, '');
  assertNoTrace(squeezed, CREDENTIAL);
  assertNoTrace(squeezed, NEW_TOKEN);
}

function assertHarmless(failure: ServiceFailure): void {
  const { message, next, serverText, stack } = failure;
  const inspected = inspect(failure, { depth: 9, showHidden: true, getters: false });
  const report = failureReport(failure, { extension: '1', vscode: '1', place: 'desktop', release: undefined });
  assertNoSecret([message, next, serverText, stack, JSON.stringify(failure), inspected, report].join('\n'));
  assert.ok((failure.serverText?.length ?? 0) <= 300);
  assert.doesNotMatch(failure.message, /[\n\u202E]|\tat |<b /);
}

suite('The client of a hostile server', () => {
  test('returns a result or a ServiceFailure without a secret, whatever the response', async (context) => {
    let current: { status: number; headers: Record<string, string>; body: string | Uint8Array } | undefined;
    const server = await wireServer(context, (_, response) => {
      response.writeHead(current?.status ?? 200, current?.headers);
      response.end(current?.body);
    });
    const prototype = Object.getOwnPropertyNames(Object.prototype).length;
    await fc.assert(
      fc.asyncProperty(
        answer,
        fc.constantFrom(...Object.entries(CALLS)),
        fc.boolean(),
        async (given, [, call], known) => {
          current = given;
          const exchanges: ExchangeRecord[] = [];
          const service = serviceAt(server.url, {
            knownFacts: known ? KNOWN_FACTS : {},
            observe: (exchange) => exchanges.push(exchange),
            rememberFacts: (kept) => assertNoSecret(JSON.stringify(kept)),
          });
          const outcome: unknown = await call(service).then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          service.close();
          assert.ok(outcome === undefined || outcome instanceof ServiceFailure, `threw ${inspect(outcome)}`);
          if (outcome instanceof ServiceFailure) {
            assertHarmless(outcome);
            assertHarmless(toServiceFailure(outcome).with({ operation: 'x' }));
          }
          assertNoSecret(JSON.stringify(exchanges));
          assert.ok(exchanges.length <= 40, `sent ${exchanges.length} requests`);
        },
      ),
      { numRuns: 250 },
    );
    assert.equal(Object.getOwnPropertyNames(Object.prototype).length, prototype, 'no prototype was touched');
  });

  test('respects its timeout, wherever the response stops', async (context) => {
    let stopsAfter = 0;
    let whenStopped = (): void => undefined;
    const whole =
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"data":{"listAccessTokens":{"total":0,"tokens":[]}},"value":"node:1"}';
    const server = await wireServer(context, (_, response: ServerResponse) => {
      response.socket?.write(whole.slice(0, stopsAfter), () => whenStopped());
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length),
        fc.constantFrom(...Object.entries(CALLS)),
        async (length, [what, call]) => {
          stopsAfter = length;
          const service = serviceAt(server.url, {
            timeoutMillis: () => 100,
            knownFacts: what === 'schema' ? {} : KNOWN_FACTS,
          });
          const isPatient = PATIENT_CALLS.has(what);
          whenStopped = () => setImmediate(() => isPatient && service.close());
          const outcome: unknown = await call(service).catch((thrown: unknown) => thrown);
          service.close();
          assert.ok(
            outcome instanceof ServiceFailure && outcome.kind === (isPatient ? 'cancelled' : 'timedOut'),
            inspect(outcome),
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});
