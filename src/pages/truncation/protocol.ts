/**
 * Messages between the truncation page and its host. Both sides validate each message. The page sends intents and
 * what was typed; never a request body, an address or a command.
 */
import * as v from 'valibot';
import { parsedAs } from '../../json.ts';
import type { RowsByAgeState } from '../../rowsByAge/ageHistogram.ts';
import { CAUTION_KINDS } from '../../truncation/cautions.ts';
import { CUTOFF_KINDS } from '../../truncation/cutoff.ts';
import type { TruncationMark } from '../../truncation/outcome.ts';
import type { Problem } from '../../truncation/problem.ts';
import type { PlanDraft } from '../../truncation/plan.ts';
import {
  bare,
  SHARED_MESSAGES,
  TEXT,
  type CautionView,
  type ConnectionView,
  type Fact,
  type FailureView,
  type ShownFigures,
} from '../kit/protocol.ts';

/** As long as the fields take: no access token, since drafts are stored. */
const TYPED = v.pipe(v.string(), v.maxLength(32));

const CUTOFF = v.object({
  kind: v.picklist(CUTOFF_KINDS),
  days: TYPED,
  date: TYPED,
  time: TYPED,
  gigabytes: TYPED,
  rows: TYPED,
});

/** As typed: cautions are accepted by messages of their own. */
const DRAFT = v.pipe(
  v.object({
    entityType: TEXT,
    aspect: TEXT,
    cutoff: v.optional(CUTOFF),
    endTimeMillis: v.optional(v.pipe(v.number(), v.safeInteger())),
    batchSize: TYPED,
    timeoutSeconds: TYPED,
    strategy: v.picklist(['server', 'deleteByQuery', 'reindex']),
  }),
  v.transform((typed): PlanDraft => ({
    ...typed,
    cutoff: typed.cutoff,
    endTimeMillis: typed.endTimeMillis,
    acceptedCautions: [],
  })),
);

export const TRUNCATION_PAGE_MESSAGE = v.variant('type', [
  ...SHARED_MESSAGES,
  v.strictObject({ type: v.literal('dryRun'), draft: DRAFT }),
  /** Accepts a caution of the dry run that was made at this time, or takes that back. */
  v.strictObject({
    type: v.literal('tick'),
    caution: v.picklist(CAUTION_KINDS),
    isTicked: v.boolean(),
    at: v.number(),
  }),
  /** From the review to the fields. */
  bare('goBack'),
  bare('close'),
  bare('copyTaskId'),
  bare('checkTask'),
  bare('countRowsByAge'),
  bare('stopCounting'),
]);

export type TruncationPageMessage = v.InferOutput<typeof TRUNCATION_PAGE_MESSAGE>;

/** A request of the user. */
export type TruncationIntent = Exclude<TruncationPageMessage, { readonly type: 'ready' }>;

/** The result of a dry run (PROTOCOL.md §7.2). */
export interface DryRunReportView {
  /** The question, for example "Delete 82,593 of 106,011 rows?". */
  readonly heading: string;
  /** The rows that it is about, and the user, in one sentence. */
  readonly scope: string;
  /** Undefined if the server's text can't be parsed. */
  readonly rows: ShownFigures | undefined;
  /** What the rows feed, what is lost, and that they can't be recovered. Undefined if no row would be deleted. */
  readonly consequences: string | undefined;
  readonly strategy: string;
  /** Folded. */
  readonly details: readonly Fact<TruncationIntent>[];
  /** Unix time in ms. */
  readonly at: number;
  /** Why another review is needed, for example a higher count. */
  readonly notice: string | undefined;
}

/** A truncation after it was sent. */
export interface OutcomeView {
  /** `warning`: it can't be watched, or left rows. */
  readonly mark: TruncationMark;
  readonly isOver: boolean;
  /** For example "82,593 rows deleted · 800 MB → 139 MB", or "Deleting: 20,000 of 134,517 rows." */
  readonly headline: string;
  readonly next: string | undefined;
  /** The rows that it is about, in one sentence. */
  readonly scope: string;
  readonly isSignedOut: Problem['isSignedOut'];
  /** From 0 to 100; undefined while unknown. */
  readonly percent: number | undefined;
  /** Elapsed and remaining time, or that it stands still, and that it can't be stopped from here. */
  readonly pace: string | undefined;
  /** Time and counts of the last poll. */
  readonly lastCheck: string | undefined;
  /** True if checking again may change the outcome. */
  readonly canCheck: boolean;
  /** Folded. */
  readonly details: readonly Fact<TruncationIntent>[];
}

/** The content of the page. */
export interface TruncationPageView {
  readonly phase:
    | 'editing'
    | 'dryRunning'
    | 'reviewed'
    | 'confirming'
    | 'executing'
    | 'running'
    | 'finished'
    | 'failed';
  readonly connection: ConnectionView & { readonly actor: string; readonly warning: string | undefined };
  readonly indexName: string;
  /** Of the last dry run, or where to begin. What is typed since is the page's. */
  readonly draft: PlanDraft;
  /** Undefined if the server doesn't report its size. */
  readonly indexBytes: number | undefined;
  /** Why an age is proposed. */
  readonly proposal: string | undefined;
  /** True if the server accepts more than one strategy. */
  readonly canChooseStrategy: boolean;
  readonly rowsByAge: RowsByAgeState | undefined;
  readonly report: DryRunReportView | undefined;
  /** To be ticked before the rows are deleted. */
  readonly cautions: readonly CautionView[];
  readonly failure: FailureView | undefined;
  readonly outcome: OutcomeView | undefined;
  /** The single primary button. */
  readonly primary: {
    readonly intent: 'dryRun' | 'execute' | 'goBack' | 'close';
    readonly label: string;
    readonly enabled: boolean;
    /** Why it is disabled, unless a field or a box is the reason. */
    readonly reason: string | undefined;
  };
  /** Stored by the page. VS Code returns it after a reload. */
  readonly restore: RestoreState;
}

/** The connection of a page, and the ID of the truncation that it shows, so that a reloaded page can find both. */
interface RestoreState {
  readonly connectionId: string;
  readonly recordId?: string | undefined;
}

const PANEL_STATE = v.object({
  draft: v.fallback(v.optional(DRAFT), undefined),
  advancedOpen: v.fallback(v.optional(v.boolean(), false), false),
  restore: v.object({ connectionId: v.string(), recordId: v.optional(v.string()) }),
});

/** Parses a stored state. @returns undefined for anything else. */
export function parsePageState(data: unknown): v.InferOutput<typeof PANEL_STATE> | undefined {
  return parsedAs(PANEL_STATE, data);
}
