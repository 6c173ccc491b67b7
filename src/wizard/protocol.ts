/**
 * Everything the wizard's page and its host say to each other: a closed union each way, checked on arrival on both sides.
 * The page sends intents and what a person typed; it never sends a request body, an address or a command.
 */
import * as v from 'valibot';
import { FIT_GOAL, type FitGoal } from '../rowsByAge/fitGoal.ts';
import type { CutOffCaution, PlanDraft, PlanField } from '../truncation/plan.ts';
import type { AgeSample } from '../rowsByAge/ageHistogram.ts';

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
  /** The page is up. `timeZone` is the person's (IANA name): the host may run elsewhere. */
  v.strictObject({ type: v.literal('ready'), timeZone: TEXT, draft: v.optional(DRAFT) }),
  /** Always answered with a view: until then the page does not know whether the problems it has are still true. */
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
  /** Those that are remembered, if there are any; else they are counted. */
  v.strictObject({ type: v.literal('showRowsByAge') }),
  /** Counted anew. */
  v.strictObject({ type: v.literal('refreshRowsByAge') }),
  v.strictObject({ type: v.literal('stopRowsByAge') }),
  /** Finds a cut-off and fills it in. */
  v.strictObject({ type: v.literal('fit'), goal: FIT_GOAL }),
  v.strictObject({ type: v.literal('stopFit') }),
  v.strictObject({ type: v.literal('copyReceipt'), format: v.picklist(['markdown', 'json']) }),
  v.strictObject({ type: v.literal('saveReceipt') }),
  /** For an administrator of the search cluster. */
  v.strictObject({ type: v.literal('copyRequests'), for: v.picklist(['repair', 'cancel', 'throttle', 'merge']) }),
]);

/** From the page to the host. */
export type PageMessage = v.InferOutput<typeof PAGE_MESSAGE>;

/** The message, or undefined when it is none of ours. */
export function parsePageMessage(data: unknown): PageMessage | undefined {
  const parsed = v.safeParse(PAGE_MESSAGE, data);
  return parsed.success ? parsed.output : undefined;
}

/** A failure as people read it: what happened and why, then what to do. */
export interface FailureView {
  readonly sentence: string;
  readonly next: string | undefined;
  /** Signing in may mend it. */
  readonly canSignIn: boolean;
}

/** What a dry run said (PROTOCOL.md §7.2). */
export interface ReportView {
  /** Undefined when the server's text is not understood. */
  readonly rowsToDelete: number | undefined;
  readonly rowsTotal: number | undefined;
  /** 0 to 100. */
  readonly percent: number | undefined;
  /** About how much the rows to delete hold, and the whole index. Absent once it was sent. */
  readonly sizeToDelete: { readonly bytes: string; readonly ofAll: string } | undefined;
  /** How the server will delete, in a few words ("Delete by query"), and what that means. */
  readonly strategy: string;
  readonly strategyMeaning: string;
  /** Reindexing hides rows until it ends: worth a warning's colour. */
  readonly strategyIsRisky: boolean;
  /** What to know before confirming; empty once it was sent. */
  readonly executionNotes: readonly string[];
  /** The batch size that is proposed for so many rows. */
  readonly smallBatchSize: number | undefined;
  /** What a reindex needs for a while. */
  readonly spaceNeeded: string | undefined;
  /** Sentences on what the index is for and what is lost with its rows. */
  readonly aspectLines: readonly string[];
  /** True when the person can switch the plan to delete by query. */
  readonly canForceDeleteByQuery: boolean;
  /** The server's own words, in one line fit to be shown. */
  readonly serverText: string;
  /** Unix time in ms. */
  readonly at: number;
  /** Why it has to be looked at again: the count grew, the strategy changed, it is too old, or exceeds the limit. */
  readonly notice: string | undefined;
}

/** Requests to the search cluster that can be copied for an administrator. */
export type ClusterRequestKind = Extract<PageMessage, { readonly type: 'copyRequests' }>['for'];

/** A truncation that was sent. */
export interface TaskView {
  /** Undefined when the answer was lost. */
  readonly id: string | undefined;
  readonly state: 'running' | 'finished' | 'failed' | 'unknown';
  /** Whether asking and counting again may change what is said. */
  readonly canCheck: boolean;
  /** The sentence says why it can't go on, or can't be watched. */
  readonly isTrouble: boolean;
  /** Signing in may mend that. */
  readonly canSignIn: boolean;
  /** When it was looked at last, and what was counted: another sentence after each look. */
  readonly lastLook: string | undefined;
  /** One sentence: "Deleting: 20,000 of 134,517 rows.", "Finished in 2 min." */
  readonly sentence: string;
  readonly next: string | undefined;
  /** 0 to 100; undefined while it cannot be told. */
  readonly percent: number | undefined;
  readonly failures: readonly string[];
  /** What an administrator can do, as requests to copy. */
  readonly requests: readonly Exclude<ClusterRequestKind, 'merge'>[];
  /** While it runs, once it can be told: "About 12,000 rows a minute, 5 min left.", or that it stands still. */
  readonly pace: string | undefined;
  readonly sizeBefore: string | undefined;
  /** A lower size that was read after the end. `at` is Unix time in ms. */
  readonly laterSize: { readonly size: string; readonly at: number } | undefined;
  /** A request that makes the cluster let go of the deleted rows, for an administrator to send. */
  readonly merge: { readonly advice: string; readonly request: string } | undefined;
  readonly startedAt: number;
  /** Undefined where the server didn't tell. */
  readonly endedAt: number | undefined;
}

/** How many rows are how old, as far as it was counted (`rowsUpTo` reads it). Times are Unix times in ms. */
export interface RowsByAgeView {
  readonly state: 'loading' | 'complete' | 'stopped' | 'failed';
  /** Ascending; empty while the first ones are counted. */
  readonly samples: readonly AgeSample[];
  /** All rows, those dated in the future too. */
  readonly total: number;
  /** Rows dated in the future. */
  readonly ahead: number;
  /** When the newest sample was counted. */
  readonly at: number;
  /** Absent where the samples are too coarse. */
  readonly growth: { readonly rowsPerDay: number; readonly bytesPerDay: number | undefined } | undefined;
  readonly changedMeanwhile: boolean;
  readonly failure: FailureView | undefined;
}

/** A search for a cut-off; what was found is in the draft. */
export interface FitView {
  readonly state: 'solving' | 'solved' | 'unsolved';
  readonly goal: FitGoal;
  /** What was found, or why nothing was; empty while it is being looked for. */
  readonly sentence: string;
}

/** All that the page shows beside what the person is typing. Sent whole on each change. */
export interface WizardView {
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
    /** What the server is used for, where that is something to beware of: its word, and what it is drawn by. */
    readonly role: { readonly kind: 'production' | 'readOnly'; readonly name: string } | undefined;
  };
  /** Ready to show ("8.1 GB"); undefined when the server does not list the index. */
  readonly indexSize: string | undefined;
  /** Why the size is approximate or missing, and why nothing can be limited by it. Absent where it is exact. */
  readonly sizeNote: string | undefined;
  readonly sizeLimitRefusal: string | undefined;
  /** For the fields' suggestions. */
  readonly indices: readonly { readonly entityType: string; readonly aspect: string; readonly size: string }[];
  readonly problems: Partial<Record<PlanField, string>>;
  readonly caution: { readonly kind: CutOffCaution; readonly text: string } | undefined;
  /** A cut-off for an index that holds state, and why that one. */
  readonly proposal: { readonly days: number; readonly reason: string } | undefined;
  /** Whether the server can be told how to delete. */
  readonly forceFlagsKnown: boolean;
  /** Whether there is more than one way that it would take. */
  readonly canChooseStrategy: boolean;
  readonly defaultBatchSize: number;
  readonly rowsByAge: RowsByAgeView | undefined;
  readonly fit: FitView | undefined;
  readonly report: ReportView | undefined;
  /** What else goes on there, for the review: other truncations, the server's maintenance mode. A sentence each. */
  readonly serverNotes: readonly string[] | undefined;
  readonly failure: FailureView | undefined;
  readonly task: TaskView | undefined;
  /** The one primary button. */
  readonly primary: {
    readonly intent: 'dryRun' | 'execute' | 'startOver';
    readonly label: string;
    readonly enabled: boolean;
    /** Why it is not, where that is none of the fields' fault. */
    readonly reason: string | undefined;
  };
  readonly canCancel: boolean;
  /** Kept by the page as it is, and handed back by VS Code when a reloaded window brings the panel back. */
  readonly restore: WizardRestore;
}

/** Which connection a wizard is for, and under which id the truncation that is sent from it is written down: known before it is sent. */
interface WizardRestore {
  readonly connectionId: string;
  readonly recordId: string | undefined;
}

const PANEL_STATE = v.object({
  draft: v.fallback(v.optional(DRAFT), undefined),
  restore: v.object({ connectionId: v.string(), recordId: v.optional(v.string()) }),
});

/** What VS Code kept of a panel, or undefined when it is not of this kind. */
export function parsePanelState(
  data: unknown,
): { readonly draft: PlanDraft | undefined; readonly restore: WizardRestore } | undefined {
  const parsed = v.safeParse(PANEL_STATE, data);
  if (!parsed.success) {
    return undefined;
  }
  const { connectionId, recordId } = parsed.output.restore;
  return {
    draft: parsed.output.draft && draftFrom(parsed.output.draft),
    restore: { connectionId, recordId },
  };
}

/** An optional number is absent on the wire and undefined in a draft. */
export function draftFrom(parsed: v.InferOutput<typeof DRAFT>): PlanDraft {
  return { ...parsed, endTimeMillis: parsed.endTimeMillis };
}

/** Texts in VS Code's display language by their English; a webview has no `vscode.l10n` of its own. Undefined: it is English. */
type Translations = Readonly<Record<string, string>>;

/** From the host to the page. */
export type HostMessage =
  /** Once, in answer to `ready`. `draft` replaces what the page shows; `locale` is VS Code's display language. */
  | {
      readonly type: 'open';
      readonly translations: Translations | undefined;
      readonly locale: string;
      readonly draft: PlanDraft;
      readonly view: WizardView;
    }
  | { readonly type: 'view'; readonly view: WizardView }
  /** The host changed the draft itself (start over, delete by query forced). */
  | { readonly type: 'draft'; readonly draft: PlanDraft; readonly view: WizardView };

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

/** The message, or undefined when it is none of ours. */
export function parseHostMessage(data: unknown): HostMessage | undefined {
  const parsed = v.safeParse(HOST_MESSAGE, data);
  return parsed.success ? (parsed.output as unknown as HostMessage) : undefined;
}

/** The draft that a reloaded window hands back, or undefined when it is not one. */
export function parseDraft(data: unknown): PlanDraft | undefined {
  const parsed = v.safeParse(DRAFT, data);
  return parsed.success ? draftFrom(parsed.output) : undefined;
}
