import assert from 'node:assert/strict';
import type { RunningService } from './main.ts';
import { profiles } from './profiles.ts';
import { dig, TestClient, until, type ServiceResponse } from './testClient.ts';

interface TestedIndex {
  readonly entityType: string;
  readonly aspect: string;
}

export const usage: TestedIndex = { entityType: 'dataset', aspect: 'datasetusagestatistics' };
/** The only index that was never reindexed, so its name is no alias. */
export const dashboards: TestedIndex = { entityType: 'dashboard', aspect: 'dashboardusagestatistics' };

/** Slightly more than the longest refresh interval of a profile, in ms. */
export const oneRefresh = Math.max(...Object.values(profiles).map((profile) => profile.refreshIntervalMillis)) + 1;

/** Needed by a reindex, since the cluster refuses it without a batch size. */
export const batchSize = 1000;

export function execute(service: RunningService, parameters: object): Promise<ServiceResponse> {
  return new TestClient(service, 'admin').operation('truncateTimeseriesAspect', { ...parameters, dryRun: false });
}

/** The value of a response that must be successful. */
export async function truncate(service: RunningService, parameters: object): Promise<string> {
  const answer = await new TestClient(service, 'admin').operation('truncateTimeseriesAspect', parameters);
  assert.equal(answer.status, 200, answer.text);
  return String(dig(answer.body, 'value'));
}

/** Rows to delete and in total, by a dry run. */
export async function counted(
  service: RunningService,
  index: TestedIndex,
  endTimeMillis: number,
): Promise<[toDelete: number, total: number]> {
  const text = await truncate(service, { ...index, endTimeMillis });
  const [, toDelete, total] = /^Delete (\d+) out of (\d+) rows/.exec(text) ?? [];
  return [Number(toDelete), Number(total)];
}

/** The task as the service reports it, parsed through its three layers of JSON. */
export async function task(
  service: RunningService,
  id: string,
): Promise<{ completed: boolean; status: Record<string, unknown>; text: string }> {
  const text = await taskText(service, id);
  const value = JSON.parse(text) as { completed: boolean; status: string };
  return { completed: value.completed, status: JSON.parse(value.status) as Record<string, unknown>, text };
}

export async function taskText(service: RunningService, id: string): Promise<string> {
  const answer = await new TestClient(service, 'admin').operation('getEsTaskStatus', { task: id });
  assert.equal(answer.status, 200);
  return String(dig(answer.body, 'value'));
}

/** Status of a task, once it has ended. */
export async function finished(service: RunningService, id: string): Promise<Record<string, unknown>> {
  await until(`task ${id} ends`, async () => (await task(service, id)).completed);
  return (await task(service, id)).status;
}

export function unknownTask(id: string): string {
  return JSON.stringify({ error: `Could not get task status for ${id}` });
}

/** The moment that divides the time between the oldest and the newest row at the given share. */
export function cutoffOver(service: RunningService, index: TestedIndex, share: number): number {
  const { min, max } = service.rows(index.entityType, index.aspect);
  assert.ok(min !== null && max !== null);
  return Math.round(min + (max - min) * share);
}

export interface ListedSize {
  readonly indexName: string;
  readonly entityName?: string;
  readonly aspectName?: string;
  readonly sizeInMb: number;
}

export async function sizesOf(service: RunningService, { entityType, aspect }: TestedIndex): Promise<ListedSize[]> {
  const { body } = await new TestClient(service, 'admin').operation('getIndexSizes');
  return (dig(body, 'value', 'indexSizes') as ListedSize[]).filter(
    ({ entityName, aspectName }) => entityName === entityType && aspectName === aspect,
  );
}
