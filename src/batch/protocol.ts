/** What the overview's page and its host say to each other about several indices at once. */
import * as v from 'valibot';
import { LARGEST_GOAL } from '../rowsByAge/fitGoal.ts';

/** How many indices can be truncated at once: the question names each of them in a line, and has to be seen whole. */
export const MAX_BATCH_ITEMS = 25;

const PLACE = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_BATCH_ITEMS - 1));
const RECORD_ID = v.pipe(v.string(), v.uuid());
/** IANA name; one that isn't known is read as the host's own. */
const TIME_ZONE = v.pipe(v.string(), v.maxLength(100));

/** What a person wants. Indices are named by their IDs in the table, later by their places. */
export const BATCH_INTENT = v.variant('type', [
  v.strictObject({
    type: v.literal('dryRun'),
    ids: v.pipe(v.array(v.pipe(v.string(), v.maxLength(1_024))), v.minLength(1), v.maxLength(MAX_BATCH_ITEMS)),
    /** Age of the youngest row to delete, of each of them. */
    days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LARGEST_GOAL.keepDays)),
    timeZone: TIME_ZONE,
  }),
  v.strictObject({ type: v.literal('dryRunAgain') }),
  v.strictObject({ type: v.literal('cancel') }),
  /** The cut-offs of those in the plan and of those without rows to delete, for the server to apply by itself. */
  v.strictObject({ type: v.literal('copyRecipe') }),
  v.strictObject({ type: v.literal('take'), place: PLACE, isIn: v.boolean() }),
  /** Opens the wizard for one that can't be deleted with the others. */
  v.strictObject({ type: v.literal('alone'), place: PLACE }),
  v.strictObject({ type: v.literal('execute') }),
  v.strictObject({ type: v.literal('stop') }),
  /** Back to choosing. */
  v.strictObject({ type: v.literal('leave') }),
  /** Counts those anew that were left of an interrupted one, or forgets it. */
  v.strictObject({ type: v.literal('goOn'), recordId: RECORD_ID, timeZone: TIME_ZONE }),
  v.strictObject({ type: v.literal('dismiss'), recordId: RECORD_ID }),
]);

export type BatchIntent = v.InferOutput<typeof BATCH_INTENT>;

/** One of several. Texts are ready to be shown. */
export interface BatchItemView {
  readonly name: string;
  /** Its own, where there is not one for all. */
  readonly cutOff?: string;
  /** Undefined before it was counted. */
  readonly rows?: { readonly toDelete: number; readonly total: number; readonly percent: number };
  /** About how many bytes these rows hold. */
  readonly bytesToDelete?: number;
  readonly strategy?: string;
  /** Whether it is deleted with the others, and whether that is the person's to say. */
  readonly isIn: boolean;
  readonly canBeIn: boolean;
  /** Why it is left out, or what to know of it. */
  readonly remark?: string;
  /** Whether it can be deleted from alone. */
  readonly canBeAlone?: boolean;
  /** Where it stands; absent before its dry run. */
  readonly status?: {
    readonly text: string;
    readonly is: 'waiting' | 'working' | 'done' | 'trouble';
    /** It was not sent, and can be counted again. */
    readonly isLeft?: boolean;
  };
}

/** Several that were confirmed and not all sent. */
export interface InterruptedBatchView {
  readonly recordId: string;
  readonly sentence: string;
  /** The names of those that were not sent. */
  readonly left: string;
  /** How far one of those that were sent is: another window may be sending the rest. Absent once it has ended. */
  readonly underWay?: string;
}

export interface BatchView {
  readonly phase: 'choosing' | 'dryRunning' | 'planned' | 'confirming' | 'executing' | 'ended';
  /** The one for all; undefined where each has one of its own. */
  readonly cutOff?: string;
  readonly items: readonly BatchItemView[];
  /** Of those in the plan. */
  readonly sum: {
    /** To delete, of how many there are, and what share that is: 0 to 100. */
    readonly rows: number;
    readonly total: number;
    readonly percent: number;
    /** About how many bytes they hold. Absent where that isn't known of each. */
    readonly bytesToDelete?: number;
    readonly count: number;
  };
  /** To be read before anything is deleted. */
  readonly onlyCopy: string;
  /** Why nothing can be deleted through this connection. */
  readonly refusal?: string;
  readonly failure?: { readonly sentence: string; readonly next?: string };
  /** How it ended. */
  readonly outcome?: { readonly sentence: string; readonly next?: string; readonly isTrouble: boolean };
  readonly isStopping: boolean;
  /** Whether the server can apply any of the cut-offs by itself. */
  readonly canCopyRecipe: boolean;
  readonly interrupted: readonly InterruptedBatchView[];
}
