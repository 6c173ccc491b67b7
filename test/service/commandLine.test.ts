import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startService } from './main.ts';
import { serviceFor } from './testClient.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

test('prints one line of JSON, serves, and stops on request', async (t) => {
  const child = spawn(execPath, [main, '--profile', 'spec'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url, frontUrl, user, token } = JSON.parse(line.toString()) as Record<string, string>;
  assert.deepEqual([user, frontUrl], ['urn:li:corpuser:admin', url]);
  const sizes = `${String(url)}/gms/operations?action=getIndexSizes`;
  const response = await fetch(sizes, { method: 'POST', headers: { authorization: `Bearer ${String(token)}` } });
  assert.equal(response.status, 200);
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('what it cannot use is reported in a sentence', async (t) => {
  const port = Number(new URL((await serviceFor(t, {})).url).port);
  const searchCluster = 'http://127.0.0.1:1';
  for (const [options, message] of [
    [{ port }, `Port ${port} is already taken on this machine. Choose another one.`],
    [{ frontPort: port }, `Port ${port} is already taken on this machine. Choose another one.`],
    [{ searchCluster }, `No search cluster answers at ${searchCluster}.`],
    [
      { searchCluster, profile: 'postgres' },
      'The profile postgres keeps its time series in PostgreSQL, not in a search cluster.',
    ],
  ] as const) {
    await assert.rejects(startService({ rows: 16, tokens: 0, ...options }), { message });
  }
});
