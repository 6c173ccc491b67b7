import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunningService } from '../service/main.ts';
import { serviceFor } from '../service/testClient.ts';
import { NO_SUCH_ASPECT } from '../../tools/conformance/dryRunClaims.ts';
import { rewritingProxy } from './rewritingProxy.ts';
import { runConformance, SMALL } from './running.ts';

/** Number of indices with a dry run. */
function counted(service: RunningService): number {
  const targets = service.requests.flatMap(({ path, body }) => {
    const { entityType, aspect } = (path.includes('truncate') ? JSON.parse(body) : {}) as Record<string, string>;
    return aspect === undefined || aspect === NO_SUCH_ASPECT ? [] : [`${String(entityType)}/${aspect}`];
  });
  return new Set(targets).size;
}

suite('Dry runs', () => {
  test('are made for at most 25 indices, or for all', async (context) => {
    const service = await serviceFor(context, { ...SMALL, smallIndices: 30 });
    await runConformance(service);
    assert.equal(counted(service), 25);
    service.clearRequests();
    await runConformance(service, { mostIndices: Number.POSITIVE_INFINITY });
    assert.ok(counted(service) > 40);
  });

  test('treat a sentence without counts as a refusal of PostgreSQL', async (context) => {
    const service = await serviceFor(context, { ...SMALL, profile: 'postgres' });
    const value = "This store can't reindex.";
    const baseUrl = await rewritingProxy(context, service.url, {
      reply: ({ body }) =>
        body.includes('"forceReindex":true}') && !body.includes('forceDeleteByQuery')
          ? { status: 200, body: JSON.stringify({ value }) }
          : undefined,
    });
    assert.equal((await runConformance(service, { baseUrl })).results['reindex'], 'holds');
  });

  test('of an empty server conform', async (context) => {
    const service = await serviceFor(context, { rows: 0, tokens: 0, lagMillis: 0 });
    const run = await runConformance(service);
    assert.deepEqual(run.with('differs'), [], run.printed);
    assert.equal(run.results['dry-run-only-counts'], 'not asked');
  });
});
