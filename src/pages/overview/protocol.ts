/**
 * Messages between the overview's page and its host. Both sides validate each message.
 * The page names indices that the host has listed; it never sends a request body, an address or a command.
 */
import * as v from 'valibot';
import { parsedAs } from '../../json.ts';
import {
  bare,
  PLACE,
  SHARED_MESSAGES,
  type CautionView,
  type ConnectionView,
  type CopyRequests,
  type Fact,
  type FailureView,
  type ShownFigures,
  type ShownRows,
} from '../kit/protocol.ts';
import { MAX_ITEMS } from '../../truncation/jobState.ts';
import { CAUTION_KINDS } from '../../truncation/cautions.ts';
import type { JobState } from '../../truncation/jobState.ts';
import { MOST_DAYS } from '../../truncation/cutoff.ts';
import type { TruncationMark } from '../../truncation/outcome.ts';

/** ID of a listed index, or of a truncation. */
const ID = v.pipe(v.string(), v.maxLength(1_024));
/** Age of the youngest row to delete. */
export const SELECTION_DAYS = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_DAYS));

/** An item, with texts that are ready to be shown. */
export interface JobItemView {
  readonly name: string;
  /** Above the buttons, or below them if it was left out for a reason. Not if it has nothing to delete. */
  readonly shown: 'above' | 'below' | 'not';
  /** Rows to delete. Undefined before the dry run, and if it is left out with a reason. */
  readonly rows: ShownRows | undefined;
  /** The use of its rows, and the loss. Undefined if unknown, and once the job was confirmed. */
  readonly consequence: string | undefined;
  /** Accepted by ticking its box. */
  readonly cautions: readonly CautionView[];
  /** True if it is part of the plan, or may become so while rows are counted. */
  readonly isSelected: boolean;
  /** True if it has a box, which can be changed until the question. */
  readonly canBeSelected: boolean;
  /** Time of its dry run: Unix time in ms. Undefined before it. */
  readonly at: number | undefined;
  /** Why it is left out or failed, how it ended, or a note on it. */
  readonly remark: string | undefined;
  /** ID of its truncation. Undefined unless it was sent. */
  readonly recordId: string | undefined;
  /** Its progress: while rows are counted, and once the job was confirmed. */
  readonly status:
    | {
        readonly text: string;
        readonly kind: 'waiting' | 'working' | 'done' | 'trouble';
        /** True if it can have another dry run. */
        readonly isUnsent?: boolean;
      }
    | undefined;
}

export interface JobView {
  readonly phase: JobState['phase'];
  /** In the order of sending. */
  readonly items: readonly JobItemView[];
  /** For example "Delete 1,534 of 10,617 rows of 2 indices?", or that there is nothing to ask. */
  readonly question: string;
  readonly deleteLabel: string;
  /** The rows that it is about, and the user, in one sentence. Undefined before there are any. */
  readonly scope: string | undefined;
  /** Totals of what is ticked. */
  readonly sum: ShownFigures & { readonly count: number };
  /** For example "2 ticked · 1 has nothing to delete". */
  readonly tally: string;
  /** Warning that deleted rows can't be recovered. Undefined if nothing would be deleted. */
  readonly consequences: string | undefined;
  /** Folded. */
  readonly details: readonly Fact<CopyRequests>[];
  /** Why nothing can be deleted through this connection. */
  readonly refusal: string | undefined;
  /** The end of the job. */
  readonly outcome:
    | {
        /** For example "82,593 rows deleted · 800 MB → 139 MB". */
        readonly headline: string;
        /** Number of deleted rows, unless it is in the headline. */
        readonly deleted: string | undefined;
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
  /** True if an item is still waiting to be sent. */
  readonly isAnyWaiting: boolean;
  /** True if any of the items can be repeated by a recipe or a scheduled job. */
  readonly canAutomate: boolean;
  /** True if anything was sent or refused. */
  readonly hasReceipt: boolean;
}

export const OVERVIEW_PAGE_MESSAGE = v.variant('type', [
  ...SHARED_MESSAGES,
  bare('refresh'),
  v.strictObject({ type: v.literal('truncate'), id: ID }),
  v.strictObject({ type: v.literal('showTruncation'), recordId: ID }),
  /** Remembers what is ticked, and the age. */
  v.strictObject({
    type: v.literal('remember'),
    ids: v.pipe(v.array(ID), v.maxLength(MAX_ITEMS)),
    days: SELECTION_DAYS,
  }),
  bare('addIndex'),
  // Actions on the job name indices by their IDs in the table, later by their places.
  v.strictObject({
    type: v.literal('dryRun'),
    ids: v.pipe(v.array(ID), v.minLength(1), v.maxLength(MAX_ITEMS)),
    days: SELECTION_DAYS,
  }),
  bare('dryRunAgain'),
  /** Includes an item, or leaves it out. `at` is the time of the dry run that was shown, `cautions` what it warned of. */
  v.strictObject({
    type: v.literal('tick'),
    place: PLACE,
    isTicked: v.boolean(),
    at: v.number(),
    cautions: v.pipe(v.array(v.picklist(CAUTION_KINDS)), v.maxLength(CAUTION_KINDS.length)),
  }),
  bare('stop'),
]);

/** A message from the page to the host. */
export type OverviewPageMessage = v.InferOutput<typeof OVERVIEW_PAGE_MESSAGE>;

/** A request of the user. */
export type OverviewIntent = Exclude<OverviewPageMessage, { readonly type: 'ready' }>;

/** One index. Sizes are in bytes, times are Unix times in ms. Unknown values are undefined. */
export interface OverviewTableRow {
  /** Names the index in messages. Unique within a list. */
  readonly id: string;
  /** Ready to show, if the server reports them. */
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
  readonly indexName: string;
  readonly bytes: number | undefined;
  /** Shown beside the name: a few words, and a sentence. */
  readonly note: { readonly text: string; readonly detail: string } | undefined;
  readonly canTruncate: boolean;
  /** Use of the index, except for custom aspects. */
  readonly purpose: string | undefined;
  /** Why it can't be part of a job, if so. */
  readonly onlyAlone: string | undefined;
  /** Undefined if less than two days are known. */
  readonly growth:
    | {
        /** Change in `days`, since the size last fell. */
        readonly bytes: number;
        readonly days: number;
      }
    | undefined;
  readonly truncation:
    | {
        readonly recordId: string;
        readonly sentAt: number;
        readonly result: string;
        /** The result as a sentence. */
        readonly detail: string;
        readonly mark: TruncationMark;
      }
    | undefined;
}

/** Everything around the table. */
export interface OverviewPageView {
  readonly connection: ConnectionView;
  readonly isLoading: boolean;
  /** When the sizes were loaded: Unix time in ms. */
  readonly loadedAt: number | undefined;
  readonly failure: FailureView | undefined;
  /** Why the table is empty or incomplete. */
  readonly hint: { readonly text: string; readonly canAdd: boolean } | undefined;
  /** The last ticks of indices that are listed, and the age beside them. Undefined if none are remembered. */
  readonly remembered: { readonly ids: readonly string[]; readonly days: number } | undefined;
  readonly job: JobView;
  readonly rows: readonly OverviewTableRow[];
  /** Stored by the page. VS Code returns it after a reload. */
  readonly restore: { readonly connectionId: string };
}

const PANEL_STATE = v.object({ restore: v.object({ connectionId: v.string() }) });

/** Parses a panel's stored state. @returns undefined for anything else. */
export function parsePanelState(data: unknown): OverviewPageView['restore'] | undefined {
  return parsedAs(PANEL_STATE, data)?.restore;
}
