import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { suite, test, type TestContext } from 'node:test';
import type { MetadataService } from '../../../../src/service/service.ts';
import type { ExchangeRecord } from '../../../../src/service/http/transport.ts';
import { collector, fromCommandLine, recipeSecret } from '../../../service/ingestionSources.ts';
import { serviceFor } from '../../../service/testClient.ts';
import type { ServiceOptions } from '../../../service/options.ts';
import type { RunningService } from '../../../service/main.ts';
import type { UserName } from '../../../service/users.ts';
import { failureOf, serviceAt } from '../clients.ts';
import { refusal } from '../tokenServer.ts';
import { reply, wireServer, type WireServer } from '../wireServer.ts';

interface Reader {
  readonly service: MetadataService;
  readonly server: RunningService;
  readonly exchanges: readonly ExchangeRecord[];
  /** Requests so far. */
  readonly asked: () => readonly string[];
}

async function readerOf(
  context: TestContext,
  options: ServiceOptions = {},
  user: UserName = 'ingester',
): Promise<Reader> {
  const server = await serviceFor(context, options);
  const exchanges: ExchangeRecord[] = [];
  const service = serviceAt(server.url, {
    actorUrn: server.users[user].urn,
    readSecrets: () => Promise.resolve({ token: server.users[user].token }),
    knownFacts: {},
    observe: (exchange) => exchanges.push(exchange),
  });
  context.after(() => service.close());
  const asked = (): string[] =>
    server.requests.flatMap(({ body }) => /\b(?:listIngestionSources|ingestionSource)\(/.exec(body)?.[0] ?? []);
  return { service, server, exchanges, asked };
}

/** A server with these responses to the listing and to the request for recipes. */
async function answering(
  context: TestContext,
  listed: unknown,
  recipes: unknown = {},
): Promise<[MetadataService, WireServer]> {
  const server = await wireServer(context, ({ body }, response) =>
    reply(response, 200, body.includes('query listIngestionSources') ? listed : recipes),
  );
  return [serviceAt(server.url), server];
}

function listing(sources: readonly object[], total = sources.length): object {
  return { data: { listIngestionSources: { total, ingestionSources: sources } } };
}

const COLLECTOR = { urn: 'urn:li:dataHubIngestionSource:gc', type: 'datahub-gc', schedule: null };

suite('The cleanups of a server', () => {
  for (const [profile, queries] of [
    ['0.14', 'none'],
    ['1.7', 730],
    // Its default release is no number.
    ['next', 'unknown'],
    ['postgres', 'unknown'],
  ] as const) {
    test(`are read on ${profile}, with only their own recipes`, async (context) => {
      const { service, server, asked } = await readerOf(context, { profile });
      const { cleanups = [], isComplete } = (await service.ingestion.readCleanups()) ?? {};
      assert.equal(isComplete, true);
      assert.deepEqual(
        cleanups.map(({ schedule, retentions }) => [
          schedule,
          retentions('dataset', 'operation'),
          retentions('dataset', 'datasetprofile'),
          retentions('query', 'queryUsageStatistics'),
        ]),
        // The first runs by the server's default release, the other by the one that it names.
        [
          [{ kind: 'cron', interval: '0 1 * * *', timeZone: 'UTC' }, 730, 'none', queries],
          [{ kind: 'commandLine' }, 1095, 'none', 1095],
        ],
      );
      assert.deepEqual(asked(), ['listIngestionSources(', 'ingestionSource(']);
      assert.ok(server.requests.every(({ body }) => !body.includes('warehouse')));
      assert.equal(service.ingestion.known?.cleanups.length, 2);
    });
  }

  test('keep nothing of a recipe: neither in memory nor in observed exchanges', async (context) => {
    const { service, exchanges } = await readerOf(context);
    const cleanups = await service.ingestion.readCleanups();
    const texts = [inspect(cleanups, { depth: null, showHidden: true }), inspect(exchanges, { depth: null })].join();
    assert.match(texts, /0 1 \* \* \*/);
    assert.match(texts, /listIngestionSources/);
    assert.doesNotMatch(texts, new RegExp(recipeSecret));
    assert.doesNotMatch(inspect(service.server.known, { depth: null }), /dataHubIngestionSource|0 1 \* \* \*/);
  });

  test('keep nothing of a recipe in a failure either', async (context) => {
    const echo = { errors: [{ message: `broken: ${recipeSecret}`, extensions: { code: 404 } }], data: null };
    const [service] = await answering(context, listing([COLLECTOR]), echo);
    const failure = await failureOf(service.ingestion.readCleanups());
    assert.doesNotMatch(inspect(failure, { depth: null, showHidden: true }), new RegExp(recipeSecret));
  });

  test('are read again each time, once for concurrent callers', async (context) => {
    const { service, asked } = await readerOf(context);
    await Promise.all([service.ingestion.readCleanups(), service.ingestion.readCleanups()]);
    assert.equal(asked().length, 2);
    await service.ingestion.readCleanups();
    assert.equal(asked().length, 4);
  });

  test('are not requested again in a session after a refusal, until the connection is tested', async (context) => {
    const { service, asked } = await readerOf(context, {}, 'operator');
    assert.equal(await service.ingestion.readCleanups(), undefined);
    assert.equal(await service.ingestion.readCleanups(), undefined);
    assert.deepEqual(asked(), ['listIngestionSources(']);
    await service.check();
    await service.ingestion.readCleanups();
    assert.equal(asked().length, 2);
  });

  test('are not requested again if the server lacks them', async (context) => {
    const { service, asked } = await readerOf(context, { profile: 'spec' }, 'admin');
    assert.equal(await service.ingestion.readCleanups(), undefined);
    assert.equal(await service.ingestion.readCleanups(), undefined);
    assert.equal(asked().length, 1);
  });

  test('are empty if no source is a cleanup', async (context) => {
    const { service, asked } = await readerOf(context, { ingestionSources: [] });
    assert.deepEqual(await service.ingestion.readCleanups(), { cleanups: [], isComplete: true });
    assert.deepEqual(asked(), ['listIngestionSources('], 'there is no recipe to ask for');
  });

  test('run by themselves, by hand or from a command line', async (context) => {
    const { service } = await readerOf(context, {
      ingestionSources: [
        collector({}, { urn: 'urn:li:dataHubIngestionSource:a', schedule: null }),
        collector(
          {},
          {
            urn: 'urn:li:dataHubIngestionSource:b',
            schedule: null,
            config: { recipe: '', executorId: '__datahub_cli_', version: null },
          },
        ),
        // No server runs it, whatever its schedule.
        fromCommandLine(collector({}), { interval: '@daily', timezone: 'UTC' }),
        collector(
          {},
          { urn: 'urn:li:dataHubIngestionSource:c', schedule: { interval: '@daily', timezone: 'Europe/Berlin' } },
        ),
        collector(
          {},
          {
            urn: 'urn:li:dataHubIngestionSource:d',
            schedule: { interval: '<img src=x> $(key) [a](b)', timezone: 'UTC' },
          },
        ),
      ],
    });
    assert.deepEqual(
      (await service.ingestion.readCleanups())?.cleanups.map(({ schedule, retentions }) => [
        schedule,
        retentions('dataset', 'operation'),
      ]),
      [
        [{ kind: 'byHand' }, 30],
        [{ kind: 'commandLine' }, 'unknown'],
        [{ kind: 'commandLine' }, 30],
        [{ kind: 'cron', interval: '@daily', timeZone: 'Europe/Berlin' }, 30],
        [{ kind: 'unknown' }, 30],
      ],
    );
  });

  test('depend on the default release of the server only if that runs them', async (context) => {
    const source = (urn: string, config: object): ReturnType<typeof collector> => {
      const made = collector({}, { urn: `urn:li:dataHubIngestionSource:${urn}` });
      return { ...made, config: { ...made.config, ...config } };
    };
    const queriesOf = async (sources: readonly ReturnType<typeof collector>[]): Promise<readonly unknown[]> => {
      const { service, server } = await readerOf(context, { profile: '1.6', ingestionSources: sources });
      const { cleanups = [] } = (await service.ingestion.readCleanups()) ?? {};
      const configs = server.requests.filter(({ path }) => path.endsWith('/config')).length;
      return [...cleanups.map(({ retentions }) => retentions('query', 'queryusagestatistics')), configs];
    };
    const named = [
      source('named', { version: '0.14.0' }),
      source('typed', { version: null, executorId: '__datahub_cli_' }),
    ];
    const product = 1;
    assert.deepEqual(await queriesOf(named), ['none', 'unknown', product]);
    assert.deepEqual(await queriesOf([...named, source('default', {})]), ['none', 'unknown', 30, product + 1]);
  });

  test('are incomplete if the server lists more than it returns, or more than the limit', async (context) => {
    const [service] = await answering(context, listing([], 7));
    assert.deepEqual(await service.ingestion.readCleanups(), { cleanups: [], isComplete: false });
    const [another, server] = await answering(context, listing(Array.from({ length: 25 }, () => COLLECTOR)), {
      data: { source0: null, source1: { config: { recipe: 5 } }, source2: {} },
    });
    const { cleanups = [], isComplete } = (await another.ingestion.readCleanups()) ?? {};
    assert.equal(isComplete, false);
    assert.equal(cleanups.length, 20);
    assert.ok(cleanups.every(({ retentions }) => retentions('dataset', 'operation') === 'unknown'));
    assert.equal(server.requests.length, 2);
  });

  for (const [what, answer] of Object.entries({
    'another shape': { data: { listIngestionSources: { sources: [] } } },
    'rows without a URN': listing([{ type: 'datahub-gc' }]),
    'with an error': refusal(500),
    nothing: { data: { listIngestionSources: null } },
  })) {
    test(`are unknown if the server answers ${what}`, async (context) => {
      const [service] = await answering(context, answer);
      assert.equal(await service.ingestion.readCleanups(), undefined);
      assert.equal(service.ingestion.known, undefined);
    });
  }

  test('fail if the server no longer accepts the credential', async (context) => {
    const [service] = await answering(context, refusal(401));
    assert.equal((await failureOf(service.ingestion.readCleanups())).kind, 'signedOut');
  });
});
