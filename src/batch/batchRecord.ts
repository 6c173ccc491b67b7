/** A batch as it is stored: the truncations that were confirmed together, and which of them were sent. */
import * as v from 'valibot';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { RowCounts } from '../truncation/dryRun.ts';
import { planSchema } from '../truncation/record.ts';

const UUID = v.pipe(v.string(), v.uuid());
const BATCH = v.object({
  id: UUID,
  connectionId: v.string(),
  /** Of the server at that time; the connection may have changed. Undefined in records of earlier versions. */
  baseUrl: v.optional(v.string()),
  /** ID of the interrupted batch that this one continues. Undefined also in records of earlier versions. */
  continues: v.optional(UUID),
  /** When the user confirmed the batch: Unix time in ms. */
  confirmedAt: v.number(),
  /** In the order of sending. */
  items: v.array(
    v.object({
      /** ID of the truncation's own record. */
      recordId: UUID,
      plan: planSchema(),
      /** Rows that were shown in the question. Undefined in records of earlier versions. */
      confirmedRows: v.optional(v.object({ toDelete: v.number(), total: v.number() })),
      /** True if it was or may have been sent. Set before sending, reset if nothing was started. */
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

/** Undefined if the stored value is damaged. */
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

/** Items that were not sent, in their order. */
export function itemsLeft({ items }: BatchRecord): readonly BatchRecordItem[] {
  return items.filter(({ isSent }) => !isSent);
}

/** Plans of the items that were not sent, in their order. */
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
