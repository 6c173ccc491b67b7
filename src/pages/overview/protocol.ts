/**
 * Messages between the overview's page and its host. Both sides validate each message.
 * The page names indices that the host has listed; it never sends a request body, an address or a command.
 */
import * as v from 'valibot';
import type { IndexSizePrecision } from '../../service/indices/indexSize.ts';
import { READY, type ConnectionView } from '../kit/protocol.ts';
import { MAX_ITEMS } from '../../truncation/jobSize.ts';
import { JOB_INTENT, SELECTION_DAYS, type JobView } from './jobProtocol.ts';

/** ID of a listed index. */
const ID = v.pipe(v.string(), v.maxLength(1_024));

const PAGE_MESSAGE = v.variant('type', [
  READY,
  v.strictObject({ type: v.literal('refresh') }),
  v.strictObject({ type: v.literal('truncate'), id: ID }),
  v.strictObject({ type: v.literal('showTruncation'), id: ID }),
  /** Remembers what is ticked, and the age. */
  v.strictObject({
    type: v.literal('remember'),
    ids: v.pipe(v.array(ID), v.maxLength(MAX_ITEMS)),
    days: SELECTION_DAYS,
  }),
  v.strictObject({ type: v.literal('addIndex') }),
  v.strictObject({ type: v.literal('signIn') }),
  v.strictObject({ type: v.literal('copyDetails') }),
  v.strictObject({ type: v.literal('job'), intent: JOB_INTENT }),
]);

/** A message from the page to the host. */
export type OverviewPageMessage = v.InferOutput<typeof PAGE_MESSAGE>;

/** A request of the user. */
export type OverviewIntent = Exclude<OverviewPageMessage, { readonly type: 'ready' }>;

/** @returns undefined for anything else. */
export function parsePageMessage(data: unknown): OverviewPageMessage | undefined {
  const parsed = v.safeParse(PAGE_MESSAGE, data);
  return parsed.success ? parsed.output : undefined;
}

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
  /** Existing retention: a few words, and a sentence. `days` is undefined if none was found; all of it if unknown. */
  readonly limit: { readonly text: string; readonly detail: string; readonly days: number | undefined } | undefined;
  readonly truncation:
    | {
        readonly sentAt: number;
        readonly result: string;
        /** The result as a sentence. */
        readonly detail: string;
        /** `trouble`: it failed, or its outcome is unknown. */
        readonly kind: 'running' | 'finished' | 'trouble';
      }
    | undefined;
}

/** Everything around the table. */
export interface OverviewPageView {
  readonly connection: ConnectionView;
  readonly isLoading: boolean;
  /** When the sizes were loaded: Unix time in ms. */
  readonly loadedAt: number | undefined;
  readonly sizePrecision: IndexSizePrecision;
  /** Why sizes are approximate or missing. */
  readonly sizeNote: string | undefined;
  readonly failure:
    | {
        readonly headline: string;
        readonly sentence: string;
        readonly next: string | undefined;
        /** The button that helps most often. */
        readonly action: 'signIn' | 'refresh';
      }
    | undefined;
  /** Why the table is empty or incomplete. */
  readonly hint: { readonly text: string; readonly canAdd: boolean } | undefined;
  /** What was ticked last, as far as it is listed, and the age. Undefined if nothing is remembered. */
  readonly remembered: { readonly ids: readonly string[]; readonly days: number } | undefined;
  /** The job of this connection. */
  readonly job: JobView;
  readonly rows: readonly OverviewTableRow[];
  /** Stored by the page. VS Code returns it after a reload. */
  readonly restore: { readonly connectionId: string };
}

const PANEL_STATE = v.object({ restore: v.object({ connectionId: v.string() }) });

/** Parses a panel's stored state. @returns undefined for anything else. */
export function parsePanelState(data: unknown): OverviewPageView['restore'] | undefined {
  const parsed = v.safeParse(PANEL_STATE, data);
  return parsed.success ? parsed.output.restore : undefined;
}
