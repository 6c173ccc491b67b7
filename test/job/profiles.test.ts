// A run against each kind of server: the rows that it deletes, and when it deletes none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import { executions, rowCount } from './rows.ts';
import { inEachShell, type Register } from './situations.ts';
import { ALL_SHELLS } from './shells.ts';

const register: Register = (name, body) => void test(name, body);

for (const profile of ['0.14', '1.6', 'next', 'postgres'] as const) {
  inEachShell(
    register,
    `A job for a server of the profile ${profile}`,
    {
      'only counts unless EXECUTE is exactly yes': async (make) => {
        const { service, job } = await make({}, { profile });
        for (const EXECUTE of [undefined, 'true', 'YES', '', 'yes ']) {
          const { code, stdout } = await job.run({ EXECUTE });
          assert.equal(stdout, 'dataset/operation: 20 of 200 rows before, 20 of 200 after: dry run only\n');
          assert.equal(code, 0);
        }
        assert.deepEqual([executions(service), rowCount(service)], [[], 200]);
      },
      'deletes exactly the rows before the cutoff': async (make) => {
        const cutoff = Date.now() - 90 * MILLIS_PER_DAY;
        const { service, job } = await make({}, { profile }, { others: [cutoff - 60_000, cutoff + 60_000] });
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
      },
    },
    ALL_SHELLS,
  );
}

inEachShell(
  register,
  'A job for a server of the profile spec',
  {
    'is refused, since that server knows no delete by query': {
      options: { profile: 'spec' },
      says: /refused, HTTP 400/,
      code: 2,
    },
  },
  ALL_SHELLS,
);

/** The line with the status of the task. A database has none. */
function statusLine(stdout: string): string {
  return /^\{.*"completed":true.*\n/m.exec(stdout)?.[0] ?? '';
}
