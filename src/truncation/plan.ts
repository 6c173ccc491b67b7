/**
 * What a person asks to delete, from the text they typed to a plan that may be sent.
 * Pure: the wizard's host side and the tests share it.
 */
import { indexNameProblem } from '../indices/indexName.ts';
import { holdsToken } from '../service/failure/redaction.ts';
import type { DeletionStrategy, TruncationPlan } from '../service/indices/truncation.ts';
import * as l10n from '@vscode/l10n';
import { MILLIS_PER_DAY } from '../time.ts';

/** A plan as it is being typed. Numbers are kept as text so that nothing a person typed is lost. */
export interface PlanDraft {
  readonly entityType: string;
  readonly aspect: string;
  /** Unix time in ms, UTC; undefined while the date is empty or incomplete. */
  readonly endTimeMillis: number | undefined;
  readonly batchSize: string;
  readonly timeoutSeconds: string;
  readonly strategy: DeletionStrategy;
  /** The second yes to a cut-off in the future or in the last 24 hours. */
  readonly cautionAccepted: boolean;
}

/** The fields of a draft that can be wrong. */
export type PlanField = 'entityType' | 'aspect' | 'endTimeMillis' | 'batchSize' | 'timeoutSeconds';

/** What is wrong, by field, as sentences for people. */
type PlanProblems = Partial<Record<PlanField, string>>;

/** A cut-off that would delete what was written just now, or what is still to come. */
export type CutOffCaution = 'future' | 'last24Hours';

export const DEFAULT_BATCH_SIZE = 10_000;
/** Proposed where very many rows go: the cluster comes up for air more often. */
export const GENTLE_BATCH_SIZE = 2_000;
/** What a search cluster reads at a time unless it is configured otherwise (`max_result_window`): a larger batch is refused. */
const LARGEST_BATCH_SIZE = 10_000;

/** The last millisecond of the year 9999: what lies beyond is a typing mistake, and soon no date that can be shown. */
const LAST_MILLIS = 253_402_300_799_999;

/** Rest.li `int` and a `long` that no sane timeout exceeds: larger numbers are typing mistakes. */
const LARGEST_INT = 2_147_483_647;

export function emptyDraft(entityType = '', aspect = ''): PlanDraft {
  return {
    entityType,
    aspect,
    endTimeMillis: undefined,
    batchSize: String(DEFAULT_BATCH_SIZE),
    timeoutSeconds: '',
    // The one way that neither hides rows nor loses them when it breaks off (PROTOCOL.md §7.5).
    strategy: 'deleteByQuery',
    cautionAccepted: false,
  };
}

/** The draft of a plan that was sent or confirmed before. */
export function draftFrom({
  entityType,
  aspect,
  endTimeMillis,
  batchSize,
  timeoutSeconds,
  strategy,
}: TruncationPlan): PlanDraft {
  return {
    ...emptyDraft(entityType, aspect),
    endTimeMillis,
    batchSize: String(batchSize),
    timeoutSeconds: timeoutSeconds === undefined ? '' : String(timeoutSeconds),
    strategy,
  };
}

/**
 * A draft from before delete by query was proposed holds the proposal of that time, which leaves the choice to the server. It was
 * hardly ever a choice of the user's.
 */
export function withSafeStrategy(draft: PlanDraft): PlanDraft {
  return draft.strategy === 'server' ? { ...draft, strategy: 'deleteByQuery' } : draft;
}

/** A server that keeps its time series in PostgreSQL always deletes by query, and refuses a reindex (PROTOCOL.md §10). */
export function withPostgresStrategy(draft: PlanDraft): PlanDraft {
  return draft.strategy === 'reindex' ? { ...draft, strategy: 'deleteByQuery' } : withSafeStrategy(draft);
}

/** Whether a cut-off needs a second yes. `now` is Unix time in ms. */
export function cautionFor(endTimeMillis: number | undefined, now: number): CutOffCaution | undefined {
  if (endTimeMillis === undefined) {
    return undefined;
  }
  if (endTimeMillis > now) {
    return 'future';
  }
  return endTimeMillis > now - MILLIS_PER_DAY ? 'last24Hours' : undefined;
}

/** Why a text is no batch size, or undefined when it is one. Empty means the default. */
export function batchSizeProblem(text: string): string | undefined {
  return text.trim() === '' || wholeNumber(text, LARGEST_BATCH_SIZE) !== undefined
    ? undefined
    : l10n.t('Enter a whole number from 1 to {0}, or leave it empty for {1}.', LARGEST_BATCH_SIZE, DEFAULT_BATCH_SIZE);
}

/** Why a text is no timeout in seconds, or undefined when it is one. Empty means none. */
export function timeoutProblem(text: string): string | undefined {
  return text.trim() === '' || wholeNumber(text, LARGEST_INT) !== undefined
    ? undefined
    : l10n.t('Enter a whole number of seconds from 1 to {0}, or leave it empty for no timeout.', LARGEST_INT);
}

/** Why a time is no cut-off, or undefined when it is one. */
export function cutOffProblem(endTimeMillis: number | undefined): string | undefined {
  if (endTimeMillis === undefined || !Number.isFinite(endTimeMillis)) {
    return l10n.t('Enter the cut-off date and time.');
  }
  if (!Number.isSafeInteger(endTimeMillis) || endTimeMillis <= 0) {
    return l10n.t('Enter a date after 1 January 1970.');
  }
  return endTimeMillis <= LAST_MILLIS ? undefined : l10n.t('Enter a date before the year 10000.');
}

/** The plan that a draft describes, or what keeps it from being one. A caution is no problem: it needs a second yes. */
export function checkDraft(draft: PlanDraft): { readonly plan: TruncationPlan } | { readonly problems: PlanProblems } {
  const found: Record<PlanField, string | undefined> = {
    entityType: indexNameProblem(draft.entityType, 'entityType'),
    aspect: indexNameProblem(draft.aspect, 'aspect'),
    endTimeMillis: cutOffProblem(draft.endTimeMillis),
    batchSize: batchSizeProblem(draft.batchSize),
    timeoutSeconds: timeoutProblem(draft.timeoutSeconds),
  };
  const problems = Object.fromEntries(
    Object.entries(found).filter(([, problem]) => problem !== undefined),
  ) as PlanProblems;
  if (Object.keys(problems).length > 0 || draft.endTimeMillis === undefined) {
    return { problems };
  }
  return {
    plan: {
      entityType: draft.entityType.trim(),
      aspect: draft.aspect.trim(),
      endTimeMillis: draft.endTimeMillis,
      batchSize: wholeNumber(draft.batchSize, LARGEST_BATCH_SIZE) ?? DEFAULT_BATCH_SIZE,
      timeoutSeconds: wholeNumber(draft.timeoutSeconds, LARGEST_INT),
      strategy: draft.strategy,
    },
  };
}

/** The draft without what is, or holds, an access token: a draft is stored, and its names are sent. The same if there is none. */
export function withoutTokens(draft: PlanDraft): PlanDraft {
  const { entityType, aspect, batchSize, timeoutSeconds } = draft;
  const held = Object.entries({ entityType, aspect, batchSize, timeoutSeconds }).filter(([, text]) => holdsToken(text));
  return held.length === 0 ? draft : { ...draft, ...Object.fromEntries(held.map(([field]) => [field, ''])) };
}

/** Whether a draft names an index that may be counted. */
export function isTarget({ entityType, aspect }: Pick<PlanDraft, 'entityType' | 'aspect'>): boolean {
  return indexNameProblem(entityType, 'entityType') === undefined && indexNameProblem(aspect, 'aspect') === undefined;
}

/** Whether two plans would send the same body: a review holds for exactly one plan. */
export function samePlan(a: TruncationPlan, b: TruncationPlan): boolean {
  return (
    a.entityType === b.entityType &&
    a.aspect === b.aspect &&
    a.endTimeMillis === b.endTimeMillis &&
    a.batchSize === b.batchSize &&
    a.timeoutSeconds === b.timeoutSeconds &&
    a.strategy === b.strategy
  );
}

function wholeNumber(text: string, largest: number): number | undefined {
  const digits = text.trim();
  if (!/^\d{1,10}$/.test(digits)) {
    return undefined;
  }
  const value = Number(digits);
  return value >= 1 && value <= largest ? value : undefined;
}
