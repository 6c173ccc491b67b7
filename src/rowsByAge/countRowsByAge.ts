/** Counts rows for histograms and fits by dry runs, which delete nothing. */
import type { IndexName } from '../indices/indexName.ts';
import type { Clock } from '../time.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import * as l10n from '@vscode/l10n';
import { countRows } from '../truncation/countRows.ts';
import type { FitGoal } from './fitGoal.ts';
import { nextFitStep, fitStartTime, type CutoffFitResult } from './fitSearch.ts';
import { DEFAULT_BATCH_SIZE } from '../truncation/plan.ts';
import { DRY_RUNS_AT_ONCE, nextCutoff, ageHistogramOf, type CountedSample } from './ageHistogram.ts';

/** Counts rows up to a cutoff (Unix time in ms). @throws ServiceFailure */
export type SampleCounter = (endTimeMillis: number, signal: AbortSignal) => Promise<CountedSample>;

/** Counts by dry runs. Strategy and batch size don't affect the counts. */
export function sampleCounter(
  service: MetadataService,
  { entityType, aspect }: IndexName,
  clock: Clock,
): SampleCounter {
  return async (endTimeMillis, signal) => {
    const plan = {
      entityType: entityType.trim(),
      aspect: aspect.trim(),
      endTimeMillis,
      batchSize: DEFAULT_BATCH_SIZE,
      timeoutSeconds: undefined,
      strategy: 'server',
    } as const;
    const { rows, serverText } = await countRows(service, plan, signal);
    if (rows === undefined) {
      throw new ServiceFailure('unexpectedAnswer', l10n.t('Row count not available'), { serverText });
    }
    return { endTimeMillis, rows: rows.toDelete, total: rows.total, at: clock.now() };
  };
}

/** The counts of an index. */
export interface CountedRows {
  /** Ages count from here: Unix time in ms. */
  readonly start: number;
  readonly counted: readonly CountedSample[];
}

/**
 * Counts until the histogram is complete. Uses responses in the order of their requests, so that the same rows
 * always give the same histogram.
 * @param rows Existing counts.
 * @param onSample Called with each sample as it arrives.
 * @throws ServiceFailure if a dry run failed; the others are aborted then.
 */
export async function countHistogram(
  rows: CountedRows,
  count: SampleCounter,
  onSample: (sample: CountedSample) => void,
  signal: AbortSignal,
): Promise<void> {
  const counted = [...rows.counted];
  /** In the order of their requests. */
  const asking: { readonly cutoff: number; readonly answer: Promise<CountedSample | undefined> }[] = [];
  const failed = new AbortController();
  const ask = async (cutoff: number): Promise<CountedSample | undefined> => {
    try {
      const sample = await count(cutoff, AbortSignal.any([signal, failed.signal]));
      onSample(sample);
      return sample;
    } catch (thrown) {
      // Later calls don't replace the first reason.
      failed.abort(thrown);
      return undefined;
    }
  };
  const next = (): number | undefined => {
    const cutoffs = asking.map(({ cutoff }) => cutoff);
    return asking.length < DRY_RUNS_AT_ONCE ? nextCutoff(counted, cutoffs, rows.start) : undefined;
  };
  for (let cutoff = next(); cutoff !== undefined || asking.length > 0; cutoff = next()) {
    if (cutoff !== undefined) {
      asking.push({ cutoff, answer: ask(cutoff) });
      continue;
    }
    // Each sample decides which is counted next.
    const sample = await asking.shift()?.answer;
    if (sample === undefined) {
      break;
    }
    counted.push(sample);
  }
  await Promise.all(asking.map(({ answer }) => answer));
  failed.signal.throwIfAborted();
}

/**
 * Fits a cutoff to a goal, one dry run after another.
 * @param rows Existing counts, which only guide it.
 * @param now Unix time in ms.
 * @throws ServiceFailure
 */
export async function countForFit(
  goal: FitGoal,
  bytes: number | undefined,
  rows: CountedRows,
  now: number,
  count: SampleCounter,
  signal: AbortSignal,
): Promise<CutoffFitResult> {
  const start = fitStartTime(rows.start, now);
  const counted: CountedSample[] = [];
  for (;;) {
    const curve = ageHistogramOf([...rows.counted, ...counted], rows.start);
    const next = nextFitStep({ goal, curve, bytes, start }, counted);
    if (!('count' in next)) {
      return next;
    }
    // Each sample decides which is counted next.
    counted.push(await count(next.count, signal));
  }
}
