// Breaks each claim by itself in front of the local service. Only its row may report it.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startService, type RunningService } from '../service/main.ts';
import { BREAKS } from './breaks.ts';
import { CLAIMS } from '../../tools/conformance/claims.ts';
import { rewritingProxy } from './rewritingProxy.ts';
import { ownTokens, runConformance, SMALL } from './running.ts';

suite('A broken claim is found', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ ...SMALL, profile: 'next' });
  });
  after(() => service.close());

  test('every claim can be broken', () => {
    assert.deepEqual(Object.keys(BREAKS).toSorted(), CLAIMS.map(({ id }) => id).toSorted());
  });

  suite('by its row alone', { concurrency: 4 }, () => {
    for (const [id, makeBreak] of Object.entries(BREAKS)) {
      test(id, async (context) => {
        const baseUrl = await rewritingProxy(context, service.url, makeBreak(service));
        const run = await runConformance(service, { baseUrl, actorUrn: service.users.admin.urn });
        assert.deepEqual(run.with('differs'), [id], run.printed);
        assert.equal(run.exitCode, 1);
        const { sentence, consequence } = CLAIMS.find((claim) => claim.id === id) ?? assert.fail();
        assert.ok(run.printed.includes(`- ${sentence}: ${consequence} `));
      });
    }
  });

  test('and nothing is left behind', async () => {
    const run = await runConformance(service);
    assert.deepEqual(run.with('differs'), []);
    assert.deepEqual([ownTokens(service), service.tasks()], [[], []]);
  });
});
