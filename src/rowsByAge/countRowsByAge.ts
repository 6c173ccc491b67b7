/** Counts rows for a histogram by dry runs, which delete nothing. */
import * as l10n from '@vscode/l10n';
import type { IndexName } from '../indices/indexName.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { MetadataService } from '../service/service.ts';
import type { Clock } from '../time.ts';
import { parseDryRun } from '../truncation/dryRun.ts';
import { DEFAULT_BATCH_SIZE } from '../truncation/plan.ts';
import type { CountedSample } from './ageHistogram.ts';

/** The counts of an index. */
export interface CountedRows {
  /** Ages count from here: Unix time in ms. */
  readonly start: number;
  readonly counted: readonly CountedSample[];
}

/** `background`: only while no other dry run of that server is under way. */
export type CountingMode = 'requested' | 'background';

/**
 * Counts rows up to a cutoff.
 * @param endTimeMillis Unix time in ms.
 * @returns undefined if another dry run comes before one in the background.
 * @throws ServiceFailure
 */
export async function countSample(
  { indices }: MetadataService,
  { entityType, aspect }: IndexName,
  endTimeMillis: number,
  mode: CountingMode,
  clock: Clock,
  signal: AbortSignal,
): Promise<CountedSample | undefined> {
  // Strategy and batch size don't affect the counts.
  const plan: TruncationPlan = {
    entityType,
    aspect,
    endTimeMillis,
    batchSize: DEFAULT_BATCH_SIZE,
    timeoutSeconds: undefined,
    strategy: 'server',
  };
  const answer =
    mode === 'requested' ? await indices.datedDryRun(plan, signal) : await indices.backgroundDryRun(plan, signal);
  if (answer === undefined) {
    return undefined;
  }
  const { rows, serverText } = parseDryRun(answer.text);
  if (rows === undefined) {
    throw new ServiceFailure('unexpectedAnswer', l10n.t('Row count not available'), { serverText });
  }
  return { endTimeMillis, rows: rows.toDelete, total: rows.total, at: clock.now() };
}
