/** What a server tells of a task (PROTOCOL.md §8.1): JSON in JSON, whose status may be JSON text once more. */
import * as v from 'valibot';
import { firstOf } from '../firstOf.ts';
import { parseJson } from '../json.ts';

export type TaskStatus =
  | {
      readonly kind: 'known';
      readonly completed: boolean;
      /** Rows that the task is about; 0 while it is not counted yet. */
      readonly total: number;
      readonly deleted: number;
      /** Rows copied by a reindex. */
      readonly created: number;
      readonly updated: number;
      readonly versionConflicts: number;
      /** Writes that the cluster refused and the task tried again. */
      readonly bulkRetries: number;
      readonly runTimeMillis: number | undefined;
      /** Why it was cancelled, in the server's words. */
      readonly cancelled: string | undefined;
      readonly failures: readonly string[];
    }
  /** The server does not know the task (any more): it ended long ago, or its node was restarted. */
  | { readonly kind: 'unknown' };

const COUNT = v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)), 0);
/** Enough to see a pattern in what failed. */
const MOST_FAILURES = 20;
const LIST = v.fallback(firstOf(MOST_FAILURES), []);
const TASK = v.looseObject({
  completed: v.boolean(),
  status: v.optional(v.unknown()),
  runTimeNanos: v.fallback(v.nullish(v.pipe(v.number(), v.minValue(0), v.finite())), undefined),
  failures: LIST,
  error: v.optional(v.unknown()),
});
const COUNTS = v.object({
  total: COUNT,
  deleted: COUNT,
  created: COUNT,
  updated: COUNT,
  version_conflicts: COUNT,
  retries: v.fallback(v.object({ bulk: COUNT }), { bulk: 0 }),
  canceled: v.fallback(v.nullish(v.string()), undefined),
  failures: LIST,
});
const NO_COUNTS = v.parse(COUNTS, {});
/** The search cluster's way to say why: `{"type": …, "reason": …, "cause": {…}}`. */
const CAUSE = v.looseObject({ reason: v.string() });
const NESTED_CAUSE = v.looseObject({ cause: CAUSE });
const UNKNOWN = v.looseObject({ error: v.string() });

/**
 * The status in a parsed answer, or undefined when it is none.
 * @param readable Makes a server's text fit to be shown.
 */
export function taskStatusFrom(value: unknown, readable: (text: string) => string | undefined): TaskStatus | undefined {
  const task = v.safeParse(TASK, value);
  if (!task.success) {
    return v.is(UNKNOWN, value) ? { kind: 'unknown' } : undefined;
  }
  const { completed, status, runTimeNanos, failures, error } = task.output;
  const counts = v.safeParse(COUNTS, typeof status === 'string' ? parseJson(status) : status);
  const known = counts.success ? counts.output : NO_COUNTS;
  const reasons = [...(error === undefined || error === null ? [] : [error]), ...failures, ...known.failures];
  return {
    kind: 'known',
    completed,
    total: known.total,
    deleted: known.deleted,
    created: known.created,
    updated: known.updated,
    versionConflicts: known.version_conflicts,
    bulkRetries: known.retries.bulk,
    runTimeMillis: typeof runTimeNanos === 'number' ? runTimeNanos / 1e6 : undefined,
    cancelled: typeof known.canceled === 'string' ? (readable(known.canceled) ?? '') : undefined,
    failures: reasons.slice(0, MOST_FAILURES).flatMap((reason) => readable(reasonText(reason)) ?? []),
  };
}

function reasonText(reason: unknown): string {
  if (typeof reason === 'string') {
    return reason;
  }
  if (v.is(NESTED_CAUSE, reason)) {
    return reason.cause.reason;
  }
  if (v.is(CAUSE, reason)) {
    return reason.reason;
  }
  try {
    return JSON.stringify(reason);
  } catch {
    // Nested deeper than can be written down.
    return '';
  }
}
