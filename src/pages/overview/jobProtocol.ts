/** Messages about jobs between the overview's page and its host. */
import * as v from 'valibot';
import { MAX_ITEMS } from '../../truncation/jobSize.ts';
import { MOST_DAYS } from '../../truncation/cutoff.ts';

/** Age of the youngest row to delete. */
export const SELECTION_DAYS = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_DAYS));
const PLACE = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_ITEMS - 1));
const JOB_ID = v.pipe(v.string(), v.uuid());

/** An action of the user. Names indices by their IDs in the table, later by their places. */
export const JOB_INTENT = v.variant('type', [
  v.strictObject({
    type: v.literal('dryRun'),
    ids: v.pipe(v.array(v.pipe(v.string(), v.maxLength(1_024))), v.minLength(1), v.maxLength(MAX_ITEMS)),
    days: SELECTION_DAYS,
  }),
  v.strictObject({ type: v.literal('dryRunAgain') }),
  v.strictObject({ type: v.literal('cancel') }),
  /** Copies a recipe with the cutoffs of the plan, and of items without rows to delete. */
  v.strictObject({ type: v.literal('copyRecipe') }),
  /** Copies a scheduled job for the same items, except those without rows. */
  v.strictObject({ type: v.literal('copyJob') }),
  /** Copies the receipts of what was sent, as one text. */
  v.strictObject({ type: v.literal('copyReceipt'), format: v.picklist(['markdown', 'json']) }),
  v.strictObject({ type: v.literal('saveReceipt') }),
  v.strictObject({ type: v.literal('select'), place: PLACE, isSelected: v.boolean() }),
  v.strictObject({ type: v.literal('execute') }),
  v.strictObject({ type: v.literal('stop') }),
  /** Returns to the table. */
  v.strictObject({ type: v.literal('startOver') }),
  /** Repeats the dry runs of an interrupted job. */
  v.strictObject({ type: v.literal('continue'), jobId: JOB_ID }),
  v.strictObject({ type: v.literal('dismiss'), jobId: JOB_ID }),
]);

export type JobIntent = v.InferOutput<typeof JOB_INTENT>;

/** An item, with texts that are ready to be shown. */
export interface JobItemView {
  readonly name: string;
  /** Undefined if the job has one cutoff for all. */
  readonly cutoff: string | undefined;
  /**
   * Rows to delete; once the job has ended, those that were deleted. Undefined before the dry run, if it is excluded
   * with a reason, and while it isn't known how many were deleted.
   */
  readonly rows: { readonly toDelete: number; readonly total: number; readonly percent: number } | undefined;
  /** True if it is part of the plan, or may become so while rows are counted. The user can change that only if it can be selected. */
  readonly isSelected: boolean;
  readonly canBeSelected: boolean;
  /** True once a dry run has counted its rows. */
  readonly isCounted: boolean;
  /** Why it is excluded or failed, or a note on it. */
  readonly remark: string | undefined;
  /** True if the wizard can truncate it. */
  readonly canUseWizard: boolean;
  /** Its progress. Undefined before its dry run. */
  readonly status:
    | {
        readonly text: string;
        readonly kind: 'waiting' | 'working' | 'done' | 'trouble';
        /** True if it can have another dry run. */
        readonly isUnsent?: boolean;
      }
    | undefined;
}

/** A sentence about several items. */
export interface JobNote {
  readonly text: string;
  /** Names of the items. Empty if it is about all of them. */
  readonly names: readonly string[];
}

/** A job of which not all was sent. */
export interface InterruptedJobView {
  readonly jobId: string;
  readonly sentence: string;
  /** Names of the items that were not sent. */
  readonly left: string;
  /** Progress of the item that another window may be sending. Undefined once it has ended. */
  readonly underWay: string | undefined;
}

export interface JobView {
  readonly phase: 'choosing' | 'dryRunning' | 'planned' | 'confirming' | 'executing' | 'ended';
  /** The shared cutoff. Undefined if they differ. */
  readonly cutoff: string | undefined;
  readonly items: readonly JobItemView[];
  /** Totals of the plan; once the job has ended, of what was deleted. */
  readonly sum: {
    /** Rows to delete, of how many, and the share: 0 to 100. */
    readonly rows: number;
    readonly total: number;
    readonly percent: number;
    /** True if more rows may have been deleted, because it isn't known for an item. */
    readonly isLeast: boolean;
    /** Approximate size of these rows. Undefined if it is unknown for an item. */
    readonly bytesToDelete: number | undefined;
    readonly count: number;
  };
  /** Rows deleted so far, in percent of those to delete. Undefined unless the job is being sent. */
  readonly progress: number | undefined;
  /** Facts to read before deleting; at the end, problems. */
  readonly notes: readonly JobNote[];
  /** Why the dry runs no longer count: the connection changed. The items keep their rows. */
  readonly outdated: string | undefined;
  /** Why nothing can be deleted through this connection. */
  readonly refusal: string | undefined;
  readonly failure: { readonly sentence: string; readonly next: string | undefined } | undefined;
  /** The end of the job. */
  readonly outcome:
    | {
        readonly sentence: string;
        readonly next: string | undefined;
        /** `failed`: the server refused one. `running`: one still runs on the server. */
        readonly kind: 'done' | 'trouble' | 'failed' | 'running';
      }
    | undefined;
  readonly isStopping: boolean;
  /** The item whose turn it is. Undefined if there is none. */
  readonly current:
    | {
        readonly name: string;
        /** False while it is only counted again: stopping then leaves it unsent. */
        readonly isSent: boolean;
        /** Elapsed and remaining time. */
        readonly pace: string | undefined;
      }
    | undefined;
  /** True if a recipe can hold any of the cutoffs. */
  readonly canCopyRecipe: boolean;
  /** True if a scheduled job can truncate any of the items. */
  readonly canCopyJob: boolean;
  /** True if anything was sent or refused. */
  readonly hasReceipt: boolean;
  readonly interrupted: readonly InterruptedJobView[];
}
