/** The rows by age of one index: remembered counts, or counts by dry runs. Keeps them if it is stopped or fails. */
import * as l10n from '@vscode/l10n';
import { accessOf, type Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { type IndexName, isSameIndex } from '../indices/indexName.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import { toServiceFailure, ServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import { type Clock, MILLIS_PER_MINUTE, MILLIS_PER_SECOND } from '../time.ts';
import type { JobStore } from '../truncation/jobStore.ts';
import { type Problem, problemOf } from '../truncation/problem.ts';
import {
  ageHistogramOf,
  ageStartTime,
  MOST_DRY_RUNS,
  nextCutoff,
  type CountedRows,
  type CountedSample,
  type CountPhase,
  type RowsByAgeState,
} from './ageHistogram.ts';
import type { AgeHistogramStore } from './ageHistogramStore.ts';
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';
import { parseDryRun } from '../truncation/dryRun.ts';
import { DEFAULT_BATCH_SIZE } from '../truncation/plan.ts';
import type { Log } from '../ui/log.ts';

/** The platform asks for no more work than this without a request. */
const LONGEST_BACKGROUND_COUNT = 2 * MILLIS_PER_SECOND;
const MOST_BACKGROUND_ROWS = 50_000_000;
/** Counts that are further apart are assumed to be of other rows. */
const SAME_ROWS_MILLIS = 5 * MILLIS_PER_MINUTE;

interface RowsByAgeParts {
  readonly store: Pick<ConnectionStore, 'get'>;
  readonly services: Pick<ServicePool, 'get' | 'network'>;
  readonly jobs: Pick<JobStore, 'underWayOn'>;
  readonly log: Pick<Log, 'failure'>;
  readonly rowsByAge: AgeHistogramStore;
}

/** Counts as one user on one server. */
interface Counts {
  readonly connection: Connection;
  rows: CountedRows;
  phase: CountPhase;
  failing: Problem | undefined;
  /** Set while counting. */
  counting: { readonly mode: CountingMode; readonly stop: AbortController } | undefined;
}

export class RowsByAge implements Disposable {
  readonly #target: IndexName;
  readonly #connectionId: string;
  readonly #parts: RowsByAgeParts;
  readonly #changed = new Emitter<void>();
  readonly #forgetting: Disposable;
  #counts: Counts | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(target: IndexName, connectionId: string, parts: RowsByAgeParts) {
    this.#target = target;
    this.#connectionId = connectionId;
    this.#parts = parts;
    this.#forgetting = parts.rowsByAge.onDidForget((forgotten) => {
      if (forgotten.connectionId === connectionId && isSameIndex(forgotten.target, target)) {
        this.stop();
        this.#counts = undefined;
        this.#changed.fire();
      }
    });
  }

  /** Remembered counts are shown as they are. */
  get state(): RowsByAgeState | undefined {
    const counts = this.#current();
    if (counts === undefined) {
      return undefined;
    }
    const { phase, failing, rows } = counts;
    const histogram = ageHistogramOf(rows.counted);
    const made = phase === 'complete' ? 0 : histogram.samples.length;
    return { ...histogram, phase, left: MOST_DRY_RUNS - made, failing };
  }

  /**
   * Counts what is missing, or everything once more. In the background, makes one count if none is known, and the others
   * as long as each is cheap for the server.
   * @returns whether all was counted.
   */
  async count(mode: CountingMode = 'requested'): Promise<boolean> {
    const counts = this.#current();
    if (counts === undefined || !this.#mayBegin(counts, mode)) {
      return false;
    }
    counts.counting?.stop.abort();
    const { rows, phase } = counts;
    const isAnew = phase === 'complete' || this.#clock.now() - rows.start > SAME_ROWS_MILLIS;
    return this.#countUntilComplete(counts, isAnew ? this.#nothingCounted() : rows, mode);
  }

  stop(): void {
    this.#counts?.counting?.stop.abort();
  }

  /** The user does something else, so nobody waits for counts in the background. */
  stopBackground(): void {
    if (this.#counts?.counting?.mode === 'background') {
      this.stop();
    }
  }

  dispose(): void {
    this.#forgetting.dispose();
    this.#changed.dispose();
    this.stop();
  }

  #mayBegin({ counting, rows }: Counts, mode: CountingMode): boolean {
    return mode === 'requested'
      ? counting?.mode !== 'requested'
      : counting === undefined && rows.counted.length === 0 && !this.#isTruncating;
  }

  /** Forgets the counts of another user or server. */
  #current(): Counts | undefined {
    const connection = this.#parts.store.get(this.#connectionId);
    const access = connection && accessOf(connection);
    if (this.#counts !== undefined && accessOf(this.#counts.connection) !== access) {
      this.stop();
      this.#counts = undefined;
    }
    if (connection !== undefined && this.#counts === undefined) {
      const remembered = this.#parts.rowsByAge.of(connection.id, accessOf(connection), this.#target);
      this.#counts = {
        connection,
        rows: remembered ?? this.#nothingCounted(),
        phase: remembered === undefined ? 'idle' : 'complete',
        failing: undefined,
        counting: undefined,
      };
    }
    return this.#counts;
  }

  /** True while rows of the index are being deleted. */
  get #isTruncating(): boolean {
    const { store, jobs } = this.#parts;
    const connection = store.get(this.#connectionId);
    const underWay = connection === undefined ? [] : jobs.underWayOn(connection, this.#clock.now());
    return underWay.some(({ plan }) => isSameIndex(plan, this.#target));
  }

  get #clock(): Clock {
    return this.#parts.services.network.clock;
  }

  #nothingCounted(): CountedRows {
    return { start: ageStartTime(this.#clock.now()), counted: [] };
  }

  /**
   * Resolves when the count has ended: to true if it is complete. One dry run after the other: each decides the next.
   * @param from Replaces what is shown once it is complete, or as it grows if nothing else is shown.
   */
  async #countUntilComplete(counts: Counts, from: CountedRows, mode: CountingMode): Promise<boolean> {
    const { services, log } = this.#parts;
    const clock = this.#clock;
    const stop = new AbortController();
    const { signal } = stop;
    const set = (change: Partial<Counts>): void => {
      if (counts.counting?.stop === stop) {
        Object.assign(counts, change);
        if (counts === this.#counts) {
          this.#changed.fire();
        }
      }
    };
    const before = counts.phase === 'complete' ? counts.phase : undefined;
    const { start } = from;
    const samples = [...from.counted];
    const next = (): number | undefined => nextCutoff(samples, start);
    counts.counting = { mode, stop };
    set({ phase: 'counting', failing: undefined });
    try {
      for (let cutoff = next(); cutoff !== undefined; cutoff = next()) {
        const since = clock.now();
        const sample = await countSample(services.get(counts.connection), this.#target, cutoff, mode, clock, signal);
        signal.throwIfAborted();
        if (sample === undefined) {
          break;
        }
        samples.push(sample);
        set(before === undefined ? { rows: { start, counted: [...samples] } } : {});
        const isCheap = sample.at - since <= LONGEST_BACKGROUND_COUNT && sample.total <= MOST_BACKGROUND_ROWS;
        if (mode === 'background' && !isCheap) {
          break;
        }
      }
      const isComplete = next() === undefined;
      if (isComplete) {
        set({ rows: { start, counted: samples }, phase: 'complete' });
        await this.#keep(counts);
      } else {
        set({ phase: before ?? 'stopped' });
      }
      return isComplete;
    } catch (thrown) {
      if (signal.aborted) {
        set({ phase: before ?? 'stopped' });
      } else {
        const failure = toServiceFailure(thrown);
        log.failure(failure);
        set({ phase: before ?? 'failed', failing: problemOf(failure) });
      }
      return false;
    } finally {
      set({ counting: undefined });
    }
  }

  /** Stores nothing if the rows were or are being deleted, or the connection was removed. */
  async #keep(counts: Counts): Promise<void> {
    if (counts === this.#current() && !this.#isTruncating) {
      const { connection, rows } = counts;
      await this.#parts.rowsByAge.keep(connection.id, accessOf(connection), this.#target, rows);
    }
  }
}

/** `background`: only while no other dry run of that server is under way. */
type CountingMode = 'requested' | 'background';

/**
 * Counts rows up to a cutoff.
 * @param endTimeMillis Unix time in ms.
 * @returns undefined if another dry run comes before one in the background.
 * @throws ServiceFailure
 */
async function countSample(
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
    mode === 'requested' ? await indices.dryRun(plan, signal) : await indices.backgroundDryRun(plan, signal);
  if (answer === undefined) {
    return undefined;
  }
  const { rows, serverText } = parseDryRun(answer.text);
  if (rows === undefined) {
    throw new ServiceFailure('unexpectedAnswer', l10n.t('Row count not available'), { serverText });
  }
  return { endTimeMillis, rows: rows.toDelete, total: rows.total, at: clock.now() };
}
