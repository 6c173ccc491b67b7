import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readOptions } from './commandLine.ts';
import { startService } from './main.ts';
import { dig, serviceFor } from './testClient.ts';
import { specListDocument } from './tokenDocuments.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const small = ['--rows', '80', '--tokens', '3'];

test('prints one line of JSON, serves, and stops on request', async (t) => {
  const child = spawn(execPath, [main, '--profile', 'spec', ...small], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url, frontUrl, user, token } = JSON.parse(line.toString()) as Record<string, string>;
  assert.equal(user, 'urn:li:corpuser:admin');
  assert.equal(frontUrl, url);
  const response = await fetch(`${String(url)}/api/graphql`, {
    method: 'POST',
    headers: { 'x-service-actor': String(user), authorization: `Bearer ${String(token)}` },
    body: JSON.stringify({ query: specListDocument, variables: { input: { start: 0, count: 9, filters: [] } } }),
  });
  assert.equal(dig(await response.json(), 'data', 'listAccessTokens', 'total'), 3);
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a port in use is reported in a sentence, for the service and for the front', async (t) => {
  const port = Number(new URL((await serviceFor(t, {})).url).port);
  const sentence = `Port ${port} is already taken on this machine. Choose another one.`;
  const child = spawn(execPath, [main, ...small, '--port', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.deepEqual([code, errors], [1, `${sentence}\n`]);
  await assert.rejects(startService({ frontPort: port, rows: 16, tokens: 0 }), { message: sentence });
});

test('parses the options', () => {
  assert.deepEqual(readOptions(['--profile', '0.14', '--port', '0', '--rows', '5', '--auth', 'on', '--lag', '20']), {
    profile: '0.14',
    port: 0,
    rows: 5,
    authentication: true,
    lagMillis: 20,
    batchDelayMillis: 400,
  });
  assert.equal(readOptions(['--search-cluster', 'http://127.0.0.1:9200']).searchCluster, 'http://127.0.0.1:9200');
  assert.throws(() => readOptions(['--profile', '1.0']), {
    message: '--profile is one of spec, 0.14, 1.6, 1.7, next, postgres, not 1.0.',
  });
  assert.throws(() => readOptions(['--rows', 'many']), { message: '--rows is a whole number, not many.' });
  assert.throws(() => readOptions(['--auth', 'maybe']), { message: '--auth is on or off, not maybe.' });
});

test('a search cluster that cannot be used is reported in a sentence', async () => {
  const searchCluster = `http://127.0.0.1:1`;
  await assert.rejects(startService({ searchCluster, rows: 16, tokens: 0 }), {
    message: `No search cluster answers at ${searchCluster}.`,
  });
  await assert.rejects(startService({ searchCluster, profile: 'postgres', rows: 16, tokens: 0 }), {
    message: 'The profile postgres keeps its time series in PostgreSQL, not in a search cluster.',
  });
});
