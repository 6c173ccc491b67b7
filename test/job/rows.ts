import type { TestContext } from 'node:test';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import type { RunningService } from '../service/main.ts';
import type { ServiceOptions } from '../service/options.ts';
import { profiles } from '../service/profiles.ts';
import type { LoggedRequest } from '../service/requestLog.ts';
import type { FaultRule } from '../service/faults.ts';
import { serviceFor, until } from '../service/testClient.ts';

/** Rows of an index that a job for rows of more than 90 days deletes and keeps. */
export interface RowPlan {
  readonly index?: readonly [entityType: string, aspect: string];
  readonly old?: number;
  readonly kept?: number;
  /** Unix times of more rows, in ms. */
  readonly others?: readonly number[];
}

const OPERATION = ['dataset', 'operation'] as const;

/** A service with 20 old rows of 200, whose searches soon show deletions. */
export async function smallService(
  context: TestContext,
  options: ServiceOptions = {},
  plan: RowPlan = {},
): Promise<RunningService> {
  const service = await serviceFor(context, { profile: '1.6', rows: 0, refreshIntervalMillis: 50, ...options });
  await addRows(service, plan);
  return service;
}

/** Adds rows, which searches find at once. */
export async function addRows(service: RunningService, plan: RowPlan = {}): Promise<void> {
  const { index = OPERATION, old = 20, kept = 180, others = [] } = plan;
  const now = Date.now();
  const times = [
    ...Array.from({ length: old }, (_, row) => now - (100 + row) * MILLIS_PER_DAY),
    ...Array.from({ length: kept }, (_, row) => now - 5 * MILLIS_PER_DAY - row * 60_000),
    ...others,
  ];
  for (const time of times) service.addRow(...index, time);
  if (profiles[service.profile].timeseriesStore === 'searchCluster') await service.cluster.refresh(...index);
}

/** Takes rows from searches once a deletion, which makes no progress, has started. */
export async function loseShard(service: RunningService): Promise<void> {
  service.pacing.held = true;
  await until('the deletion starts', () => executions(service).length > 0 && service.tasks().length > 0);
  service.assignShards('dataset', 'operation', false);
  await until('searches lose rows', () => rowCount(service) < 200);
  service.pacing.held = false;
}

/** Rows that searches find in the usual index. */
export function rowCount(service: RunningService, index: readonly [string, string] = OPERATION): number {
  return service.rows(...index).count;
}

/**
 * Holds the answer to a request, the next one by default.
 * @returns lets go of it
 */
export function holdAnswer(service: RunningService, requests: Omit<FaultRule, 'fault'> = {}): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  service.faults.add({ fault: { kind: 'held', until: promise }, ...requests });
  return resolve;
}

/** Requests to delete rows, in the order in which they arrived at the first server. */
export function executions(service: RunningService): LoggedRequest[] {
  return service.requests.filter(({ body }) => body.includes(EXECUTION));
}

/** Part of each request that deletes. */
export const EXECUTION = '"dryRun":false';
/** Part of each request that only counts. */
export const DRY_RUN = '"dryRun":true';
/** Part of each question about a task. */
export const STATUS = 'getEsTaskStatus';
/** Two more indices, without rows unless a test adds them. */
export const CHART_USAGE = ['chart', 'chartusagestatistics'] as const;
export const QUERY_USAGE = ['query', 'queryusagestatistics'] as const;
