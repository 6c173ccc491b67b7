/** Requests to truncate an index, as they leave a window. */
import type { SentRequest } from './editor/machine.ts';

/** An index. */
export interface Target {
  readonly entityType: string;
  readonly aspect: string;
}

/** Indices whose rows may go. */
export const OPERATIONS: Target = { entityType: 'dataset', aspect: 'operation' };
export const PROFILES: Target = { entityType: 'dataset', aspect: 'datasetprofile' };

/** What is read of the body of a request to truncate. */
export interface TruncateBody extends Target {
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
}

/** A request to truncate, as a window sent it. */
export interface SentTruncation {
  readonly request: SentRequest;
  readonly plan: TruncateBody;
  /** Number of requests of all windows before it. */
  readonly sentAs: number;
}

/** Rows that a dry run counted. */
export interface CountedRows {
  readonly toDelete: number;
  readonly total: number;
}

/** Those of which the whole body left. */
export function truncationsAmong(requests: readonly SentRequest[]): readonly SentTruncation[] {
  return requests.flatMap((request, sentAs) =>
    request.url.includes('action=truncateTimeseriesAspect') && request.isComplete
      ? [{ request, plan: JSON.parse(request.body) as TruncateBody, sentAs }]
      : [],
  );
}

/** Undefined without an answer that has both numbers. */
export function countedRows({ request }: SentTruncation): CountedRows | undefined {
  const [, toDelete, total] = /Delete (\d+) out of (\d+) rows/.exec(request.answer ?? '') ?? [];
  return toDelete === undefined || total === undefined
    ? undefined
    : { toDelete: Number(toDelete), total: Number(total) };
}

export function isOf({ entityType, aspect }: Target): (truncation: SentTruncation) => boolean {
  return ({ plan }) => plan.entityType === entityType && plan.aspect === aspect;
}
