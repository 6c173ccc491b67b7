/** Which indices are chosen to be truncated at once. Pure. */
import * as v from 'valibot';
import { MAX_BATCH_ITEMS, type BatchView } from '../../batch/protocol.ts';
import type { OverviewRow } from '../protocol.ts';
import { nameOf } from './rowOrder.ts';

const TICKED = v.array(v.string());

/** True if an index can be truncated together with others. */
export function canTick({ canTruncate, onlyAlone }: OverviewRow): boolean {
  return canTruncate && onlyAlone === undefined;
}

/** The ids after some were ticked or not any more, in the order of ticking, and never more than can be truncated at once. */
export function withTicks(before: readonly string[], ids: readonly string[], isTicked: boolean): readonly string[] {
  const others = before.filter((id) => !ids.includes(id));
  return isTicked ? [...new Set([...before, ...ids])].slice(0, MAX_BATCH_ITEMS) : others;
}

/** The ids without those that were truncated, or are being truncated. What was not sent, or failed, may be wanted again. */
export function ticksLeft(
  before: readonly string[],
  { phase, items }: Pick<BatchView, 'phase' | 'items'>,
  rows: readonly OverviewRow[],
): readonly string[] {
  const done = new Set(
    items.flatMap(({ name, isIn, status }) => (isIn && status?.is !== 'trouble' ? name.toLowerCase() : [])),
  );
  return phase === 'ended'
    ? before.filter((id) => !rows.some((row) => row.id === id && done.has(nameOf(row).toLowerCase())))
    : before;
}

/** What was kept of a page. */
export function parseTicked(kept: unknown): readonly string[] {
  const parsed = v.safeParse(TICKED, kept);
  return parsed.success ? withTicks([], parsed.output, true) : [];
}
