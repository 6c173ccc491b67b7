// The script of a scheduled job over a real search cluster.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import { executions } from '../../job/rows.ts';
import { jobFor } from '../../job/script.ts';
import { DASH, inShell } from '../../job/shells.ts';
import { startReal } from './engines.ts';
import { readerCounts } from './truncations.ts';

const OPERATIONS = { entityType: 'dataset', aspect: 'operation' };
/** Fewer than 20 percent of the sample are older. */
const DAYS = 450;

suite('A scheduled job over a real search cluster', () => {
  test(
    'deletes the old rows, and says so once searches find the others alone',
    inShell(DASH, async (context, found) => {
      const { service } = await startReal({ profile: '1.7' });
      context.after(() => service.close());
      const cutoff = Date.now() - DAYS * MILLIS_PER_DAY;
      const { old, kept } = await readerCounts(service, OPERATIONS, cutoff);
      assert.ok(old > 50, `only ${old} rows are old`);
      const indices = [`dataset operation ${DAYS} ${old} ${old + kept}`];
      const job = await jobFor(context, found, service, { indices, pause: 0.2, batchSize: 20 });

      const counted = await job.run();
      assert.match(counted.stdout, new RegExp(`: ${old} of ${old + kept} rows before, .*: dry run only\n$`));
      assert.deepEqual(await readerCounts(service, OPERATIONS, cutoff), { old, kept });

      const { code, stdout } = await job.execute();
      assert.match(stdout, new RegExp(`"completed":true.*"deleted":${old},`));
      assert.match(stdout, new RegExp(`: ${old} of ${old + kept} rows before, 0 of ${kept} after: done\n$`));
      assert.equal(code, 0);
      assert.deepEqual(await readerCounts(service, OPERATIONS, cutoff), { old: 0, kept });
      const { count, min } = await service.cluster.rows(OPERATIONS.entityType, OPERATIONS.aspect);
      assert.deepEqual([count, (min ?? 0) > cutoff], [kept, true]);
      assert.equal(executions(service).length, 1);
    }),
  );
});
