/**
 * Facts of a job, a line each in its journal, in the order in which windows wrote them. Of ours, no sentence is stored:
 * texts/ makes words of the facts when they are shown.
 */
import * as v from 'valibot';
import { outcomeSchema, type TruncationOutcome } from './outcome.ts';
import { taskEndSchema, type TaskEnd } from './taskEnd.ts';
import type { DryRunReport, RowCounts } from './dryRun.ts';
import type { ReaderCount } from './readerJudgement.ts';
import { MAX_ITEMS } from './jobSize.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';

/** The page where a job began, which decides on its rules. */
export type JobOrigin = 'wizard' | 'overview';

/** First line: what is to be sent, in this order. */
export interface PlannedFact {
  readonly kind: 'planned';
  /** When the user confirmed it. Unix time in ms, as all times here. */
  readonly at: number;
  /** Of the server at that time; the connection may have changed. */
  readonly baseUrl: string;
  readonly origin: JobOrigin;
  readonly items: readonly {
    readonly plan: TruncationPlan;
    /** In the question. Undefined if they weren't known. */
    readonly rows?: RowCounts | undefined;
    /** Set if the user confirmed it in the job that this one continues, and left it out this time. */
    readonly confirmedAt?: number | undefined;
  }[];
}

/** Facts about a truncation since it was sent. Absent values are unknown, even if they were known before. */
export interface LearnedFacts {
  readonly taskEnd?: TaskEnd | undefined;
  readonly ending?: TruncationOutcome | undefined;
  readonly endedAt?: number | undefined;
  /** In ms, if the server reports it. */
  readonly runTimeMillis?: number | undefined;
  /** True if the cluster refused every write when the task was last asked for. */
  readonly writesRefused?: boolean | undefined;
  /** Count of what searches found when the end was judged. */
  readonly readers?: ReaderCount | undefined;
  /** True since rows were missing for want of a refresh: also when they are found again, the index needs repair. */
  readonly wasUnrefreshed?: true | undefined;
}

/** All of them, so that they replace what was known before. */
export function learnedFrom(facts: LearnedFacts): LearnedFacts {
  const { taskEnd, ending, endedAt, runTimeMillis, writesRefused, readers, wasUnrefreshed } = facts;
  return { taskEnd, ending, endedAt, runTimeMillis, writesRefused, readers, wasUnrefreshed };
}

interface OfItem {
  readonly at: number;
  /** Place in `items`. */
  readonly item: number;
}

export type JobFact =
  /** Counted right before sending. */
  | (OfItem & {
      readonly kind: 'dryRun';
      readonly report: DryRunReport;
      /** Rows to keep. Undefined if unknown. */
      readonly baseline?: { readonly countedUpTo: number; readonly kept: number } | undefined;
    })
  /** On disk before the body leaves. */
  | (OfItem & {
      readonly kind: 'sent';
      /** `SESSION_ID` of the sender. */
      readonly sessionId: string;
      /** User of the connection, and owner of the token, if known. */
      readonly actorUrn?: string | undefined;
      readonly callerUrn?: string | undefined;
      /** Bytes of the index, if the server reports them. */
      readonly sizeBefore?: number | undefined;
      readonly sizePrecision?: 'exact' | 'approximate' | undefined;
    })
  /** The gate refused after *sent*: the request never left. */
  | (OfItem & { readonly kind: 'notSent' })
  /** The server refused, so nothing happened. In its own words. */
  | (OfItem & {
      readonly kind: 'refused';
      readonly status?: number | undefined;
      readonly serverText?: string | undefined;
    })
  | (OfItem & { readonly kind: 'task'; readonly taskId: string })
  /** No response. */
  | (OfItem & { readonly kind: 'unknown' } & LearnedFacts)
  /** The judgement has changed, without an end or with one. */
  | (OfItem & { readonly kind: 'counted' | 'ended' } & LearnedFacts)
  /** By the user. Without an item: those that were never sent. `isDone`: another truncation did it, unless it was sent. */
  | {
      readonly kind: 'dismissed';
      readonly at: number;
      readonly item?: number | undefined;
      readonly isDone?: true | undefined;
    }
  /** By another job, with the items that were never sent. */
  | { readonly kind: 'continuedBy'; readonly at: number; readonly jobId: string };

/** Facts about what happened to one item. */
export type ItemFact = Exclude<JobFact, { kind: 'dismissed' | 'continuedBy' }>;

const TIME = v.number();
const ITEM = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_ITEMS - 1));
const ROWS = v.object({ toDelete: v.number(), total: v.number() });

function plannedSchema() {
  const plan = v.object({
    entityType: v.string(),
    aspect: v.string(),
    endTimeMillis: v.number(),
    batchSize: v.number(),
    timeoutSeconds: v.optional(v.number()),
    strategy: v.picklist(['server', 'deleteByQuery', 'reindex']),
  });
  const item = v.object({ plan, rows: v.optional(ROWS), confirmedAt: v.optional(TIME) });
  return v.object({
    kind: v.literal('planned'),
    at: TIME,
    baseUrl: v.string(),
    origin: v.picklist(['wizard', 'overview']),
    items: v.pipe(v.array(item), v.minLength(1), v.maxLength(MAX_ITEMS)),
  });
}

function factSchema() {
  const ofItem = { at: TIME, item: ITEM };
  const learned = {
    ...ofItem,
    taskEnd: v.optional(taskEndSchema()),
    ending: v.optional(outcomeSchema()),
    endedAt: v.optional(TIME),
    runTimeMillis: v.optional(v.number()),
    writesRefused: v.optional(v.boolean()),
    readers: v.optional(v.object({ at: TIME, toDelete: v.number(), kept: v.number() })),
    wasUnrefreshed: v.optional(v.literal(true)),
  };
  return v.variant('kind', [
    v.object({
      kind: v.literal('dryRun'),
      ...ofItem,
      report: v.object({
        serverText: v.string(),
        rows: v.optional(ROWS),
        strategy: v.picklist(['reindex', 'deleteByQuery', 'unknown']),
        isReport: v.boolean(),
      }),
      baseline: v.optional(v.object({ countedUpTo: TIME, kept: v.number() })),
    }),
    v.object({
      kind: v.literal('sent'),
      ...ofItem,
      sessionId: v.string(),
      actorUrn: v.optional(v.string()),
      callerUrn: v.optional(v.string()),
      sizeBefore: v.optional(v.number()),
      sizePrecision: v.optional(v.picklist(['exact', 'approximate'])),
    }),
    v.object({ kind: v.literal('notSent'), ...ofItem }),
    v.object({
      kind: v.literal('refused'),
      ...ofItem,
      status: v.optional(v.number()),
      serverText: v.optional(v.string()),
    }),
    v.object({ kind: v.literal('task'), ...ofItem, taskId: v.string() }),
    v.object({ kind: v.literal('unknown'), ...learned }),
    v.object({ kind: v.literal('counted'), ...learned }),
    v.object({ kind: v.literal('ended'), ...learned }),
    v.object({
      kind: v.literal('dismissed'),
      at: TIME,
      item: v.optional(ITEM),
      isDone: v.optional(v.literal(true)),
    }),
    v.object({ kind: v.literal('continuedBy'), at: TIME, jobId: v.pipe(v.string(), v.uuid()) }),
  ]);
}

/** Built with the first journal that is read. */
let schemas:
  | { readonly planned: ReturnType<typeof plannedSchema>; readonly fact: ReturnType<typeof factSchema> }
  | undefined;

function schemasOf(): NonNullable<typeof schemas> {
  return (schemas ??= { planned: plannedSchema(), fact: factSchema() });
}

/** Undefined for a line that is damaged, or that a later version wrote. */
export function parseFact(line: unknown): JobFact | undefined {
  const parsed = v.safeParse(schemasOf().fact, line);
  return parsed.success ? (parsed.output as JobFact) : undefined;
}

/** Undefined for a first line that no version wrote, or a later one. */
export function parsePlanned(line: unknown): PlannedFact | undefined {
  const parsed = v.safeParse(schemasOf().planned, line);
  return parsed.success ? (parsed.output as PlannedFact) : undefined;
}
