/**
 * Messages between the wizard's page and its host. Both sides validate each message.
 * The page sends intents and typed text; never a request body, an address or a command.
 */
import * as v from 'valibot';
import { FIT_GOAL, type FitGoal } from '../rowsByAge/fitGoal.ts';
import type { CutOffCaution, PlanDraft, PlanField } from '../truncation/plan.ts';
import type { AgeSample } from '../rowsByAge/ageHistogram.ts';
import type { Problem } from '../truncation/outcome.ts';

const TEXT = v.pipe(v.string(), v.maxLength(512));

const DRAFT = v.object({
  entityType: TEXT,
  aspect: TEXT,
  endTimeMillis: v.optional(v.pipe(v.number(), v.safeInteger())),
  batchSize: TEXT,
  timeoutSeconds: TEXT,
  strategy: v.picklist(['server', 'deleteByQuery', 'reindex']),
  cautionAccepted: v.boolean(),
});

const PAGE_MESSAGE = v.variant('type', [
  /** Sent once the page is loaded. `timeZone` is the user's (IANA name), since the host may run elsewhere. */
  v.strictObject({ type: v.literal('ready'), timeZone: TEXT, draft: v.optional(DRAFT) }),
  /** Always answered with a view. Until then, the page's problems may be outdated. */
  v.strictObject({ type: v.literal('edit'), draft: DRAFT }),
  v.strictObject({ type: v.literal('dryRun') }),
  v.strictObject({ type: v.literal('cancel') }),
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
  v.strictObject({ type: v.literal('copyRequests'), for: v.picklist(['repair', 'cancel', 'throttle', 'merge']) }),
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
  /** How the server will delete, for example "Delete by query", and what that means. */
  readonly strategy: string;
  readonly strategyMeaning: string;
  /** Drawn in a warning's colour, because a reindex can hide rows. */
  readonly strategyIsRisky: boolean;
  /** Sentences to read before confirming. Empty once it was sent. */
  readonly executionNotes: readonly string[];
  /** Proposed for very many rows. */
  readonly smallBatchSize: number | undefined;
  /** Disk space that a reindex needs for a while. */
  readonly spaceNeeded: string | undefined;
  /** Sentences on the purpose of the index and on what is lost with its rows. */
  readonly aspectLines: readonly string[];
  /** True if the user can switch the plan to delete by query. */
  readonly canForceDeleteByQuery: boolean;
  /** The server's own text, in one line. */
  readonly serverText: string;
  /** Unix time in ms. */
  readonly at: number;
  /** Reason for another review: a higher count, another strategy, its age, or a limit exceeded. */
  readonly notice: string | undefined;
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
  /** True if the sentence says why it can't continue or be watched. */
  readonly isTrouble: boolean;
  readonly isSignedOut: Problem['isSignedOut'];
  /** Time and counts of the last look. Changes with each look. */
  readonly lastLook: string | undefined;
  /** For example "Deleting: 20,000 of 134,517 rows." */
  readonly sentence: string;
  readonly next: string | undefined;
  /** From 0 to 100; undefined while unknown. */
  readonly percent: number | undefined;
  readonly failures: readonly string[];
  /** Requests that an administrator can send now. */
  readonly requests: readonly Exclude<ClusterRequestKind, 'merge'>[];
  /** For example "About 12,000 rows a minute, 5 min left.", or a notice that it stands still. */
  readonly pace: string | undefined;
  readonly sizeBefore: string | undefined;
  /** A lower size measured after the end. `at` is Unix time in ms. */
  readonly laterSize: { readonly size: string; readonly at: number } | undefined;
  /** A request that makes the cluster free the space of deleted rows, for an administrator. */
  readonly merge: { readonly advice: string; readonly request: string } | undefined;
  readonly startedAt: number;
  /** Undefined if the server didn't report it. */
  readonly endedAt: number | undefined;
}

/** Rows by age, as far as counted. Times are Unix times in ms. */
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

/** A search for a cutoff. Its result is filled into the draft. */
export interface CutOffFitView {
  readonly state: 'solving' | 'solved' | 'unsolved';
  readonly goal: FitGoal;
  /** The result, or the reason for none. Empty while searching. */
  readonly sentence: string;
}

/** Everything on the page but the draft. Sent whole after each change. */
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
    /** Set if the server's use is worth a warning. `name` is ready to show. */
    readonly role: { readonly kind: 'production' | 'readOnly'; readonly name: string } | undefined;
  };
  /** Ready to show, for example "8.1 GB". Undefined if the server doesn't list the index. */
  readonly indexSize: string | undefined;
  /** Why the size is approximate or missing, and why it can't be a limit. Undefined if it is exact. */
  readonly sizeNote: string | undefined;
  readonly sizeLimitRefusal: string | undefined;
  /** Suggestions for the fields. */
  readonly indices: readonly { readonly entityType: string; readonly aspect: string; readonly size: string }[];
  readonly problems: Partial<Record<PlanField, string>>;
  readonly caution: { readonly kind: CutOffCaution; readonly text: string } | undefined;
  /** A proposed cutoff for an index that holds state, with the reason. */
  readonly proposal: { readonly days: number; readonly reason: string } | undefined;
  /** True if the server supports a choice of strategy. */
  readonly forceFlagsKnown: boolean;
  /** True if the server accepts more than one strategy. */
  readonly canChooseStrategy: boolean;
  readonly defaultBatchSize: number;
  readonly rowsByAge: AgeHistogramView | undefined;
  readonly fit: CutOffFitView | undefined;
  readonly report: DryRunReportView | undefined;
  /** Other truncations and maintenance on the server, a sentence each. Shown with a review. */
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
  /** The page stores it unchanged, and VS Code returns it after a reload. */
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

/** Parses the state that VS Code kept of a panel. @returns undefined for anything else. */
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

/** Adds the key of an optional number, which may be missing on the wire. */
export function planDraftFrom(parsed: v.InferOutput<typeof DRAFT>): PlanDraft {
  return { ...parsed, endTimeMillis: parsed.endTimeMillis };
}

/** Translations by English text, since a webview has no `vscode.l10n`. Undefined in English. */
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
  /** Sent if the host changed the draft itself, for example on starting over. */
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

/** Parses a draft from a reloaded window. @returns undefined for anything else. */
export function parsePlanDraft(data: unknown): PlanDraft | undefined {
  const parsed = v.safeParse(DRAFT, data);
  return parsed.success ? planDraftFrom(parsed.output) : undefined;
}
