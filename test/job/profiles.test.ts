// A run against each kind of server: the rows that it deletes, and when it deletes none.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import { executions, rowCount } from './rows.ts';
import { ALL_SHELLS, inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

for (const profile of ['0.14', '1.6', 'next', 'postgres'] as const) {
  suite(`A job for a server of the profile ${profile}`, { concurrency: 2 }, () => {
    for (const shell of SHELLS) {
      test(
        `only counts unless EXECUTE is exactly yes, in ${shell.name}`,
        inShell(shell, async (context, found) => {
          const { service, job } = await smallJob(context, found, {}, { profile });
          for (const EXECUTE of [undefined, 'true', 'YES', '', 'yes ']) {
            const { code, stdout } = await job.run(EXECUTE === undefined ? {} : { EXECUTE });
            const counts = '20 of 200 rows before, 20 of 200 after';
            assert.equal(stdout, `dataset/operation: ${counts}: dry run only\n`);
            assert.equal(code, 0);
          }
          assert.deepEqual(executions(service), []);
          assert.equal(rowCount(service), 200);
        }),
      );
    }

    for (const shell of ALL_SHELLS) {
      test(
        `deletes exactly the rows before the cutoff, in ${shell.name}`,
        inShell(shell, async (context, found) => {
          const cutoff = Date.now() - 90 * MILLIS_PER_DAY;
          const atCutoff = [cutoff - 60_000, cutoff + 60_000];
          const { service, job } = await smallJob(context, found, {}, { profile }, { others: atCutoff });
          const { code, stdout, stderr } = await job.execute();
          const [task, ...others] = service.tasks();
          assert.equal(
            stdout,
            `dataset/operation: HTTP 200, task ${task?.id}\n` +
              statusLine(stdout) +
              'dataset/operation: 21 of 202 rows before, 0 of 181 after: done\n',
          );
          assert.deepEqual([code, stderr, others], [0, '', []]);
          const { count, min } = service.rows('dataset', 'operation');
          assert.deepEqual([count, min], [181, cutoff + 60_000]);
          assert.equal(executions(service).length, 1);
        }),
      );
    }
  });
}

suite('A job for a server of the profile spec', () => {
  for (const shell of ALL_SHELLS) {
    test(
      `is refused, since that server knows no delete by query, in ${shell.name}`,
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, {}, { profile: 'spec' });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /refused, HTTP 400/);
        assert.equal(code, 2);
        assert.deepEqual(executions(service), []);
        assert.equal(rowCount(service), 200);
      }),
    );
  }
});

/** The line with the status of the task. A database has none. */
function statusLine(stdout: string): string {
  return /^\{.*"completed":true.*\n/m.exec(stdout)?.[0] ?? '';
}
