/** Several truncations that one person confirmed at once, as they are written down: which were sent, and which were not. */
import * as v from 'valibot';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { RowCounts } from '../truncation/dryRun.ts';
import { planSchema } from '../truncation/record.ts';

const UUID = v.pipe(v.string(), v.uuid());
const BATCH = v.object({
  id: UUID,
  connectionId: v.string(),
  /** Of the server they were confirmed for, which the connection may no longer be. Undefined: written before this was kept. */
  baseUrl: v.optional(v.string()),
  /** The interrupted batch that these are left of. Undefined: of none, or written before this was kept. */
  continues: v.optional(UUID),
  /** When somebody said yes to all of them: Unix time in ms. */
  confirmedAt: v.number(),
  /** In the order in which they are sent. */
  items: v.array(
    v.object({
      /** Of the truncation's own record, once it is sent. */
      recordId: UUID,
      plan: planSchema(),
      /** Rows that were shown when it was confirmed. Undefined: written before this was kept. */
      confirmedRows: v.optional(v.object({ toDelete: v.number(), total: v.number() })),
      /** Whether it was sent, or may have been: written before anything leaves, and taken back where nothing came of it. */
      isSent: v.boolean(),
    }),
  ),
});

export interface BatchRecordItem {
  readonly recordId: string;
  readonly plan: TruncationPlan;
  readonly confirmedRows?: RowCounts | undefined;
  readonly isSent: boolean;
}

export type BatchRecord = Omit<v.InferOutput<typeof BATCH>, 'items'> & { readonly items: readonly BatchRecordItem[] };

/** What was stored, or undefined when it is damaged. */
export function parseBatchRecord(stored: unknown): BatchRecord | undefined {
  const parsed = v.safeParse(BATCH, stored);
  if (!parsed.success) {
    return undefined;
  }
  const items = parsed.output.items.map(({ plan, ...item }) => ({
    ...item,
    plan: { ...plan, timeoutSeconds: plan.timeoutSeconds },
  }));
  return { ...parsed.output, items };
}

/** Those that were not sent, in their order. */
export function itemsLeft({ items }: BatchRecord): readonly BatchRecordItem[] {
  return items.filter(({ isSent }) => !isSent);
}

/** The plans of those that were not sent, in their order. */
export function plansLeft(record: BatchRecord): readonly TruncationPlan[] {
  return itemsLeft(record).map(({ plan }) => plan);
}

/** Removes continued items from an interrupted batch. Undefined if another window sent or took one of them. */
export function restOf(from: BatchRecord, continued: BatchRecord): BatchRecord | undefined {
  const taken = new Set(continued.items.map(({ recordId }) => recordId));
  const left = new Set(itemsLeft(from).map(({ recordId }) => recordId));
  return [...taken].every((recordId) => left.has(recordId))
    ? { ...from, items: from.items.filter(({ recordId }) => !taken.has(recordId)) }
    : undefined;
}
