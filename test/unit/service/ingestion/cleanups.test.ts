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
    credential: () => Promise.resolve(server.users[user].token),
    knownCapabilities: {},
    observe: (exchange) => exchanges.push(exchange),
  });
  context.after(() => service.close());
  const asked = (): string[] =>
    server.requests.flatMap(({ body }) => /\b(?:listIngestionSources|ingestionSource)\(/.exec(body)?.[0] ?? []);
  return { service, server, exchanges, asked };
}

/** A server that answers the first question so, and the one for recipes so. */
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
  for (const profile of ['0.14', '1.7', 'next', 'postgres'] as const) {
    test(`are read on ${profile}, with no recipe but theirs`, async (context) => {
      const { service, server, asked } = await readerOf(context, { profile });
      const { cleanups = [], isComplete } = (await service.ingestion.cleanups()) ?? {};
      assert.equal(isComplete, true);
      assert.deepEqual(
        cleanups.map(({ schedule, retentions }) => [
          schedule,
          retentions('dataset', 'operation'),
          retentions('dataset', 'datasetprofile'),
        ]),
        [
          [{ kind: 'cron', interval: '0 1 * * *', timeZone: 'UTC' }, 30, 'none'],
          [{ kind: 'commandLine' }, 7, 'none'],
        ],
      );
      assert.deepEqual(asked(), ['listIngestionSources(', 'ingestionSource(']);
      assert.ok(server.requests.every(({ body }) => !body.includes('warehouse')));
      assert.equal(service.ingestion.known?.cleanups.length, 2);
    });
  }

  test('leave nothing of a recipe anywhere: not in what is kept, and not in what is observed', async (context) => {
    const { service, exchanges } = await readerOf(context);
    const cleanups = await service.ingestion.cleanups();
    const texts = [inspect(cleanups, { depth: null, showHidden: true }), inspect(exchanges, { depth: null })].join();
    assert.match(texts, /0 1 \* \* \*/);
    assert.match(texts, /listIngestionSources/);
    assert.doesNotMatch(texts, new RegExp(recipeSecret));
    assert.doesNotMatch(inspect(service.capabilities.known, { depth: null }), /dataHubIngestionSource|0 1 \* \* \*/);
  });

  test('leave nothing of a recipe in a failure either', async (context) => {
    const echo = { errors: [{ message: `broken: ${recipeSecret}`, extensions: { code: 404 } }], data: null };
    const [service] = await answering(context, listing([COLLECTOR]), echo);
    const failure = await failureOf(service.ingestion.cleanups());
    assert.doesNotMatch(inspect(failure, { depth: null, showHidden: true }), new RegExp(recipeSecret));
  });

  test('are read again with each look, once for concurrent callers', async (context) => {
    const { service, asked } = await readerOf(context);
    await Promise.all([service.ingestion.cleanups(), service.ingestion.cleanups()]);
    assert.equal(asked().length, 2);
    await service.ingestion.cleanups();
    assert.equal(asked().length, 4);
  });

  test('are not asked for again in a session where the server refuses, until the connection is tested', async (context) => {
    const { service, asked } = await readerOf(context, {}, 'operator');
    assert.equal(await service.ingestion.cleanups(), undefined);
    assert.equal(await service.ingestion.cleanups(), undefined);
    assert.deepEqual(asked(), ['listIngestionSources(']);
    await service.check();
    await service.ingestion.cleanups();
    assert.equal(asked().length, 2);
  });

  test('are not asked for again where the server has no such thing', async (context) => {
    const { service, asked } = await readerOf(context, { profile: 'spec' }, 'admin');
    assert.equal(await service.ingestion.cleanups(), undefined);
    assert.equal(await service.ingestion.cleanups(), undefined);
    assert.equal(asked().length, 1);
  });

  test('are none where no source is one', async (context) => {
    const { service, asked } = await readerOf(context, { ingestionSources: [] });
    assert.deepEqual(await service.ingestion.cleanups(), { cleanups: [], isComplete: true });
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
        // No server runs it, whatever schedule it was given.
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
      (await service.ingestion.cleanups())?.cleanups.map(({ schedule, retentions }) => [
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

  test('are not all where the server lists more than it gives, or more of them than are looked at', async (context) => {
    const [service] = await answering(context, listing([], 7));
    assert.deepEqual(await service.ingestion.cleanups(), { cleanups: [], isComplete: false });
    const [another, server] = await answering(context, listing(Array.from({ length: 25 }, () => COLLECTOR)), {
      data: { source0: null, source1: { config: { recipe: 5 } }, source2: {} },
    });
    const { cleanups = [], isComplete } = (await another.ingestion.cleanups()) ?? {};
    assert.equal(isComplete, false);
    assert.equal(cleanups.length, 20);
    assert.ok(cleanups.every(({ retentions }) => retentions('dataset', 'operation') === 'unknown'));
    assert.equal(server.requests.length, 2);
  });

  for (const [what, answer] of Object.entries({
    'another shape': { data: { listIngestionSources: { sources: [] } } },
    'rows without a URN': listing([{ type: 'datahub-gc' }]),
    'that it broke': refusal(500),
    nothing: { data: { listIngestionSources: null } },
  })) {
    test(`are unknown where the server answers ${what}`, async (context) => {
      const [service] = await answering(context, answer);
      assert.equal(await service.ingestion.cleanups(), undefined);
      assert.equal(service.ingestion.known, undefined);
    });
  }

  test('stay what they were where the server does not accept the credential any more', async (context) => {
    const [service] = await answering(context, refusal(401));
    assert.equal((await failureOf(service.ingestion.cleanups())).kind, 'signedOut');
  });
});
