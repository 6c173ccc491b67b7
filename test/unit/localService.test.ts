// What other tests rely on in the local service without noticing if it were otherwise. Its answers: standIn.test.ts. Its
// rows and tasks beside those of a real search cluster: test/cluster/comparison.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { suite, test } from 'node:test';
import { root } from '../../tools/paths.ts';
import type { Fault } from '../service/faults.ts';
import type { RunningService } from '../service/main.ts';
import { callOperation, dig, serviceFor, until } from '../service/testClient.ts';

const INDEX = { entityType: 'dataset', aspect: 'datasetusagestatistics' } as const;
/** Longer than any test runs. Tests move the server's clock instead of waiting. */
const LONG_MS = 3_600_000;

async function truncate(service: RunningService, parameters: object): Promise<string> {
  const { status, text, body } = await callOperation(service, 'truncateTimeseriesAspect', { ...INDEX, ...parameters });
  assert.equal(status, 200, text);
  return String(dig(body, 'value'));
}

/** Rows to delete and in total, by a dry run. */
async function counted(service: RunningService, endTimeMillis: number): Promise<[toDelete: number, total: number]> {
  const [, toDelete, total] = /^Delete (\d+) out of (\d+) rows/.exec(await truncate(service, { endTimeMillis })) ?? [];
  return [Number(toDelete), Number(total)];
}

/** Every pair of counts that many dry runs return. */
async function everyCount(service: RunningService, cutoff: number): Promise<Set<string>> {
  const seen = new Set<string>();
  for (let look = 0; look < 40; look += 1) seen.add((await counted(service, cutoff)).join(' of '));
  return seen;
}

/** Deletes rows by a query. @returns what the task has counted at its end */
async function deleted(service: RunningService, endTimeMillis: number, batchSize = 1_000): Promise<object> {
  const id = await truncate(service, { endTimeMillis, batchSize, dryRun: false, forceDeleteByQuery: true });
  const task = (): ReturnType<RunningService['tasks']>[number] | undefined =>
    service.tasks().find((one) => one.id === id);
  await until('the end of the task', () => task()?.completed === true);
  const { total, deleted: gone, batches } = task() ?? assert.fail();
  return { total, deleted: gone, batches };
}

/** The moment at this share of the time between the oldest and the newest row. */
function momentAt(service: RunningService, share: number): number {
  const { min, max } = service.rows(INDEX.entityType, INDEX.aspect);
  assert.ok(min !== null && max !== null);
  return Math.round(min + (max - min) * share);
}

async function graphql({ url, adminToken }: RunningService, query: string): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return { status: response.status, body: await response.json().catch(() => undefined) };
}

const CREATE = `mutation { createAccessToken(input: { type: PERSONAL, actorUrn: "urn:li:corpuser:admin",
  duration: ONE_DAY, name: "x" }) { metadata { id } } }`;

suite('The local service', () => {
  test('deletes in batches, a row exactly at the cutoff too, and nothing newer', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2_000 });
    assert.deepEqual(await deleted(service, momentAt(service, 0)), { total: 1, deleted: 1, batches: 1 });
    await service.cluster.refresh(INDEX.entityType, INDEX.aspect);
    const cutoff = momentAt(service, 0.3);
    const [rows, all] = await counted(service, cutoff);
    const batches = Math.ceil(rows / 20);
    assert.deepEqual(await deleted(service, cutoff, 20), { total: rows, deleted: rows, batches });
    await service.cluster.refresh(INDEX.entityType, INDEX.aspect);
    assert.deepEqual(await counted(service, cutoff), [0, all - rows]);
  });

  test('counts fewer rows while a shard is unassigned, and deletes none of those it counts', async (t) => {
    const service = await serviceFor(t, { profile: 'next', rows: 2_000 });
    const cutoff = momentAt(service, 0.4);
    const [, all] = await counted(service, cutoff);
    service.assignShards(INDEX.entityType, INDEX.aspect, false);
    const [rows, fewer] = await counted(service, cutoff);
    assert.ok(rows > 0 && fewer > all / 2 && fewer < all, `${rows} of ${fewer}`);
    assert.deepEqual(await deleted(service, cutoff), { total: 0, deleted: 0, batches: 0 });
    service.assignShards(INDEX.entityType, INDEX.aspect, true);
    assert.equal((await counted(service, cutoff))[1], all);
  });

  test('refreshes two copies at different moments, so that consecutive counts differ', async (t) => {
    const every = 30_000;
    const service = await serviceFor(t, { profile: 'next', rows: 2_000, refreshIntervalMillis: every, replicas: 1 });
    // Keeps away from refreshes, at every full thirty seconds.
    service.clock.offsetMillis = 1_000 - (Date.now() % every);
    const cutoff = momentAt(service, 0.3);
    const [rows, all] = await counted(service, cutoff);
    await deleted(service, cutoff);
    const [before, after] = [`${rows} of ${all}`, `0 of ${all - rows}`];
    assert.deepEqual(await everyCount(service, cutoff), new Set([before]), 'neither is refreshed');
    service.clock.offsetMillis += every / 2;
    const mixed = await everyCount(service, cutoff);
    assert.ok(mixed.has(before) && mixed.has(after), [...mixed].join(', '));
    service.clock.offsetMillis += every / 2;
    assert.deepEqual(await everyCount(service, cutoff), new Set([after]), 'both are');
  });

  test('lists tokens that were created or revoked after its lag', async (t) => {
    const service = await serviceFor(t, { profile: '1.6', lagMillis: LONG_MS });
    const listing = async (): Promise<unknown> => {
      const query = '{ listAccessTokens(input: { start: 0, count: 10, filters: [] }) { total tokens { id } } }';
      return dig((await graphql(service, query)).body, 'data', 'listAccessTokens');
    };
    const id = dig((await graphql(service, CREATE)).body, 'data', 'createAccessToken', 'metadata', 'id');
    assert.deepEqual(await listing(), { total: 0, tokens: [] });
    service.clock.offsetMillis += LONG_MS + 1;
    assert.deepEqual(await listing(), { total: 1, tokens: [{ id }] });
    await graphql(service, `mutation { revokeAccessToken(tokenId: "${String(id)}") }`);
    assert.deepEqual(await listing(), { total: 1, tokens: [] }, 'still indexed: counted, and not listed');
    service.clock.offsetMillis += LONG_MS + 1;
    assert.deepEqual(await listing(), { total: 0, tokens: [] });
  });

  /** The status of the answer to a creation, undefined if the connection is cut, and the tokens that were created. */
  for (const [fault, answered, created] of [
    [{ kind: 'status', status: 503 }, 503, 0],
    [{ kind: 'cutBefore' }, undefined, 0],
    [{ kind: 'cutAfter' }, undefined, 1],
    [{ kind: 'statusAfter', status: 504 }, 504, 1],
    // The client of this test repeats such a request by itself, once.
    [{ kind: 'statusAfter', status: 421 }, 200, 2],
  ] as const satisfies [Fault, number | undefined, number][]) {
    test(`creates ${created} with ${JSON.stringify(fault)}`, async (t) => {
      const service = await serviceFor(t, { profile: '1.6' });
      service.faults.add({ fault, match: 'createAccessToken' });
      const answer = graphql(service, CREATE).then(({ status }) => status);
      if (answered === undefined) await assert.rejects(answer, TypeError);
      else assert.equal(await answer, answered);
      assert.equal(service.tokens().length, created);
    });
  }
});

test('The debug configuration "Local Service" prints where the service is, and who may sign in', async (t) => {
  const launch = readFileSync(join(root, '.vscode', 'launch.json'), 'utf8');
  const { configurations } = JSON.parse(launch) as { configurations: { name: string; program: string }[] };
  const { program } = configurations.find(({ name }) => name === 'Local Service') ?? assert.fail();
  const child = spawn(execPath, [program.replace('${workspaceFolder}', root)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [])]);
  const { url, user, token } = JSON.parse(String(line)) as Record<string, string>;
  assert.equal(user, 'urn:li:corpuser:admin');
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${url}/operations?action=getIndexSizes`, { method: 'POST', headers });
  assert.equal(status, 200);
});
