// The access token: where it is while the script runs, and where it stays afterwards.
import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { until } from '../service/testClient.ts';
import { proxyTo } from '../host/suites/support/proxy.ts';
import { addRows, DRY_RUN, EXECUTION, holdAnswer } from './rows.ts';
import { readProcesses } from './processes.ts';
import { DASH, OTHER_SHELLS } from './shells.ts';
import { testsIn, type Table } from './situations.ts';

const NO_PROC = process.platform !== 'linux' && 'only Linux shows the environment of a process';

const IN_EACH: Table = {
  'is in no argument of a process, nor in the environment of a child, while the script runs': async (make, context) => {
    if (NO_PROC !== false) return context.skip(NO_PROC);
    const { service, job } = await make();
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
  },
};

const TOKEN: Table = {
  'is neither printed nor stored, even if a server repeats it': async (make) => {
    const { service, job } = await make({ looks: 3 });
    const repeated = `Bearer ${service.adminToken}`;
    const answers = [
      [403, JSON.stringify({ message: repeated })],
      [200, JSON.stringify({ value: repeated })],
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
  },

  'goes where the script says, not where settings of curl say': async (make) => {
    const { service, job } = await make();
    const settings = 'user-agent = "from-settings"\nheader = "X-From-Settings: yes"\nverbose\nlocation\n';
    await writeFile(join(job.home, '.curlrc'), settings);
    const { code, stderr } = await job.run({ CURL_HOME: job.home, XDG_CONFIG_HOME: job.home });
    assert.deepEqual([code, stderr], [0, '']);
    for (const { headers } of service.requests) {
      assert.match(headers['user-agent'] ?? '', /^curl\//);
      assert.equal(headers['x-from-settings'], undefined);
    }
  },

  'and the counts of the last run are kept from other users': async (make) => {
    const { job } = await make();
    await job.execute();
    const paths = [job.stateFolder, job.record];
    const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777));
    assert.deepEqual(modes, [0o700, 0o600]);
  },

  "for a service on this machine goes to no proxy, whatever the user's exceptions are": async (make, context) => {
    const { service, job } = await make();
    const proxy = await proxyTo(context, Number(new URL(service.url).port));
    const proxies = { http_proxy: proxy.url, all_proxy: proxy.url };
    const { port } = new URL(service.frontUrl);
    for (const [host, no_proxy] of [
      ['localhost', undefined],
      ['127.0.0.1', 'corp.internal'],
    ] as const) {
      await job.set({ url: `http://${host}:${port}/api/gms` });
      assert.deepEqual([(await job.run({ ...proxies, no_proxy })).code, proxy.asked], [0, []]);
    }
    await job.set({ url: `https://service.test:${port}/api/gms` });
    await job.run(proxies);
    assert.match(proxy.asked[0] ?? '', /^CONNECT service\.test:/, 'others do');
  },
};

for (const [table, shells] of [
  [IN_EACH, [DASH, ...OTHER_SHELLS]],
  [TOKEN, [DASH]],
] as const) {
  for (const shell of shells) {
    suite(`The access token (${shell.name})`, { concurrency: 4 }, () => {
      for (const [name, body] of testsIn(shell, table)) test(name, body);
    });
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
}
