// The access token: where it is while the script runs, and where it stays afterwards.
import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { until } from '../service/testClient.ts';
import { addRows, DRY_RUN, EXECUTION, holdAnswer } from './rows.ts';
import { inShell, SHELLS } from './shells.ts';
import { smallJob } from './smallJob.ts';

const NO_PROC = process.platform !== 'linux' && 'only Linux shows the environment of a process';

for (const shell of SHELLS) {
  suite(`The access token, in ${shell.name}`, { concurrency: 2 }, () => {
    test(
      'is in no argument of a process, nor in the environment of a child, while the script runs',
      { skip: NO_PROC },
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        for (const match of [DRY_RUN, EXECUTION]) {
          service.clearRequests();
          const release = holdAnswer(service, { match });
          // A variable that is exported already would stay so.
          const running = job.start({ EXECUTE: 'yes', token: 'exported', file: '', answer: '' });
          await until('the request arrives', () => service.requests.some(({ body }) => body.includes(match)));
          const processes = await readProcesses();
          const curl = processes.filter(({ words }) => words.includes(`${service.frontUrl}/api/gms/operations`));
          assert.equal(curl.length, 1, 'curl runs');
          assert.equal(service.requests[0]?.headers.authorization, `Bearer ${service.adminToken}`);
          for (const { words } of processes) assert.ok(!words.includes(service.adminToken), words);
          for (const { environment } of curl) {
            assert.ok(environment.includes(`HOME=${job.home}`));
            assert.ok(!environment.includes(service.adminToken));
          }
          release();
          assert.equal((await running.end).code, 0);
          await addRows(service);
        }
      }),
    );

    test(
      'is in no environment at all if it comes from a file',
      { skip: NO_PROC },
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        const file = join(job.home, 'token');
        await writeFile(file, service.adminToken);
        const release = holdAnswer(service);
        const running = job.start({ DATAHUB_GMS_TOKEN: '', DATAHUB_GMS_TOKEN_FILE: file });
        await until('the job counts', () => service.requests.length > 0);
        const ours = (await readProcesses()).filter(({ environment }) => environment.includes(`HOME=${job.home}`));
        assert.ok(ours.length > 1, 'the script and curl run');
        for (const { words, environment } of ours) assert.ok(!`${words}${environment}`.includes(service.adminToken));
        release();
        assert.equal((await running.end).code, 0);
      }),
    );

    test(
      'is neither printed nor stored, even if a server repeats it',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found, { looks: 3 });
        const repeated = `Bearer ${service.adminToken}`;
        const answers = [
          [403, JSON.stringify({ message: repeated })],
          [200, JSON.stringify({ value: repeated })],
          [200, JSON.stringify({ value: service.adminToken })],
          [500, repeated],
        ] as const;
        const outputs: string[] = [];
        for (const match of [DRY_RUN, EXECUTION]) {
          for (const [status, body] of answers) {
            service.faults.add({ fault: { kind: 'status', status, body }, match });
            const { stdout, stderr, code } = await job.execute();
            outputs.push(stdout, stderr);
            if (match === DRY_RUN && status !== 500) assert.equal(code, status === 403 ? 2 : 3, stdout);
          }
        }
        const kept = await filesBelow(job.stateFolder);
        assert.ok(kept.length > 0);
        for (const text of [...outputs, ...kept]) assert.ok(!text.includes(service.adminToken), text);
        assert.ok(outputs.some((text) => text.includes('HTTP 403')));
      }),
    );

    test(
      'goes where the script says, not where settings of curl say',
      inShell(shell, async (context, found) => {
        const { service, job } = await smallJob(context, found);
        const settings = 'user-agent = "from-settings"\nheader = "X-From-Settings: yes"\nverbose\nlocation\n';
        await writeFile(join(job.home, '.curlrc'), settings);
        const { code, stderr } = await job.run({ CURL_HOME: job.home, XDG_CONFIG_HOME: job.home });
        assert.deepEqual([code, stderr], [0, '']);
        for (const { headers } of service.requests) {
          assert.match(headers['user-agent'] ?? '', /^curl\//);
          assert.equal(headers['x-from-settings'], undefined);
        }
      }),
    );

    test(
      'and the counts of the last run are kept from other users',
      { skip: process.platform === 'win32' && 'Windows has no such permissions' },
      inShell(shell, async (context, found) => {
        const { job } = await smallJob(context, found);
        await job.execute();
        const paths = [job.stateFolder, job.record];
        const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777));
        assert.deepEqual(modes, [0o700, 0o600]);
      }),
    );
  });
}

interface ProcessFacts {
  /** Its arguments. */
  readonly words: string;
  readonly environment: string;
}

/** All processes that can be read. One that has ended meanwhile is left out. */
async function readProcesses(): Promise<ProcessFacts[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const facts = await Promise.all(
    numbers.map(async (number) => {
      const [words, environment] = await Promise.all(
        ['cmdline', 'environ'].map((name) => readFile(`/proc/${number}/${name}`, 'utf8').catch(() => '')),
      );
      return { words: words ?? '', environment: environment ?? '' };
    }),
  );
  return facts.filter(({ words }) => words !== '');
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
}
