import assert from 'node:assert/strict';
import type { Connection } from '../../../src/connections/connection.ts';
import { type DryRunReport, parseDryRun, type DryRunReview } from '../../../src/truncation/dryRun.ts';
import { checkDraft, emptyDraft, type PlanDraft } from '../../../src/truncation/plan.ts';
import type { DeletionTaskStatus } from '../../../src/service/indices/tasks.ts';
import type { TruncationPlan } from '../../../src/service/indices/truncationRequest.ts';
import type { TruncationOutcome } from '../../../src/truncation/outcome.ts';
import type { Problem } from '../../../src/truncation/problem.ts';
import type { TruncationState } from '../../../src/truncation/state.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';
import { endingProblem } from '../../../src/truncation/texts/endingTexts.ts';

export const NOW = Date.UTC(2026, 10, 21, 12);
export const MINUTE = 60_000;
export const DAY = 86_400_000;
/** Default of the setting for the age of a dry run, in ms. */
export const MAX_AGE = 10 * MINUTE;
export const ACCESS = '["https://datahub.example.com","urn:li:corpuser:jdoe"]';
/** The same time by a monotonic clock. */
export const MONOTONIC_NOW = 5_000_000;
export const TASK_ID = 'qhxGdzytQS-pQek8CwBCZg:533446';

export type KnownStatus = Extract<DeletionTaskStatus, { readonly kind: 'known' }>;

export const RUNNING_TASK: KnownStatus = {
  kind: 'known',
  completed: false,
  total: 20,
  deleted: 5,
  created: 0,
  updated: 0,
  versionConflicts: 0,
  bulkRetries: 0,
  runTimeMillis: undefined,
  cancelled: undefined,
};

export const DRAFT: PlanDraft = { ...emptyDraft('dataset', 'datasetprofile'), endTimeMillis: NOW - 90 * DAY };
export const PLAN: TruncationPlan = planOf(DRAFT);

/** @throws RangeError for an invalid draft. */
export function planOf(draft: PlanDraft): TruncationPlan {
  const checked = checkDraft(draft);
  if ('problems' in checked) {
    throw new RangeError(JSON.stringify(checked.problems));
  }
  return checked.plan;
}

/** Text of a dry run as the service writes it (PROTOCOL.md §7.2). */
export function dryRunText(
  toDelete: number,
  total: number,
  by: 'reindex' | 'deleteByQuery' = toDelete > total / 2 ? 'reindex' : 'deleteByQuery',
): string {
  const percent = ((toDelete / total) * 100).toFixed(2);
  const how =
    by === 'reindex' ? 'Reindexing the aspect without the deleted records. ' : 'Issuing a delete by query request. ';
  return (
    `Delete ${toDelete} out of ${total} rows (${percent}%). ${how}` +
    'This was a dry run. Run with dryRun = false to execute.'
  );
}

export const DELETE_BY_QUERY: DryRunReport = parseDryRun(dryRunText(20, 201));
export const REINDEX: DryRunReport = parseDryRun(dryRunText(134_517, 135_600));
export const NOTHING_TO_DELETE: DryRunReport = parseDryRun(dryRunText(0, 201));
export const UNKNOWN_WORDS: DryRunReport = parseDryRun('The moon is full.');

export const REVIEW: DryRunReview = {
  plan: PLAN,
  access: ACCESS,
  report: DELETE_BY_QUERY,
  at: NOW,
  monotonicAt: MONOTONIC_NOW,
};
export const FINISHED = {
  kind: 'finished',
  deleted: 20,
  versionConflicts: 0,
  readers: 'clean',
} as const satisfies TruncationOutcome;
export const FAILED: TruncationOutcome = {
  kind: 'failed',
  reason: 'neverBegan',
};
export const LOST: TruncationOutcome = { kind: 'unknown', reason: 'lost' };

export function endProblem(record: TruncationRecord): Problem {
  const { ending } = record;
  assert.ok(ending !== undefined && ending.kind !== 'finished');
  return endingProblem(ending, record);
}

export const RECORD: TruncationRecord = {
  id: '6f1f0a52-6d2c-4b6e-9b0a-0c7f5f3f2d11.0',
  connectionId: 'a6f1d4de-3f7d-4c0b-8a52-6a2f6a1f8e01',
  baseUrl: 'https://datahub.example.com',
  plan: PLAN,
  report: DELETE_BY_QUERY,
  reviewedAt: NOW - MINUTE,
  sentAt: NOW,
  taskId: TASK_ID,
  baseline: { countedUpTo: NOW, kept: 181 },
  sizeBefore: 8_100_000_000,
};

const { taskId: _, ...unanswered } = RECORD;
export const UNANSWERED: TruncationRecord = unanswered;

/** One state for each phase, and three for `executing`. */
export const STATES = {
  editing: { phase: 'editing', draft: DRAFT },
  dryRunning: { phase: 'dryRunning', draft: DRAFT, plan: PLAN, access: ACCESS },
  reviewed: { phase: 'reviewed', draft: DRAFT, review: REVIEW },
  confirming: { phase: 'confirming', draft: DRAFT, review: REVIEW },
  recounting: { phase: 'executing', draft: DRAFT, review: REVIEW, step: 'recounting' },
  recounted: { phase: 'executing', draft: DRAFT, review: REVIEW, step: 'recounted' },
  sent: { phase: 'executing', draft: DRAFT, review: REVIEW, step: 'sent', record: UNANSWERED },
  running: { phase: 'running', draft: DRAFT, review: REVIEW, record: RECORD },
  finished: { phase: 'finished', draft: DRAFT, review: REVIEW, record: { ...RECORD, ending: FINISHED } },
  failed: { phase: 'failed', draft: DRAFT, review: REVIEW, record: { ...RECORD, ending: FAILED } },
} as const satisfies Record<string, TruncationState>;
export type Place = keyof typeof STATES;

/** The connection by which it was sent. */
export const CONNECTION: Connection = {
  id: RECORD.connectionId,
  name: 'Production',
  baseUrl: RECORD.baseUrl,
  actorUrn: 'urn:li:corpuser:jdoe',
  role: 'development',
  createdAt: NOW,
};
