/** Counts what readers see of an index, by dry runs: the one search that the platform's operations offer (PROTOCOL.md §7.8). */
import type { Service } from '../service/service.ts';
import { countRows } from './countRows.ts';
import { readDryRun } from './model/dryRun.ts';
import type { DryRunReport } from './model/dryRun.ts';
import type { ReaderBaseline, ReaderCount } from './model/readerCount.ts';
import type { TruncationRecord } from './model/record.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';

/** A repeated dry run, and the rows that should stay in the same moment. */
export interface CountBeforeExecution {
  readonly report: DryRunReport;
  /** Undefined when the counts can't be read. */
  readonly baseline: ReaderBaseline | undefined;
}

/**
 * The rows up to now are counted before those to delete: a row that is written between the two lowers what should stay by one, and
 * never raises it.
 * @param now Unix time in ms.
 * @throws ServiceFailure
 */
export async function countBeforeExecution(
  service: Service,
  plan: TruncationPlan,
  now: number,
): Promise<CountBeforeExecution> {
  const countedUpTo = Math.max(plan.endTimeMillis, now);
  const upToNow = await rowsUpTo(service, plan, countedUpTo);
  const report = await countRows(service, plan);
  const kept = upToNow === undefined || report.rows === undefined ? undefined : upToNow - report.rows.toDelete;
  return { report, baseline: kept === undefined ? undefined : { countedUpTo, kept: Math.max(0, kept) } };
}

/**
 * Undefined when the counts can't be read.
 * @param now Unix time in ms.
 * @throws ServiceFailure
 */
export async function countReaders(
  service: Service,
  { plan, baseline }: Pick<TruncationRecord, 'plan' | 'baseline'>,
  now: () => number,
): Promise<ReaderCount | undefined> {
  // The same order as before the execution, so that a deletion under way can't make rows look missing.
  const upToThen = baseline && (await rowsUpTo(service, plan, baseline.countedUpTo));
  const { rows } = readDryRun(await service.indices.dryRun(plan));
  // Records from before the baseline was kept know the rows of all times only.
  const all = baseline === undefined ? rows?.total : upToThen;
  return rows === undefined || all === undefined
    ? undefined
    : { at: now(), toDelete: rows.toDelete, kept: Math.max(0, all - rows.toDelete) };
}

async function rowsUpTo(
  { indices }: Service,
  plan: TruncationPlan,
  endTimeMillis: number,
): Promise<number | undefined> {
  return readDryRun(await indices.dryRun({ ...plan, endTimeMillis })).rows?.toDelete;
}
