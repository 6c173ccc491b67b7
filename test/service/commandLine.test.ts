import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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
