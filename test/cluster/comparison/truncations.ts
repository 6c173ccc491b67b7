import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from '../../service/main.ts';
import { callOperation, dig, type ServiceResponse } from '../../service/testClient.ts';

/** A time series index in requests. */
export interface IndexName {
  readonly entityType: string;
  readonly aspect: string;
}

/** Arguments of a truncation, without its index. */
export interface TruncationParameters {
  /** Unix time in ms. */
  readonly endTimeMillis: number;
  readonly forceDeleteByQuery?: boolean;
  readonly forceReindex?: boolean;
  readonly batchSize?: number;
}

export interface ReaderCounts {
  /** Number of rows at or before the cutoff. */
  readonly old: number;
  /** Number of rows after the cutoff. */
  readonly kept: number;
}

/** Time limit for something that must happen, in ms. */
const LIMIT = 90_000;

/**
 * Waits until a condition holds.
 * @param pauseMillis pause between two checks
 */
export async function eventually(
  what: string,
  condition: () => Promise<boolean>,
  pauseMillis: number = 50,
): Promise<void> {
  const deadline = performance.now() + LIMIT;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `did not come about: ${what}`);
    await delay(pauseMillis);
  }
}

/** A cutoff at about this share of the time that an index covers. */
export async function cutoffAt(service: RunningService, index: IndexName, share: number): Promise<number> {
  const { min, max } = await service.cluster.rows(index.entityType, index.aspect);
  assert.ok(min !== null && max !== null, `${index.aspect} has no rows`);
  return Math.round(min + (max - min) * share);
}

export async function dryRun(
  service: RunningService,
  index: IndexName,
  parameters: TruncationParameters,
): Promise<string> {
  return value(await truncate(service, index, { ...parameters, dryRun: true }));
}

/** @returns the task's ID */
export async function execute(
  service: RunningService,
  index: IndexName,
  parameters: TruncationParameters,
): Promise<string> {
  const id = value(await truncate(service, index, { ...parameters, dryRun: false }));
  assert.match(id, /^[a-zA-Z0-9_-]+:[1-9][0-9]*$/);
  return id;
}

/**
 * An execution that the server refuses.
 * @returns status and message
 */
export async function refused(
  service: RunningService,
  index: IndexName,
  parameters: TruncationParameters,
): Promise<readonly [number, unknown]> {
  const { status, body } = await truncate(service, index, { ...parameters, dryRun: false });
  return [status, dig(body, 'message')];
}

/**
 * Counts as readers see the rows at this moment. The server searches twice: after a refresh in between, the kept rows
 * seem fewer once.
 */
export async function readerCounts(service: RunningService, index: IndexName, cutoff: number): Promise<ReaderCounts> {
  const text = await dryRun(service, index, { endTimeMillis: cutoff });
  const [, old, total] = /^Delete (\d+) out of (\d+) rows/.exec(text) ?? assert.fail(text);
  return { old: Number(old), kept: Number(total) - Number(old) };
}

/** A task as the server reports it, without parts that differ between runs. Null if the server doesn't know it. */
export async function taskStatus(
  service: RunningService,
  id: string,
): Promise<{ readonly completed: boolean; readonly [count: string]: unknown } | null> {
  const answer = await callOperation(service, 'getEsTaskStatus', { task: id });
  const task = JSON.parse(value(answer)) as { completed: boolean; status: string; error?: string };
  if (task.error !== undefined) return null;
  const { throttled_millis: _throttled, ...counts } = JSON.parse(task.status) as Record<string, unknown>;
  return { completed: task.completed, ...counts };
}

/**
 * Waits for the end of a task.
 * @returns its counts
 */
export async function taskEnd(service: RunningService, id: string): Promise<Readonly<Record<string, unknown>>> {
  let status = await taskStatus(service, id);
  await eventually(`the end of ${id}`, async () => {
    status = await taskStatus(service, id);
    return status === null || status.completed;
  });
  assert.ok(status, `${id} is unknown`);
  return status;
}

/** Without its size, which a cluster that merges and caches its figures reports late. */
export interface ListedIndex {
  readonly indexName: string;
  readonly entityName?: string;
  readonly aspectName?: string;
}

/** Listed entries of an index, and of any whose name begins with its name. */
export async function listed(service: RunningService, { entityType, aspect }: IndexName): Promise<ListedIndex[]> {
  const { body } = await callOperation(service, 'getIndexSizes');
  const name = `${entityType}_${aspect}aspect_v1`.toLowerCase();
  return (dig(body, 'value', 'indexSizes') as ListedIndex[]).filter(({ indexName }) => indexName.startsWith(name));
}

/** The only listed one. */
export async function onlyListed(service: RunningService, index: IndexName): Promise<ListedIndex> {
  const [only, ...others] = await listed(service, index);
  assert.ok(only && others.length === 0, `${index.aspect} is not listed once`);
  return only;
}

function truncate(service: RunningService, index: IndexName, parameters: object): Promise<ServiceResponse> {
  return callOperation(service, 'truncateTimeseriesAspect', { ...index, ...parameters });
}

function value({ status, text, body }: ServiceResponse): string {
  assert.equal(status, 200, text);
  return String(dig(body, 'value'));
}
