/**
 * Facts of a job, a line each in its journal, in the order in which windows wrote them. Of ours, no sentence is stored:
 * texts/ makes words of the facts when they are shown.
 */
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { outcomeSchema } from './outcome.ts';
import { taskEndSchema } from './taskEnd.ts';
import type { DryRunReport } from './dryRun.ts';
import { MAX_ITEMS } from './jobState.ts';
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';

const TIME = v.number();
const ITEM = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_ITEMS - 1));

/** First line: what is to be sent, in this order. */
const plannedSchema = () =>
  v.object({
    kind: v.literal('planned'),
    /** When the user confirmed it. Unix time in ms, as all times here. */
    at: TIME,
    /** Of the server at that time; the connection may have changed. */
    baseUrl: v.string(),
    items: v.pipe(
      v.array(
        v.object({
          plan: v.pipe(
            v.object({
              entityType: v.string(),
              aspect: v.string(),
              endTimeMillis: v.number(),
              batchSize: v.number(),
              timeoutSeconds: v.optional(v.number()),
              strategy: v.picklist(['server', 'deleteByQuery', 'reindex']),
            }),
            v.transform((plan): TruncationPlan => ({ timeoutSeconds: undefined, ...plan })),
          ),
        }),
      ),
      v.minLength(1),
      v.maxLength(MAX_ITEMS),
      v.readonly(),
    ),
  });

export type PlannedFact = v.InferOutput<ReturnType<typeof plannedSchema>>;

/** Facts about a truncation since it was sent. Absent values are unknown, even if they were known before. */
const learnedSchema = () =>
  v.object({
    taskEnd: v.optional(taskEndSchema()),
    ending: v.optional(outcomeSchema()),
    endedAt: v.optional(TIME),
    /** In ms, if the server reports it. */
    runTimeMillis: v.optional(v.number()),
    /** True if the cluster refused every write when the task was last asked for. */
    writesRefused: v.optional(v.boolean()),
    /** Count of what searches found when the end was judged. */
    readers: v.optional(v.object({ at: TIME, toDelete: v.number(), kept: v.number() })),
    /** True since rows were missing for want of a refresh: also when they are found again, the index needs repair. */
    wasUnrefreshed: v.optional(v.literal(true)),
  });

export type LearnedFacts = Readonly<v.InferOutput<ReturnType<typeof learnedSchema>>>;

/** All of them, so that they replace what was known before. */
export function learnedFrom(facts: LearnedFacts): LearnedFacts {
  const { taskEnd, ending, endedAt, runTimeMillis, writesRefused, readers, wasUnrefreshed } = facts;
  return { taskEnd, ending, endedAt, runTimeMillis, writesRefused, readers, wasUnrefreshed };
}

function factSchema() {
  /** `item`: its place in `items`. */
  const ofItem = { at: TIME, item: ITEM };
  const learned = { ...ofItem, ...learnedSchema().entries };
  return v.variant('kind', [
    /** Counted right before sending. */
    v.object({
      kind: v.literal('dryRun'),
      ...ofItem,
      report: v.pipe(
        v.object({
          serverText: v.string(),
          rows: v.optional(v.object({ toDelete: v.number(), total: v.number() })),
          strategy: v.picklist(['reindex', 'deleteByQuery', 'unknown']),
        }),
        v.transform((report): DryRunReport => ({ rows: undefined, ...report })),
      ),
      /** Rows to keep. Undefined if unknown. */
      baseline: v.optional(v.object({ countedUpTo: TIME, kept: v.number() })),
    }),
    /** On disk before the body leaves. */
    v.object({
      kind: v.literal('sent'),
      ...ofItem,
      /** User of the connection, and owner of the token, if known. */
      actorUrn: v.optional(v.string()),
      callerUrn: v.optional(v.string()),
      /** Bytes of the index, if the server reports them. */
      sizeBefore: v.optional(v.number()),
    }),
    /** The gate refused after *sent*: the request never left. */
    v.object({ kind: v.literal('notSent'), ...ofItem }),
    /** The server refused, so nothing happened. */
    v.object({ kind: v.literal('refused'), ...ofItem }),
    v.object({ kind: v.literal('task'), ...ofItem, taskId: v.string() }),
    /** No response. */
    v.object({ kind: v.literal('unknown'), ...learned }),
    /** The judgement has changed, without an end or with one. */
    v.object({ kind: v.literal('counted'), ...learned }),
    v.object({ kind: v.literal('ended'), ...learned }),
    /** By the user. */
    v.object({ kind: v.literal('dismissed'), ...ofItem }),
  ]);
}

/** A fact about one item. */
export type JobFact = v.InferOutput<ReturnType<typeof factSchema>>;

/** Built with the first journal that is read. */
let schemas:
  | { readonly planned: ReturnType<typeof plannedSchema>; readonly fact: ReturnType<typeof factSchema> }
  | undefined;

function schemasOf(): NonNullable<typeof schemas> {
  return (schemas ??= { planned: plannedSchema(), fact: factSchema() });
}

/** Undefined for a line that is damaged, or that a later version wrote. */
export function parseFact(line: unknown): JobFact | undefined {
  return parsedAs(schemasOf().fact, line);
}

/** Undefined for a first line that no version wrote, or a later one. */
export function parsePlanned(line: unknown): PlannedFact | undefined {
  return parsedAs(schemasOf().planned, line);
}
