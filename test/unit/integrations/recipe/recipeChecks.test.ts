import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import * as fc from 'fast-check';
import { GC_RELEASES, type GcReleaseRange } from '../../../../src/integrations/recipe/gcReleases.ts';
import { serverRecipe, wholeDaysAgo, type IndexWithCutoff } from '../../../../src/integrations/recipe/recipeChecks.ts';
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
    const cutoffs = [older('dataset/operation', 90), older('Dataset/DatasetUsageStatistics', 90)];
    const made = await serverRecipe(serviceAt(server.url), cutoffs, asking);
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

  const unlisted = ['dataset/datasetProfile', 'dataJob/datahubIngestionCheckpoint'].map((index) => older(index, 90));
  for (const [what, sentence, next, ...cutoffs] of [
    [
      'no release truncates an index',
      'No release of DataHub can truncate dataset/datasetProfile, dataJob/datahubIngestionCheckpoint automatically.',
      `A recipe for datahub-gc only covers ${GC_RELEASES[0].truncated.join(', ')}.`,
      older('dataset/operation', 90),
      ...unlisted,
    ],
    [
      'the cutoffs are at several ages',
      'The cutoff has to be a whole number of days ago.',
      'Set the cutoff in days, or set its time to the current time.',
      older('dataset/operation', 30),
      older('chart/chartUsageStatistics', 90),
    ],
  ] as const) {
    test(`is missing without a request if ${what}`, async (context) => {
      const server = await serverRunning(context, '1.7.0.2');
      assert.deepEqual(await serverRecipe(serviceAt(server.url), cutoffs, questions()), { sentence, next });
      assert.equal(server.requests.length, 0);
    });
  }

  for (const [release, sentence, since, picked] of [
    ['0.14.0', "datahub-gc 0.14.0 doesn't truncate query/queryUsageStatistics.", '0.15.0.1'],
    ['0.12.1', 'This server runs DataHub ingestion 0.12.1, which has no datahub-gc.', '0.13.1.3'],
    [undefined, "datahub-gc 0.14.1.12 doesn't truncate query/queryUsageStatistics.", '0.15.0.1', GC_RELEASES.at(-1)],
  ] as const) {
    test(`is refused if a later release would support it: ${sentence}`, async (context) => {
      const server = await serverRunning(context, release);
      const cutoffs = [older('query/queryUsageStatistics', 90)];
      const next = `This requires release ${since} or later.`;
      assert.deepEqual(await serverRecipe(serviceAt(server.url), cutoffs, questions(picked)), { sentence, next });
      assert.deepEqual(server.bodies(), []);
    });
  }

  const inNoWords = (text: string): string => text.replace(/Issuing[^.]*\. |Reindexing[^.]*\. /, '');
  const would =
    'The first run would reindex chart/chartUsageStatistics, which can hide all of its rows: 5,100 of 10,000 rows are older than 90 days.';
  const first = 'Truncate this index once using delete by query, then copy the recipe.';
  const unread =
    "This extension couldn't interpret the dry run of chart/chartUsageStatistics, so a run of datahub-gc may hide rows of that index.";
  for (const [what, text, selected, problem] of [
    ['all rows by a query, as PostgreSQL always does', dryRunText(100, 100, 'deleteByQuery'), 'chart'],
    ['half of the rows in an unknown way', inNoWords(dryRunText(5_000, 10_000)), 'chart'],
    ['more rows in an unknown way', inNoWords(dryRunText(5_100, 10_000)), 'chart', { sentence: would, next: first }],
    ['rows of a selected index by a reindex', dryRunText(5_100, 10_000), 'chart', { sentence: would, next: first }],
    [
      'rows of another index by a reindex',
      dryRunText(5_100, 10_000),
      'dashboard',
      { sentence: would, next: `datahub-gc truncates every index on its list, selected or not. ${first}` },
    ],
    ['an unknown number of rows', 'Issuing a delete by query request.', 'chart', { sentence: unread }],
  ] as const) {
    test(`is ${problem === undefined ? 'made' : 'refused'} if a run would delete ${what}`, async (context) => {
      const server = await serverRunning(context, '1.7.0.2', ({ entityType }) =>
        entityType === 'chart' ? text : dryRunText(20, 201),
      );
      const cutoffs = [older(`${selected}/${selected}UsageStatistics`, 90)];
      const made = await serverRecipe(serviceAt(server.url), cutoffs, questions());
      assert.deepEqual(made !== undefined && 'sentence' in made ? made : undefined, problem);
      assert.equal(server.bodies().length, problem === undefined ? 5 : 3, 'the others are not counted any more');
    });
  }

  test("is refused with the reason while an index can't be counted", async (context) => {
    const server = await serverRunning(context, '1.7.0.2', ({ entityType }) =>
      entityType === 'query' ? undefined : dryRunText(20, 201),
    );
    const cutoffs = [older('dataset/operation', 90)];
    const failure = await failureOf(serverRecipe(serviceAt(server.url), cutoffs, questions()));
    assert.match(
      failure.message,
      /^Couldn't count what the first run would delete from query\/queryUsageStatistics: .*Nope/,
    );
  });
});

suite('The age of a cutoff', () => {
  const ageOf = (days: number, chosenAt = NOW): number | undefined =>
    wholeDaysAgo({ endTimeMillis: NOW - days * DAY, chosenAt });
  for (const [what, age, days, chosenAt] of [
    ['an hour less than whole days ago', 90, 90 - 1 / 24],
    ['two hours more at most', 90, 90 + 1.5 / 24],
    ['three hours more', undefined, 90 + 3 / 24],
    ['half a day more', undefined, 90.5],
    ['less than a day ago', undefined, 1 / 24],
    ['in the future', undefined, -100],
    ['chosen days ago, as the page shows them', 90, 100.4, NOW - 10.4 * DAY],
  ] as const) {
    test(`${age === undefined ? 'is no whole number of days' : 'is in whole days'}: ${what}`, () =>
      assert.equal(ageOf(days, chosenAt), age));
  }

  test('never gets much shorter, and is never less than a day', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10 * DAY, max: 4_000 * DAY }), (millis) => {
        const age = ageOf(millis / DAY);
        assert.ok(age === undefined || (age >= 1 && Math.abs(age * DAY - millis) <= 2 * HOUR));
      }),
    );
  });
});
