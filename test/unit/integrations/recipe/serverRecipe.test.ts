import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { GC_RELEASES, type GcReleaseRange } from '../../../../src/integrations/recipe/gcReleases.ts';
import {
  ageForRecipe,
  reindexRefusal,
  releasesForRecipe,
  serverRecipe,
  type IndexWithCutoff,
} from '../../../../src/integrations/recipe/serverRecipe.ts';
import { failureOf, serviceAt } from '../../service/clients.ts';
import { reply, wireServer, type WireServer } from '../../service/wireServer.ts';
import { dryRunText } from '../../truncation/samples.ts';

const DAY = 86_400_000;
const HOUR = DAY / 24;
const NOW = Date.UTC(2026, 7, 21, 12, 5);

function older(index: string, days: number): IndexWithCutoff {
  const [entityType = '', aspect = ''] = index.split('/');
  return { entityType, aspect, endTimeMillis: NOW - days * DAY, chosenAt: NOW };
}

interface Body {
  readonly entityType: string;
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
}

/** A server with this release and these responses to dry runs. */
async function serverRunning(
  context: TestContext,
  release: string | undefined,
  dryRun: (body: Body) => string | undefined = () => dryRunText(20, 201),
): Promise<WireServer & { readonly bodies: () => readonly Body[] }> {
  const server = await wireServer(context, (request, response) => {
    if (request.path.endsWith('/config')) {
      reply(response, 200, { noCode: 'true', managedIngestion: { defaultCliVersion: release } });
      return;
    }
    const text = dryRun(JSON.parse(request.body) as Body);
    reply(response, text === undefined ? 400 : 200, text === undefined ? { message: 'Nope.' } : { value: text });
  });
  const bodies = (): Body[] =>
    server.requests.filter(({ path }) => path.includes('truncate')).map(({ body }) => JSON.parse(body) as Body);
  return { ...server, bodies };
}

function questions(answer?: GcReleaseRange): Parameters<typeof serverRecipe>[2] & {
  readonly asked: () => number;
  readonly shown: string[];
} {
  const shown: string[] = [];
  let asked = 0;
  return {
    askReleases: () => {
      asked++;
      return Promise.resolve(answer);
    },
    showCounting: (count) => count(new AbortController().signal, (index) => shown.push(index)),
    now: () => NOW,
    asked: () => asked,
    shown,
  };
}

type Made = Awaited<ReturnType<typeof serverRecipe>>;

function recipeIn(made: Made): string {
  assert.ok(made !== undefined && 'recipe' in made, JSON.stringify(made));
  return made.recipe;
}

suite('A recipe for the cleanup of a server', () => {
  test("is for the server's release, after a harmless dry run of each index", async (context) => {
    const server = await serverRunning(context, '1.7.0.2');
    const asking = questions();
    const made = await serverRecipe(serviceAt(server.url), [older('dataset/operation', 90)], asking);
    assert.match(recipeIn(made), /# Release that this server runs by default: 1\.7\.0\.2\n[^]*query_cleanup/);
    assert.match(recipeIn(made), /truncate_index_older_than_days: 90\n/);
    assert.equal(asking.asked(), 0);
    assert.deepEqual(asking.shown, GC_RELEASES[0].truncated);
    assert.deepEqual(
      server.bodies().map(({ entityType, aspect }) => `${entityType}/${aspect}`),
      GC_RELEASES[0].truncated,
    );
    for (const body of server.bodies()) {
      assert.deepEqual([body.dryRun, body.endTimeMillis], [true, NOW - 90 * DAY]);
      assert.doesNotMatch(JSON.stringify(body), /force/, 'the cleanup sends no strategy');
    }
  });

  for (const release of [undefined, '1.7.1-SNAPSHOT']) {
    test(`asks for the release if the server reports ${String(release)}`, async (context) => {
      const server = await serverRunning(context, release);
      const asking = questions(GC_RELEASES[1]);
      const made = await serverRecipe(serviceAt(server.url), [older('dataset/operation', 90)], asking);
      assert.match(recipeIn(made), /acryl-datahub 0\.15\.0\.1 to 1\.6\.0\.14\.\n/);
      assert.doesNotMatch(recipeIn(made), /query_cleanup|by default:/);
      assert.equal(asking.asked(), 1);
    });
  }

  test('is missing if the user leaves the question, and nothing is counted', async (context) => {
    const server = await serverRunning(context, undefined);
    const made = await serverRecipe(serviceAt(server.url), [older('dataset/operation', 90)], questions());
    assert.equal(made, undefined);
    assert.deepEqual(server.bodies(), []);
  });

  test('is missing without a request if no release can apply the cutoffs', async (context) => {
    const server = await serverRunning(context, '1.7.0.2');
    const others = ['dataset/datasetProfile', 'dataJob/datahubIngestionCheckpoint'].map((index) => older(index, 90));
    const cutoffs = [older('dataset/operation', 90), ...others];
    assert.deepEqual(await serverRecipe(serviceAt(server.url), cutoffs, questions()), {
      sentence:
        'No release of DataHub can truncate dataset/datasetProfile, dataJob/datahubIngestionCheckpoint automatically.',
      next: `A recipe for datahub-gc only covers ${GC_RELEASES[0].truncated.join(', ')}.`,
    });
    assert.equal(server.requests.length, 0);
  });

  test("is refused if the server's release doesn't support it", async (context) => {
    const server = await serverRunning(context, '0.14.0');
    const cutoffs = [older('query/queryUsageStatistics', 90)];
    assert.deepEqual(await serverRecipe(serviceAt(server.url), cutoffs, questions()), {
      sentence: "datahub-gc 0.14.0 doesn't truncate query/queryUsageStatistics.",
      next: 'This requires release 0.15.0.1 or later.',
    });
    assert.deepEqual(server.bodies(), []);
  });

  test('is refused while a run would reindex an index, which is named', async (context) => {
    const reindex = dryRunText(20, 201).replace(/Issuing[^.]*/, 'Reindexing the aspect without the deleted records');
    const server = await serverRunning(context, '1.7.0.2', ({ entityType }) =>
      entityType === 'chart' ? reindex : dryRunText(20, 201),
    );
    const cutoffs = [older('dataset/operation', 90)];
    assert.partialDeepStrictEqual(await serverRecipe(serviceAt(server.url), cutoffs, questions()), {
      next: 'datahub-gc truncates every index on its list, selected or not. Truncate this index once using delete by query, then copy the recipe.',
    });
    assert.equal(server.bodies().length, 3, 'the others are not counted any more');
  });

  test("is refused with the reason while an index can't be counted", async (context) => {
    const server = await serverRunning(context, '1.7.0.2', ({ entityType }) =>
      entityType === 'query' ? undefined : dryRunText(20, 201),
    );
    const cutoffs = [older('dataset/operation', 90)];
    const failure = await failureOf(serverRecipe(serviceAt(server.url), cutoffs, questions()));
    assert.match(
      failure.message,
      /^Couldn't count what the first run would delete from query\/queryusagestatistics: .*Nope/,
    );
  });
});

function sentence(refusal: object | undefined): string {
  return refusal !== undefined && 'sentence' in refusal ? String(refusal.sentence) : '';
}

/** An age of days, or why there is none. */
function ageOf(...cutoffs: readonly IndexWithCutoff[]): unknown {
  const age = ageForRecipe(cutoffs);
  return 'olderThanDays' in age ? age.olderThanDays : sentence(age);
}

suite('Cutoffs that the cleanup can apply', () => {
  const operation = (days: number): IndexWithCutoff => older('dataset/operation', days);
  const NO_WHOLE_DAYS = 'The cutoff has to be a whole number of days ago.';
  for (const [what, age, ...cutoffs] of [
    ['in any case, at one age', 90, operation(90), older('Dataset/DatasetUsageStatistics', 90)],
    ['at several ages', NO_WHOLE_DAYS, operation(30), older('chart/chartUsageStatistics', 90)],
    ['an hour less than whole days ago', 90, operation(90 - 1 / 24)],
    ['two hours more at most', 90, operation(90 + 1.5 / 24)],
    ['three hours more', NO_WHOLE_DAYS, operation(90 + 3 / 24)],
    ['half a day more', NO_WHOLE_DAYS, operation(90.5)],
    ['less than a day ago', NO_WHOLE_DAYS, operation(1 / 24)],
    ['in the future', NO_WHOLE_DAYS, operation(-100)],
    ['chosen days ago, as the page shows them', 90, { ...operation(100.4), chosenAt: NOW - 10.4 * DAY }],
  ] as const) {
    test(`${typeof age === 'number' ? 'are' : 'are not'} listed ones ${what}`, () =>
      assert.equal(ageOf(...cutoffs), age));
  }

  test('never get a much shorter age, and never less than a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10 * DAY, max: 4_000 * DAY }), (millis) => {
        const age = ageOf(operation(millis / DAY));
        assert.ok(typeof age === 'string' || (Number(age) >= 1 && Math.abs(Number(age) * DAY - millis) <= 2 * HOUR));
      }),
    );
  });
});

suite('Releases for a recipe', () => {
  test('are refused if only later ones truncate an index, with the last of those that were picked', () => {
    const cutoffs = [older('query/queryUsageStatistics', 90)];
    assert.match(
      sentence(releasesForRecipe(GC_RELEASES.at(-1) ?? 'none', undefined, cutoffs)),
      /^datahub-gc 0\.14\.1\.12 doesn't/,
    );
    assert.equal(releasesForRecipe(GC_RELEASES[1] ?? 'none', undefined, cutoffs), GC_RELEASES[1]);
  });

  test('are refused before datahub-gc existed', () => {
    assert.deepEqual(releasesForRecipe('none', '0.12.1', []), {
      sentence: 'This server runs DataHub ingestion 0.12.1, which has no datahub-gc.',
      next: 'This requires release 0.13.1.3 or later.',
    });
  });
});

suite('A first run of the cleanup', () => {
  const CHARTS = { entityType: 'chart', aspect: 'chartUsageStatistics' };
  const refusalOf = (
    rows: { readonly toDelete: number; readonly total: number } | undefined,
    strategy: 'reindex' | 'deleteByQuery' | 'unknown',
  ): ReturnType<typeof reindexRefusal> => reindexRefusal(CHARTS, { rows, strategy }, 90, true);

  for (const [toDelete, total, strategy, isRefused] of [
    [50, 100, 'deleteByQuery', false],
    // As PostgreSQL always does.
    [100, 100, 'deleteByQuery', false],
    [0, 0, 'deleteByQuery', false],
    [51, 100, 'unknown', true],
    [50, 100, 'unknown', false],
  ] as const) {
    test(`is ${isRefused ? 'refused' : 'allowed'} to delete ${toDelete} of ${total} rows: ${strategy}`, () =>
      assert.equal(refusalOf({ toDelete, total }, strategy) !== undefined, isRefused));
  }

  test('is refused if the server would reindex', () => {
    assert.deepEqual(refusalOf({ toDelete: 5_100, total: 10_000 }, 'reindex'), {
      sentence:
        'The first run would reindex chart/chartUsageStatistics, which can hide all of its rows: 5,100 of 10,000 rows are older than 90 days.',
      next: 'Truncate this index once using delete by query, then copy the recipe.',
    });
  });

  test('is refused without counts', () => {
    assert.match(sentence(refusalOf(undefined, 'unknown')), /couldn't interpret/);
    assert.match(sentence(refusalOf(undefined, 'deleteByQuery')), /couldn't interpret/);
  });
});
