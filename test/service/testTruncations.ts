import assert from 'node:assert/strict';
import type { RunningService } from './main.ts';
import { dig, TestClient, until, type Answer } from './testClient.ts';

export interface TestedIndex {
  readonly entityType: string;
  readonly aspect: string;
}

export const usage: TestedIndex = { entityType: 'dataset', aspect: 'datasetusagestatistics' };
/** Never reindexed: the only one that is no alias. */
export const dashboards: TestedIndex = { entityType: 'dashboard', aspect: 'dashboardusagestatistics' };

/** A refresh of the cluster's own interval and a bit more, in ms. */
export const oneRefresh = 1001;

/** A batch size that a reindex needs: the cluster refuses it without one. */
export const batchSize = 1000;

export function execute(service: RunningService, parameters: object): Promise<Answer> {
  return new TestClient(service, 'admin').operation('truncateTimeseriesAspect', { ...parameters, dryRun: false });
}

/** The value of an answer that must be a success. */
export async function truncate(service: RunningService, parameters: object): Promise<string> {
  const answer = await new TestClient(service, 'admin').operation('truncateTimeseriesAspect', parameters);
  assert.equal(answer.status, 200, answer.text);
  return String(dig(answer.body, 'value'));
}

/** Rows to delete and rows in total, as a dry run counts them. */
export async function counted(
  service: RunningService,
  index: TestedIndex,
  endTimeMillis: number,
): Promise<[toDelete: number, total: number]> {
  const text = await truncate(service, { ...index, endTimeMillis });
  const [, toDelete, total] = /^Delete (\d+) out of (\d+) rows/.exec(text) ?? [];
  return [Number(toDelete), Number(total)];
}

/** The task as the service reports it, with the JSON inside the JSON inside the JSON read. */
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

/** The status of a task that has ended. */
export async function finished(service: RunningService, id: string): Promise<Record<string, unknown>> {
  await until(`task ${id} ends`, async () => (await task(service, id)).completed);
  return (await task(service, id)).status;
}

export function unknownTask(id: string): string {
  return JSON.stringify({ error: `Could not get task status for ${id}` });
}

/** A moment before which the given share of the time between the oldest and the newest row has passed. */
export function cutOffOver(service: RunningService, index: TestedIndex, share: number): number {
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
