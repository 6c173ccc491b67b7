/**
 * Everything the overview's page and its host say to each other: a closed union each way, checked on arrival on both sides.
 * The page names an index that the host has listed; it never sends a request body, an address or a command.
 */
import * as v from 'valibot';
import type { SizePrecision } from '../service/indices/indexSize.ts';
import { BATCH_INTENT, type BatchView } from '../batch/protocol.ts';

/** The name of a listed index. */
const ID = v.pipe(v.string(), v.maxLength(1_024));

const PAGE_MESSAGE = v.variant('type', [
  /** The page is up. */
  v.strictObject({ type: v.literal('ready') }),
  v.strictObject({ type: v.literal('refresh') }),
  v.strictObject({ type: v.literal('truncate'), id: ID }),
  v.strictObject({ type: v.literal('copyName'), id: ID }),
  v.strictObject({ type: v.literal('showTruncation'), id: ID }),
  v.strictObject({ type: v.literal('addIndex') }),
  v.strictObject({ type: v.literal('signIn') }),
  v.strictObject({ type: v.literal('copyDetails') }),
  v.strictObject({ type: v.literal('several'), intent: BATCH_INTENT }),
]);

/** From the page to the host. */
export type PageMessage = v.InferOutput<typeof PAGE_MESSAGE>;

/** The message, or undefined when it is none of ours. */
export function parsePageMessage(data: unknown): PageMessage | undefined {
  const parsed = v.safeParse(PAGE_MESSAGE, data);
  return parsed.success ? parsed.output : undefined;
}

/** One index. Sizes are in bytes, times are Unix time in ms; what is not known is absent. */
export interface OverviewRow {
  /** What the index is called in messages; in no list twice. */
  readonly id: string;
  /** Ready to show, and both absent where the server doesn't tell them. */
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
  readonly indexName: string;
  readonly bytes: number | undefined;
  /** Beside its name, in a few words and as a sentence. */
  readonly note: { readonly text: string; readonly detail: string } | undefined;
  readonly canTruncate: boolean;
  /** Says what it feeds and what is lost with its old rows. Absent for aspects that aren't the platform's own. */
  readonly purpose: string | undefined;
  /** Why it can't be truncated together with others. Absent where it can. */
  readonly onlyAlone: string | undefined;
  readonly growth:
    | {
        /** Since its size last fell, and in how many days; negative where it shrank. */
        readonly bytes: number;
        readonly days: number;
        /** Sizes over time, each with its day (days since January 1, 1970, UTC); the earliest first. */
        readonly figures: readonly (readonly [day: number, bytes: number])[];
      }
    | undefined;
  /** What limits it already, in a few words and as a sentence; without days where nothing was found. Absent where that isn't known. */
  readonly limit: { readonly text: string; readonly detail: string; readonly days: number | undefined } | undefined;
  /** As they were counted last, where somebody asked for the rows by age of this index. */
  readonly counted:
    | {
        readonly rows: number;
        readonly at: number;
        /** The oldest row is dated then or before; `isExact`: within about a day. */
        readonly oldest: { readonly upTo: number; readonly isExact: boolean } | undefined;
      }
    | undefined;
  readonly truncation:
    | {
        readonly sentAt: number;
        readonly result: string;
        /** The whole sentence. */
        readonly detail: string;
        /** It failed, or what became of it isn't known. */
        readonly isTrouble: boolean;
      }
    | undefined;
}

/** What stands around the table. */
export interface OverviewView {
  readonly connection: {
    readonly name: string;
    readonly baseUrl: string;
    readonly role: { readonly kind: 'production' | 'readOnly'; readonly name: string } | undefined;
  };
  readonly isLoading: boolean;
  /** When the sizes were loaded: Unix time in ms; undefined before. */
  readonly loadedAt: number | undefined;
  readonly sizePrecision: SizePrecision;
  /** Why sizes are approximate, or missing. */
  readonly sizeNote: string | undefined;
  readonly failure:
    | {
        readonly headline: string;
        readonly sentence: string;
        readonly next: string | undefined;
        /** What helps most often. */
        readonly action: 'signIn' | 'refresh';
      }
    | undefined;
  /** What the table doesn't show, or why it is empty. */
  readonly hint: { readonly text: string; readonly canAdd: boolean } | undefined;
  /** Several indices that are truncated at once. */
  readonly several: BatchView;
  /** Kept by the page as it is, and handed back by VS Code when a reloaded window brings the panel back. */
  readonly restore: { readonly connectionId: string };
}

const PANEL_STATE = v.object({ restore: v.object({ connectionId: v.string() }) });

/** Whose overview VS Code kept, or undefined when it is none of this kind. */
export function parsePanelState(data: unknown): OverviewView['restore'] | undefined {
  const parsed = v.safeParse(PANEL_STATE, data);
  return parsed.success ? parsed.output.restore : undefined;
}

/** From the host to the page. */
export type HostMessage =
  /** Once, in answer to `ready`. `locale` is VS Code's display language, `translations` its texts by the English ones. */
  | {
      readonly type: 'open';
      readonly translations: Readonly<Record<string, string>> | undefined;
      readonly locale: string;
      readonly view: OverviewView;
      readonly rows: readonly OverviewRow[];
    }
  | { readonly type: 'view'; readonly view: OverviewView }
  | { readonly type: 'rows'; readonly rows: readonly OverviewRow[] };

const ROWS = v.custom<readonly unknown[]>(Array.isArray);
const HOST_MESSAGE = v.variant('type', [
  v.object({
    type: v.literal('open'),
    translations: v.optional(v.record(v.string(), v.string())),
    locale: v.string(),
    view: v.looseObject({}),
    rows: ROWS,
  }),
  v.object({ type: v.literal('view'), view: v.looseObject({}) }),
  v.object({ type: v.literal('rows'), rows: ROWS }),
]);

/** The message, or undefined when it is none of ours. */
export function parseHostMessage(data: unknown): HostMessage | undefined {
  const parsed = v.safeParse(HOST_MESSAGE, data);
  return parsed.success ? (parsed.output as unknown as HostMessage) : undefined;
}
