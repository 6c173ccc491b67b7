/**
 * Messages between the wizard's page and its host. Both sides validate each message.
 * The page sends intents and typed text; never a request body, an address or a command.
 */
import * as v from 'valibot';
import { FIT_GOAL, MOST_DAYS, type FitGoal } from '../../rowsByAge/fitGoal.ts';
import { CAUTION_KINDS, type Caution } from '../../truncation/cautions.ts';
import type { PlanDraft, PlanField } from '../../truncation/plan.ts';
import type { AgeSample } from '../../rowsByAge/ageHistogram.ts';
import type { Problem } from '../../truncation/outcome.ts';

const TEXT = v.pipe(v.string(), v.maxLength(512));

const DRAFT = v.object({
  entityType: TEXT,
  aspect: TEXT,
  endTimeMillis: v.optional(v.pipe(v.number(), v.safeInteger())),
  ageInDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_DAYS))),
  batchSize: TEXT,
  timeoutSeconds: TEXT,
  strategy: v.picklist(['server', 'deleteByQuery', 'reindex']),
  /** Drafts of earlier versions have none. */
  acceptedCautions: v.optional(
    v.pipe(v.array(v.picklist(CAUTION_KINDS)), v.maxLength(CAUTION_KINDS.length), v.readonly()),
    [],
  ),
});

const PAGE_MESSAGE = v.variant('type', [
  /** Sent once the page is loaded. `timeZone` is the user's (IANA name), since the host may run elsewhere. */
  v.strictObject({ type: v.literal('ready'), timeZone: TEXT, draft: v.optional(DRAFT) }),
  /** Always answered, since problems may be outdated until then. */
  v.strictObject({ type: v.literal('edit'), draft: DRAFT }),
  v.strictObject({ type: v.literal('dryRun') }),
  v.strictObject({ type: v.literal('cancel') }),
  /** From the review to the fields. */
  v.strictObject({ type: v.literal('goBack') }),
  v.strictObject({ type: v.literal('execute') }),
  v.strictObject({ type: v.literal('startOver') }),
  v.strictObject({ type: v.literal('useDeleteByQuery') }),
  v.strictObject({ type: v.literal('useSmallBatches') }),
  v.strictObject({ type: v.literal('copyTaskId') }),
  v.strictObject({ type: v.literal('copyDetails') }),
  v.strictObject({ type: v.literal('signIn') }),
  v.strictObject({ type: v.literal('checkTask') }),
  /** Shows the remembered counts, or counts if there are none. */
  v.strictObject({ type: v.literal('showRowsByAge') }),
  /** Counts again. */
  v.strictObject({ type: v.literal('refreshRowsByAge') }),
  v.strictObject({ type: v.literal('stopRowsByAge') }),
  /** Finds a cutoff and fills it in. */
  v.strictObject({ type: v.literal('fit'), goal: FIT_GOAL }),
  v.strictObject({ type: v.literal('stopFit') }),
  v.strictObject({ type: v.literal('copyReceipt'), format: v.picklist(['markdown', 'json']) }),
  v.strictObject({ type: v.literal('saveReceipt') }),
  /** Copies requests for an administrator of the search cluster. */
  v.strictObject({ type: v.literal('copyRequests'), for: v.picklist(['repair', 'cancel', 'merge']) }),
]);

/** A message from the page to the host. */
export type WizardPageMessage = v.InferOutput<typeof PAGE_MESSAGE>;

/** @returns undefined for anything else. */
export function parsePageMessage(data: unknown): WizardPageMessage | undefined {
  const parsed = v.safeParse(PAGE_MESSAGE, data);
  return parsed.success ? parsed.output : undefined;
}

/** The result of a dry run (PROTOCOL.md §7.2). */
export interface DryRunReportView {
  /** Undefined if the server's text can't be parsed. */
  readonly rowsToDelete: number | undefined;
  readonly rowsTotal: number | undefined;
  /** From 0 to 100. */
  readonly percent: number | undefined;
  /** Estimated size of the rows to delete, and size of the index. Undefined once it was sent. */
  readonly sizeToDelete: { readonly bytes: string; readonly ofAll: string } | undefined;
  /** For example "Delete by query", and its meaning. */
  readonly strategy: string;
  readonly strategyMeaning: string;
  /** A warning, because a reindex can hide rows. */
  readonly strategyIsRisky: boolean;
  /** Sentences to read before confirming. Empty once it was sent. */
  readonly executionNotes: readonly string[];
  /** Proposed for very many rows. */
  readonly smallBatchSize: number | undefined;
  /** Disk space that a reindex needs for a while. */
  readonly spaceNeeded: string | undefined;
  /** Sentences on the purpose and the loss of the rows. */
  readonly aspectLines: readonly string[];
  /** True if the user can switch to delete by query. */
  readonly canForceDeleteByQuery: boolean;
  /** The server's own text, in one line. */
  readonly serverText: string;
  /** Unix time in ms. */
  readonly at: number;
  /** Why another review is needed, for example a higher count. */
  readonly notice: string | undefined;
  /** Why these figures no longer count. Undefined if they do. */
  readonly outdated: string | undefined;
  /** Another dry run needs a sign-in first. */
  readonly isSignedOut: Problem['isSignedOut'];
}

/** Requests that an administrator can send to the search cluster. */
export type ClusterRequestKind = Extract<WizardPageMessage, { readonly type: 'copyRequests' }>['for'];

/** A truncation after it was sent. */
export interface TruncationTaskView {
  /** Undefined if the response was lost. */
  readonly id: string | undefined;
  readonly state: 'running' | 'finished' | 'failed' | 'unknown';
  /** True if checking again may change the outcome. */
  readonly canCheck: boolean;
  /** True if it can't continue or be watched. */
  readonly isTrouble: boolean;
  readonly isSignedOut: Problem['isSignedOut'];
  /** Time and counts of the last poll. */
  readonly lastLook: string | undefined;
  /** For example "Deleting: 20,000 of 134,517 rows." */
  readonly sentence: string;
  readonly next: string | undefined;
  /** From 0 to 100; undefined while unknown. */
  readonly percent: number | undefined;
  readonly failures: readonly string[];
  /** Requests that an administrator can send now. */
  readonly requests: readonly Exclude<ClusterRequestKind, 'merge'>[];
  /** Elapsed and remaining time, or that it stands still, and that it can't be stopped from here. */
  readonly pace: string | undefined;
  readonly sizeBefore: string | undefined;
  /** Lets an administrator free the space of deleted rows. */
  readonly merge: { readonly advice: string; readonly request: string } | undefined;
  readonly startedAt: number;
  /** Undefined if the server didn't report it. */
  readonly endedAt: number | undefined;
}

/** Rows by age, as far as counted. Unix times in ms. */
export interface AgeHistogramView {
  readonly state: 'loading' | 'complete' | 'stopped' | 'failed';
  /** Ascending. Empty while the first ones are counted. */
  readonly samples: readonly AgeSample[];
  /** Includes rows dated in the future. */
  readonly total: number;
  /** Rows dated in the future. */
  readonly ahead: number;
  /** When the newest sample was counted. */
  readonly at: number;
  /** Undefined if the samples are too coarse. */
  readonly growth: { readonly rowsPerDay: number; readonly bytesPerDay: number | undefined } | undefined;
  readonly changedMeanwhile: boolean;
  readonly failure: Problem | undefined;
}

/** A search for a cutoff, which the draft gets. */
export interface CutoffFitView {
  readonly state: 'solving' | 'solved' | 'unsolved';
  readonly goal: FitGoal;
  /** The result, or the reason for none. Empty while searching. */
  readonly sentence: string;
}

/** The page without its draft. Sent whole after each change. */
export interface WizardPageView {
  readonly phase:
    | 'editing'
    | 'dryRunning'
    | 'reviewed'
    | 'confirming'
    | 'executing'
    | 'running'
    | 'finished'
    | 'failed';
  readonly connection: {
    readonly name: string;
    readonly baseUrl: string;
    readonly actor: string;
    readonly warning: string | undefined;
    /** Set if worth a warning. `name` is ready to show. */
    readonly role: { readonly kind: 'production' | 'readOnly'; readonly name: string } | undefined;
  };
  /** For example "8.1 GB". Undefined for an unlisted index. */
  readonly indexSize: string | undefined;
  /** Why the size is approximate or missing, and why it can't be a limit. Undefined if it is exact. */
  readonly sizeNote: string | undefined;
  readonly sizeLimitRefusal: string | undefined;
  /** Undefined unless exact. */
  readonly indexBytes: number | undefined;
  /** Suggestions for the fields. */
  readonly indices: readonly { readonly entityType: string; readonly aspect: string; readonly size: string }[];
  readonly problems: Partial<Record<PlanField, string>>;
  readonly cautions: readonly { readonly kind: Caution['kind']; readonly text: string }[];
  /** Proposed for an index that holds state. */
  readonly proposal: { readonly days: number; readonly reason: string } | undefined;
  /** True if the server supports a choice of strategy. */
  readonly forceFlagsKnown: boolean;
  /** True if the server accepts more than one strategy. */
  readonly canChooseStrategy: boolean;
  readonly defaultBatchSize: number;
  readonly rowsByAge: AgeHistogramView | undefined;
  readonly fit: CutoffFitView | undefined;
  readonly report: DryRunReportView | undefined;
  /** Sentences on other activity, shown with a review. */
  readonly serverNotes: readonly string[] | undefined;
  readonly failure: Problem | undefined;
  readonly task: TruncationTaskView | undefined;
  /** The single primary button. */
  readonly primary: {
    readonly intent: 'dryRun' | 'execute' | 'startOver';
    readonly label: string;
    readonly enabled: boolean;
    /** Why it is disabled, unless a field is the reason. */
    readonly reason: string | undefined;
  };
  readonly canCancel: boolean;
  /** Stored by the page. VS Code returns it after a reload. */
  readonly restore: WizardRestoreState;
}

/**
 * The connection of a wizard, and the ID of the next record: chosen before sending, so that a reloaded page can
 * find it.
 */
interface WizardRestoreState {
  readonly connectionId: string;
  readonly recordId?: string | undefined;
}

const PANEL_STATE = v.object({
  draft: v.fallback(v.optional(DRAFT), undefined),
  restore: v.object({ connectionId: v.string(), recordId: v.optional(v.string()) }),
});

/** Parses a panel's stored state. @returns undefined for anything else. */
export function parsePanelState(
  data: unknown,
): { readonly draft: PlanDraft | undefined; readonly restore: WizardRestoreState } | undefined {
  const parsed = v.safeParse(PANEL_STATE, data);
  if (!parsed.success) {
    return undefined;
  }
  return {
    draft: parsed.output.draft && planDraftFrom(parsed.output.draft),
    restore: parsed.output.restore,
  };
}

/** Adds the optional key, which messages may lack. */
export function planDraftFrom(parsed: v.InferOutput<typeof DRAFT>): PlanDraft {
  return { ...parsed, endTimeMillis: parsed.endTimeMillis };
}

/** By English text, because webviews lack `vscode.l10n`. Undefined in English. */
type PageTranslations = Readonly<Record<string, string>>;

/** A message from the host to the page. */
export type WizardHostMessage =
  /** Sent once, in answer to `ready`. `draft` replaces the page's. `locale` is VS Code's display language. */
  | {
      readonly type: 'open';
      readonly translations: PageTranslations | undefined;
      readonly locale: string;
      readonly draft: PlanDraft;
      readonly view: WizardPageView;
    }
  | { readonly type: 'view'; readonly view: WizardPageView }
  /** Sent after the host changed the draft itself. */
  | { readonly type: 'draft'; readonly draft: PlanDraft; readonly view: WizardPageView };

const HOST_MESSAGE = v.variant('type', [
  v.object({
    type: v.literal('open'),
    translations: v.optional(v.record(v.string(), v.string())),
    locale: v.string(),
    draft: DRAFT,
    view: v.looseObject({}),
  }),
  v.object({ type: v.literal('view'), view: v.looseObject({}) }),
  v.object({ type: v.literal('draft'), draft: DRAFT, view: v.looseObject({}) }),
]);

/** @returns undefined for anything else. */
export function parseHostMessage(data: unknown): WizardHostMessage | undefined {
  const parsed = v.safeParse(HOST_MESSAGE, data);
  return parsed.success ? (parsed.output as unknown as WizardHostMessage) : undefined;
}

/** Parses a stored draft. @returns undefined for anything else. */
export function parsePlanDraft(data: unknown): PlanDraft | undefined {
  const parsed = v.safeParse(DRAFT, data);
  return parsed.success ? planDraftFrom(parsed.output) : undefined;
}
