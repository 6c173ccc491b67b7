import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { GC_RELEASES, type GcReleaseRange } from '../../../src/recipe/gcReleases.ts';
import type { IndexWithCutoff } from '../../../src/recipe/recipeRefusal.ts';
import { serverRecipe } from '../../../src/recipe/serverRecipe.ts';
import { failureOf, serviceAt } from '../service/clients.ts';
import { reply, wireServer, type WireServer } from '../service/wireServer.ts';
import { dryRunText } from '../truncation/samples.ts';

const DAY = 86_400_000;
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
      next: 'datahub-gc truncates every index of its list, chosen or not. Truncate this index once using delete by query, then copy the recipe.',
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
