/** Several truncations that one person confirmed at once, as they are written down: which were sent, and which were not. */
import * as v from 'valibot';
import type { TruncationPlan } from '../../service/indices/truncation.ts';
import { targetOf } from '../model/plan.ts';
import { PLAN } from '../model/record.ts';

const UUID = v.pipe(v.string(), v.uuid());
const BULK = v.object({
  id: UUID,
  connectionId: v.string(),
  /** Of the server they were confirmed for, which the connection may no longer be. Undefined: written before this was kept. */
  baseUrl: v.optional(v.string()),
  /** When somebody said yes to all of them: Unix time in ms. */
  confirmedAt: v.number(),
  /** In the order in which they are sent. */
  items: v.array(
    v.object({
      /** Of the truncation's own record, once it is sent. */
      recordId: UUID,
      plan: PLAN,
      /** Whether it was sent, or may have been: written before anything leaves, and taken back where nothing came of it. */
      isSent: v.boolean(),
    }),
  ),
});

interface BulkRecordItem {
  readonly recordId: string;
  readonly plan: TruncationPlan;
  readonly isSent: boolean;
}

export type BulkRecord = Omit<v.InferOutput<typeof BULK>, 'items'> & { readonly items: readonly BulkRecordItem[] };

/** What was stored, or undefined when it is damaged. */
export function parseBulkRecord(stored: unknown): BulkRecord | undefined {
  const parsed = v.safeParse(BULK, stored);
  if (!parsed.success) {
    return undefined;
  }
  const items = parsed.output.items.map(({ plan, ...item }) => ({
    ...item,
    plan: { ...plan, timeoutSeconds: plan.timeoutSeconds },
  }));
  return { ...parsed.output, items };
}

/** The plans of those that were not sent, in their order. */
export function plansLeft({ items }: BulkRecord): readonly TruncationPlan[] {
  return items.filter(({ isSent }) => !isSent).map(({ plan }) => plan);
}

/** What stays of a record when others go on with some of what it has left; undefined where not all of that is left there any more. */
export function restOf(from: BulkRecord, goesOn: BulkRecord): BulkRecord | undefined {
  const taken = new Set(goesOn.items.map(({ plan }) => targetOf(plan)));
  const left = new Set(plansLeft(from).map(targetOf));
  return [...taken].every((target) => left.has(target))
    ? { ...from, items: from.items.filter(({ plan, isSent }) => isSent || !taken.has(targetOf(plan))) }
    : undefined;
}
