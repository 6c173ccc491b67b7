/** Turns the user's input into a plan. */
import { indexNameProblem } from '../indices/indexName.ts';
import type { DeletionStrategy, TruncationPlan } from '../service/indices/truncationRequest.ts';
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { parseWholeNumber } from '../ui/typedValues.ts';
import type { Caution } from './cautions.ts';
import {
  cutoffDaysBefore,
  cutoffInDays,
  cutoffProblem,
  daysBetween,
  readDays,
  USUAL_DAYS,
  type CutoffInput,
} from './cutoff.ts';

/** A plan as typed. Numbers stay text to lose nothing. */
export interface PlanDraft {
  readonly entityType: string;
  readonly aspect: string;
  /** Unix time in ms, UTC. Undefined while incomplete. */
  readonly endTimeMillis: number | undefined;
  /** As the user said it. Undefined for a plan that was made elsewhere. */
  readonly cutoff?: CutoffInput | undefined;
  /** Empty unless the user chose one. */
  readonly batchSize: string;
  readonly timeoutSeconds: string;
  readonly strategy: DeletionStrategy;
  /** Those that the user accepted for this cutoff. */
  readonly acceptedCautions: readonly Caution['kind'][];
}

/** Fields of a draft that can be invalid. */
export type PlanField = 'entityType' | 'aspect' | 'endTimeMillis' | 'batchSize' | 'timeoutSeconds';

/** Translated sentences by field. */
type PlanProblems = Partial<Record<PlanField, string>>;

export const DEFAULT_BATCH_SIZE = 10_000;
/** Default `max_result_window`: search clusters refuse larger batches. */
const LARGEST_BATCH_SIZE = 10_000;

/** Largest Rest.li `int`. Larger timeouts are typing mistakes. */
const LARGEST_INT = 2_147_483_647;

export function emptyDraft(entityType = '', aspect = ''): PlanDraft {
  return {
    entityType,
    aspect,
    endTimeMillis: undefined,
    batchSize: '',
    timeoutSeconds: '',
    // Never hides or loses rows when interrupted (PROTOCOL.md §7.5).
    strategy: 'deleteByQuery',
    acceptedCautions: [],
  };
}

/** Draft of a plan that was sent or confirmed before. */
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
    batchSize: batchSize === DEFAULT_BATCH_SIZE ? '' : String(batchSize),
    timeoutSeconds: timeoutSeconds === undefined ? '' : String(timeoutSeconds),
    strategy,
  };
}

/** Undefined for a valid batch size or timeout. Empty means the default. */
function numberProblem(text: string, largest: number): string | undefined {
  return text.trim() === '' || wholeNumber(text, largest) !== undefined
    ? undefined
    : l10n.t('Enter a whole number from 1 to {0}, or leave it empty.', grouped(largest));
}

/** Returns the plan of a draft, or its problems. A caution is no problem: the user accepts it separately. */
export function checkDraft(draft: PlanDraft): { readonly plan: TruncationPlan } | { readonly problems: PlanProblems } {
  const found: Record<PlanField, string | undefined> = {
    entityType: indexNameProblem(draft.entityType),
    aspect: indexNameProblem(draft.aspect),
    endTimeMillis: cutoffProblem(draft.endTimeMillis),
    batchSize: numberProblem(draft.batchSize, LARGEST_BATCH_SIZE),
    timeoutSeconds: numberProblem(draft.timeoutSeconds, LARGEST_INT),
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

/**
 * The draft with an age as its cutoff, or the same age counted from now.
 * @param now Unix time in ms.
 */
export function withAge(draft: PlanDraft, now: number): PlanDraft {
  const { cutoff, endTimeMillis } = draft;
  const typed = cutoff?.kind === 'days' ? cutoff.days : undefined;
  const days = typed ?? (endTimeMillis === undefined ? USUAL_DAYS : daysBetween(endTimeMillis, now, cutoff?.kind));
  const read = readDays(String(days));
  return {
    ...draft,
    cutoff: { ...(cutoff ?? cutoffInDays(days)), kind: 'days', days: String(days) },
    endTimeMillis: 'days' in read ? cutoffDaysBefore(read.days, now) : undefined,
  };
}

/** True if both plans send the same request body. */
export function isSamePlan(a: TruncationPlan, b: TruncationPlan): boolean {
  return (
    a.entityType === b.entityType &&
    a.aspect === b.aspect &&
    a.endTimeMillis === b.endTimeMillis &&
    a.batchSize === b.batchSize &&
    a.timeoutSeconds === b.timeoutSeconds &&
    a.strategy === b.strategy
  );
}

function grouped(count: number): string {
  return formatsOf(language()).number(count);
}

function wholeNumber(text: string, largest: number): number | undefined {
  const value = parseWholeNumber(text);
  return value >= 1 && value <= largest ? value : undefined;
}
