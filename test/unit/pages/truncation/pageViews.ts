import type { DryRunReview } from '../../../../src/truncation/dryRun.ts';
import type { TruncationState } from '../../../../src/truncation/state.ts';
import type { Fact } from '../../../../src/pages/kit/protocol.ts';
import type { TruncationPageView } from '../../../../src/pages/truncation/protocol.ts';
import type { RowsByAgeState } from '../../../../src/rowsByAge/ageHistogram.ts';
import type { TruncationFacts } from '../../../../src/pages/truncation/host/view.ts';
import { truncationPageView } from '../../../../src/pages/truncation/host/view.ts';
import { CONNECTION, DRAFT, NOW, REINDEX, REVIEW, STATES } from '../../truncation/samples.ts';

/** The view of a truncation, with facts that most tests don't care about. */
export function pageViewOf(state: TruncationState, facts: Partial<TruncationFacts> = {}): TruncationPageView {
  return truncationPageView({
    state,
    cautions: [],
    connection: CONNECTION,
    isOverviewOpen: false,
    indexSize: undefined,
    indexName: undefined,
    isNamedByUser: false,
    forceFlagsKnown: true,
    release: undefined,
    rowsByAge: undefined,
    lastPoll: undefined,
    canCheck: true,
    now: NOW,
    timeZone: 'UTC',
    ...facts,
  });
}

export function reviewed(review: Partial<DryRunReview>, draft = DRAFT): TruncationState {
  return { phase: 'reviewed', draft, review: { ...REVIEW, ...review } };
}

export function detailOf(
  view: { readonly details: readonly Fact<unknown>[] } | undefined,
  name: string,
): string | undefined {
  const { value, quoted, code } = view?.details.find((one) => one.name === name) ?? {};
  return value ?? quoted ?? code;
}

export const EDITING = pageViewOf(STATES.editing);
export const REVIEWED = pageViewOf(reviewed({ report: REINDEX }));
export const RUNNING = pageViewOf(STATES.running);

export const NOTHING_COUNTED: RowsByAgeState = {
  phase: 'counting',
  samples: [],
  total: 0,
  at: 0,
  left: 12,
  failing: undefined,
};
