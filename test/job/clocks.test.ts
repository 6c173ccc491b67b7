// The time by which a run decides: that of its start, unless this machine's clock was wrong then.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import type { LoggedRequest } from '../service/requestLog.ts';
import { until } from '../service/testClient.ts';
import { addRows, executions, holdAnswer, rowCount } from './rows.ts';
import { OPERATIONS, type Job } from './script.ts';
import { inShell, SHELLS, type JobShell } from './shells.ts';
import { now } from './unixTime.ts';
import { smallJob } from './smallJob.ts';

const MINUTE_SECONDS = 60;

for (const shell of SHELLS) {
  suite(`The cutoff, in ${shell.name}`, () => {
    test(
      'is that of the start, for each index of a slow run',
      inShell(shell, async (context, found) => {
        const charts = ['chart', 'chartusagestatistics'] as const;
        const queries = ['query', 'queryusagestatistics'] as const;
        const indices = [OPERATIONS, `${charts.join(' ')} 90 40 200`, `${queries.join(' ')} 30 40 200`];
        const { service, job } = await smallJob(context, found, { indices });
        for (const index of [charts, queries]) await addRows(service, { index });
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
      }),
    );
  });
}

for (const shell of SHELLS) {
  suite(`A server without a Date header, in ${shell.name}`, () => {
    const UNCHECKED = "The server sends no Date header: this clock isn't checked.\n";

    test(
      'is truncated, and the run says once that the clock was not checked',
      inShell(shell, async (context, found) => {
        const charts = ['chart', 'chartusagestatistics'] as const;
        const indices = [OPERATIONS, `${charts.join(' ')} 90 40 200`];
        const { service, job } = await smallJob(context, found, { indices }, { profile: '1.6' });
        await job.set({ url: service.url, indices });
        await addRows(service, { index: charts });
        const counted = await job.run();
        assert.deepEqual([counted.code, counted.stdout.split(UNCHECKED).length - 1], [0, 1], counted.stdout);
        assert.deepEqual(executions(service), []);
        const { code, stdout } = await job.execute();
        assert.deepEqual([code, stdout.split(UNCHECKED).length - 1], [0, 1], stdout);
        assert.deepEqual([rowCount(service), rowCount(service, charts)], [180, 180]);
      }),
    );

    test(
      'is not truncated above the limits either',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, {}, { profile: '1.6' }, { old: 41, kept: 400 });
        await job.set({ url: service.url, indices: [OPERATIONS] });
        const { code, stdout } = await job.execute();
        assert.match(stdout, /41 of 441 rows before.*above the limit of 40 rows or 20/);
        assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 441]);
      }),
    );
  });
}

// Busybox has a date of its own, which it prefers to one on the PATH.
for (const shell of SHELLS.filter(({ name }) => name === 'dash')) {
  suite(`A clock that was ahead when the run started, in ${shell.name}`, () => {
    test(
      'by 6 minutes, but is right when the server answers, leaves the index alone',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        const PATH = await withJumpingClock(job, found, 6 * MINUTE_SECONDS);
        const { code, stdout } = await job.execute({ PATH });
        assert.match(stdout, /: this clock and the server's Date header differ, now or when this run started, /);
        assert.deepEqual([code, executions(service), rowCount(service)], [3, [], 200]);
      }),
    );

    test(
      'by 4 minutes is right enough',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        const earliest = now();
        const { code } = await job.execute({ PATH: await withJumpingClock(job, found, 4 * MINUTE_SECONDS) });
        assert.deepEqual([code, rowCount(service)], [0, 180]);
        const [cutoff = NaN] = executions(service).map(endOf);
        assert.ok(cutoff / 1000 >= earliest + 4 * MINUTE_SECONDS - (90 * MILLIS_PER_DAY) / 1000);
      }),
    );
  });
}

/** A PATH on which the clock is ahead when it is asked for the first time, and right after that. */
async function withJumpingClock(job: Job, { command, tools }: JobShell, seconds: number): Promise<string> {
  const folder = join(job.home, 'clock');
  await mkdir(folder);
  const lines = [
    `#!${command}`,
    `now=$('${join(tools, 'date')}' "$@")`,
    `if mkdir "$HOME/clock/asked" 2>/dev/null; then now=$((now + ${seconds})); fi`,
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
