/** Counts what the rows by age of an index, and the cut-offs fitted to them, are made of. Nothing is deleted. */
import type { IndexTarget } from '../indices/replacedIndices.ts';
import type { Clock } from '../service/clock.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import type { Service } from '../service/service.ts';
import * as l10n from '@vscode/l10n';
import { countRows } from './countRows.ts';
import { nextOfFit, startOfFit } from './model/fitSearch.ts';
import type { CountedGoal, Fit } from './model/fitSearch.ts';
import { DEFAULT_BATCH_SIZE } from './model/plan.ts';
import { DRY_RUNS_AT_ONCE, nextCutOff, rowsByAge } from './model/rowsByAge.ts';
import type { CountedSample } from './model/rowsByAge.ts';

/** Counts at a cut-off (Unix time in ms). @throws ServiceFailure */
export type CountSample = (endTimeMillis: number, signal: AbortSignal) => Promise<CountedSample>;

/** How many rows of an index a server would delete. Strategy and batches make no difference to that. */
export function sampling(service: Service, { entityType, aspect }: IndexTarget, clock: Clock): CountSample {
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

/** What is counted, and what is known of it. */
export interface CountedRows {
  /** From when ages are counted: Unix time in ms. */
  readonly start: number;
  readonly counted: readonly CountedSample[];
}

/**
 * Counts until the curve is complete.
 * @param rows What is known already.
 * @param learned Told of each sample as it arrives.
 * @param atOnce How many samples are counted at a time.
 * @throws ServiceFailure when one of them failed; then the others are aborted.
 */
export async function countCurve(
  rows: CountedRows,
  count: CountSample,
  learned: (sample: CountedSample) => void,
  signal: AbortSignal,
  atOnce = DRY_RUNS_AT_ONCE,
): Promise<void> {
  const { start } = rows;
  const counted = [...rows.counted];
  const asking = new Map<number, Promise<void>>();
  const failed = new AbortController();
  const ask = async (cutOff: number): Promise<void> => {
    try {
      const sample = await count(cutOff, AbortSignal.any([signal, failed.signal]));
      counted.push(sample);
      learned(sample);
    } finally {
      asking.delete(cutOff);
    }
  };
  const next = (): number | undefined =>
    asking.size < atOnce ? nextCutOff(counted, [...asking.keys()], start) : undefined;
  try {
    for (let cutOff = next(); cutOff !== undefined || asking.size > 0; cutOff = next()) {
      if (cutOff === undefined) {
        // oxlint-disable-next-line no-await-in-loop -- each sample decides which is counted next
        await Promise.race(asking.values());
      } else {
        asking.set(cutOff, ask(cutOff));
      }
    }
  } catch (thrown) {
    failed.abort();
    await Promise.allSettled(asking.values());
    throw thrown;
  }
}

/**
 * Finds the cut-off of a goal, one dry run after the other.
 * @param rows What is known already; it only guides.
 * @param now Unix time in ms.
 * @throws ServiceFailure
 */
export async function countFit(
  goal: CountedGoal,
  bytes: number | undefined,
  rows: CountedRows,
  now: number,
  count: CountSample,
  signal: AbortSignal,
): Promise<Fit> {
  const start = startOfFit(rows.start, now);
  const counted: CountedSample[] = [];
  for (;;) {
    const curve = rowsByAge([...rows.counted, ...counted], rows.start);
    const next = nextOfFit({ goal, curve, bytes, start }, counted);
    if (!('count' in next)) {
      return next;
    }
    // oxlint-disable-next-line no-await-in-loop -- each sample decides which is counted next
    counted.push(await count(next.count, signal));
  }
}
