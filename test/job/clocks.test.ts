// The time by which a run decides: that of its start, unless this machine's clock was wrong then.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import type { LoggedRequest } from '../service/requestLog.ts';
import { until } from '../service/testClient.ts';
import { addRows, CHART_USAGE, executions, holdAnswer, QUERY_USAGE, rowCount } from './rows.ts';
import { OPERATIONS, type Job } from './script.ts';
import { SHELLS, type JobShell } from './shells.ts';
import { inEachShell, now, type Register } from './situations.ts';

const register: Register = (name, body) => void test(name, body);

const CHART_LINE = `${CHART_USAGE.join(' ')} 90 40 200`;
const UNCHECKED = "The server sends no Date header: this clock isn't checked.\n";

inEachShell(register, 'The cutoff', {
  'is that of the start, for each index of a slow run': async (make) => {
    const { service, job } = await make({ indices: [OPERATIONS, CHART_LINE, `${QUERY_USAGE.join(' ')} 30 40 200`] });
    for (const index of [CHART_USAGE, QUERY_USAGE]) await addRows(service, { index });
    const release = holdAnswer(service);
    const earliest = now();
    const run = job.start({ EXECUTE: 'yes' });
    await until('the job counts', () => service.requests.length > 0);
    const latest = now();
    await until('the clock shows another second', () => now() > latest);
    release();
    const { code, stdout } = await run.end;
    assert.equal(code, 0, stdout);
    const [cutoff = NaN, ...others] = executions(service).map(endOf);
    assert.deepEqual(others, [cutoff, cutoff + 60 * MILLIS_PER_DAY]);
    const started = (cutoff + 90 * MILLIS_PER_DAY) / 1000;
    assert.ok(started >= earliest && started <= latest, `${earliest} ≤ ${started} ≤ ${latest}`);
    for (const execution of executions(service)) {
      const asked = service.requests.filter(({ body }) => aspectOf(body) === aspectOf(execution.body));
      const cutoffs = asked.map(endOf).filter((end) => end < Date.now() - MILLIS_PER_DAY);
      assert.deepEqual([...new Set(cutoffs)], [endOf(execution)], execution.body);
    }
  },
  'where a server sends no Date header is used, and the run says once that the clock was not checked': async (make) => {
    const indices = [OPERATIONS, CHART_LINE];
    const { service, job } = await make({ indices });
    await job.set({ url: service.url, indices });
    await addRows(service, { index: CHART_USAGE });
    for (const [EXECUTE, sent] of [
      ['', 0],
      ['yes', 2],
    ] as const) {
      const { code, stdout } = await job.run({ EXECUTE });
      assert.deepEqual([code, stdout.split(UNCHECKED).length - 1, executions(service).length], [0, 1, sent], stdout);
    }
    assert.deepEqual([rowCount(service), rowCount(service, CHART_USAGE)], [180, 180]);
  },
});

inEachShell(
  register,
  'A clock that was ahead when the run started, but is right when the server answers',
  {
    'by 6 minutes leaves the index alone': async (make, _context, shell) => {
      const { service, job } = await make();
      const { code, stdout } = await job.execute({ PATH: await withJumpingClock(job, shell) });
      assert.match(stdout, /: this clock and the server's Date header differ, now or when this run started, /);
      assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 200]);
    },
  },
  // Busybox has a date of its own, which it prefers to one on the PATH.
  SHELLS.filter(({ name }) => name === 'dash'),
);

/** A PATH on which the clock is six minutes ahead when it is asked for the first time, and right after that. */
async function withJumpingClock(job: Job, { command, tools }: JobShell): Promise<string> {
  const folder = join(job.home, 'clock');
  await mkdir(folder);
  const lines = [
    `#!${command}`,
    `now=$('${join(tools, 'date')}' "$@")`,
    'if mkdir "$HOME/clock/asked" 2>/dev/null; then now=$((now + 360)); fi',
    'echo "$now"',
  ];
  await writeFile(join(folder, 'date'), `${lines.join('\n')}\n`, { mode: 0o755 });
  return `${folder}:${tools}`;
}

function aspectOf(body: string): string | undefined {
  return (JSON.parse(body) as { readonly aspect?: string }).aspect;
}

/** The time up to which a request counts or deletes. */
function endOf({ body }: LoggedRequest): number {
  return (JSON.parse(body) as { readonly endTimeMillis: number }).endTimeMillis;
}
