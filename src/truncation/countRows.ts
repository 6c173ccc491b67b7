/** Counts rows by dry runs, the only search that the platform offers (PROTOCOL.md §7.8). */
import { ServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import * as l10n from '@vscode/l10n';
import { parseRowCounts, type DryRunReport, parseDryRun } from './dryRun.ts';
import type { ReaderCount } from './judgeCompletion.ts';
import type { TruncationRecord } from './sentTruncation.ts';
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';

/** @throws ServiceFailure also if the server would use another strategy. */
export async function countRows(
  service: MetadataService,
  plan: TruncationPlan,
  signal?: AbortSignal,
): Promise<DryRunReport> {
  const { text, answeredAt } = await service.indices.dryRun(plan, signal);
  const report = parseDryRun(text);
  if (plan.strategy !== 'server' && report.strategy !== 'unknown' && report.strategy !== plan.strategy) {
    throw new ServiceFailure('unsupported', l10n.t("The server wouldn't use the strategy you selected."), {
      serverText: report.serverText,
      next: l10n.t('Select "As the server decides" under Advanced.'),
    });
  }
  return answeredAt === undefined ? report : { ...report, answeredAt };
}

/**
 * Repeats the dry run, and counts the rows to keep at that moment. Counts all rows up to now before those to delete: a
 * row written between the two can only lower the number of rows to keep.
 * @param now Unix time in ms.
 * @returns no baseline if the counts can't be parsed.
 * @throws ServiceFailure
 */
export async function countBeforeExecution(
  service: MetadataService,
  plan: TruncationPlan,
  now: number,
): Promise<Pick<TruncationRecord, 'report' | 'baseline'>> {
  const countedUpTo = Math.max(plan.endTimeMillis, now);
  const all = await service.indices.dryRun({ ...plan, endTimeMillis: countedUpTo });
  const upToNow = parseDryRun(all.text).rows?.toDelete;
  const report = await countRows(service, plan);
  const kept = upToNow === undefined || report.rows === undefined ? undefined : upToNow - report.rows.toDelete;
  return { report, baseline: kept === undefined ? undefined : { countedUpTo, kept: Math.max(0, kept) } };
}

/**
 * Undefined if the counts can't be parsed, or couldn't before the truncation was sent.
 * @param now Unix time in ms.
 * @param isReversed Counts the rows to delete first. Copies of an index may respond in turn, so each must get
 * both searches.
 * @throws ServiceFailure
 */
export async function countReaders(
  service: MetadataService,
  { plan, baseline }: Pick<TruncationRecord, 'plan' | 'baseline'>,
  now: () => number,
  isReversed = false,
): Promise<ReaderCount | undefined> {
  if (baseline === undefined) {
    return undefined;
  }
  const ends = [baseline.countedUpTo, plan.endTimeMillis];
  const counts = new Map<number, number | undefined>();
  for (const endTimeMillis of new Set(isReversed ? ends.toReversed() : ends)) {
    const { text } = await service.indices.dryRun({ ...plan, endTimeMillis });
    counts.set(endTimeMillis, parseRowCounts(text)?.toDelete);
  }
  const [upToThen, toDelete] = ends.map((end) => counts.get(end));
  return upToThen === undefined || toDelete === undefined
    ? undefined
    : { at: now(), toDelete, kept: upToThen - toDelete };
}
