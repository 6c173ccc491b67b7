/**
 * Counts the rows by age of the current index, and fits cutoffs to it, on request. Keeps the counts if it is
 * stopped or fails.
 */
import { accessOf, type Connection } from '../connections/connection.ts';
import { hasSameSpelling, type IndexName, isSameIndex } from '../indices/indexName.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import type { ReportedIndexSize } from '../service/indices/indexSize.ts';
import type { MetadataService } from '../service/service.ts';
import { countHistogram, countForFit, sampleCounter, type SampleCounter, type CountedRows } from './countRowsByAge.ts';
import type { FitGoal } from './fitGoal.ts';
import { unsolvableBySize, type CutoffFitResult } from './fitSearch.ts';
import { nextCutoff, ageHistogramOf, ageStartTime, type CountedSample, type AgeHistogram } from './ageHistogram.ts';
import { type Problem, problemOf } from '../truncation/outcome.ts';
import type { AgeHistogramStore } from './ageHistogramStore.ts';
import { type Clock, MILLIS_PER_MINUTE } from '../time.ts';

export interface AgeHistogramSessionOptions {
  /** The stored connection; undefined once it was removed. */
  readonly connection: () => Connection | undefined;
  readonly service: (connection: Connection) => MetadataService;
  readonly store: AgeHistogramStore;
  readonly sizeOf: (target: IndexName) => ReportedIndexSize;
  /** Called after an index was counted, which may change the outcome of its last truncation. */
  readonly counted: (connection: Connection, target: IndexName) => void;
  readonly clock: Clock;
  /** Called with each failure, for the log. */
  readonly observe: (failure: ServiceFailure) => void;
}

export interface AgeHistogramState {
  /** `idle`: the user has only asked for a cutoff. */
  readonly phase: 'idle' | 'loading' | 'complete' | 'stopped' | 'failed';
  /** Undefined before the first count. */
  readonly curve: AgeHistogram | undefined;
  readonly failing: Problem | undefined;
  readonly fit: CutoffFitState | undefined;
}

export interface CutoffFitState {
  readonly goal: FitGoal;
  /** Undefined while searching. */
  readonly found: CutoffFitResult | { readonly kind: 'failed'; readonly failing: Problem } | undefined;
}

/** The counts of one index, as one user on one server. */
interface IndexSession {
  readonly connection: Connection;
  readonly target: IndexName;
  rows: CountedRows;
  phase: AgeHistogramState['phase'];
  failing: Problem | undefined;
  fit: CutoffFitState | undefined;
  /** Set while counting. */
  counting: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  fitting: AbortController | undefined;
}

/** A sample that was counted this much later is assumed to be of other rows. In ms. */
const SAME_ROWS_MILLIS = 5 * MILLIS_PER_MINUTE;

export class AgeHistogramSession implements Disposable {
  readonly #parts: AgeHistogramSessionOptions;
  readonly #changed = new Emitter<void>();
  readonly #forgetting: Disposable;
  #session: IndexSession | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(parts: AgeHistogramSessionOptions) {
    this.#parts = parts;
    this.#forgetting = parts.store.onDidForget(({ connectionId, target }) => {
      const session = this.#session;
      if (session?.connection.id === connectionId && isSameIndex(session.target, target)) {
        this.leave();
      }
    });
  }

  /** @returns undefined if the user hasn't asked for this index, as this user on this server. */
  of(target: IndexName): AgeHistogramState | undefined {
    const session = this.#session;
    if (session === undefined || !this.#isOf(session, target)) {
      return undefined;
    }
    const { phase, failing, fit, rows } = session;
    const curve = rows.counted.length === 0 ? undefined : ageHistogramOf(rows.counted, rows.start);
    return { phase, failing, fit, curve };
  }

  /** Shows remembered counts, or counts now. Resumes a count that was stopped. */
  async show(target: IndexName): Promise<void> {
    const session = this.#sessionOf(target);
    if (session !== undefined) {
      await this.#count(session);
    }
  }

  /** Counts again, and replaces the remembered counts once it is complete. */
  async refresh(target: IndexName): Promise<void> {
    this.#abort();
    this.#session = this.#newSession(target, false);
    await this.show(target);
  }

  stop(): void {
    this.#session?.counting?.stop.abort();
  }

  /** @returns the cutoff that was found (Unix time in ms), if any. */
  async fit(target: IndexName, goal: FitGoal): Promise<number | undefined> {
    const session = this.#sessionOf(target);
    if (session === undefined) {
      return undefined;
    }
    session.fitting?.abort();
    const stop = new AbortController();
    this.#set(session, { fitting: stop, fit: { goal, found: undefined } });
    const found = await this.#find(session, goal, stop.signal);
    if (stop.signal.aborted) {
      return undefined;
    }
    this.#set(session, { fitting: undefined, fit: found && { goal, found } });
    return found?.kind === 'solved' ? found.endTimeMillis : undefined;
  }

  stopFit(): void {
    if (this.#session?.fitting !== undefined) {
      this.#session.fitting.abort();
      this.#set(this.#session, { fitting: undefined, fit: undefined });
    }
  }

  /** Aborts requests and drops the counts, unless they are of this index. */
  leave(unlessOf?: IndexName): void {
    const session = this.#session;
    if (session !== undefined && (unlessOf === undefined || !this.#isOf(session, unlessOf))) {
      this.#abort();
      this.#session = undefined;
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#forgetting.dispose();
    this.#changed.dispose();
    this.leave();
  }

  #isOf({ connection, target }: IndexSession, other: IndexName): boolean {
    const now = this.#parts.connection();
    return now !== undefined && accessOf(now) === accessOf(connection) && hasSameSpelling(target, other);
  }

  #abort(): void {
    this.#session?.counting?.stop.abort();
    this.#session?.fitting?.abort();
  }

  #sessionOf(target: IndexName): IndexSession | undefined {
    this.leave(target);
    return (this.#session ??= this.#newSession(target, true));
  }

  #newSession(target: IndexName, mayRemember: boolean): IndexSession | undefined {
    const connection = this.#parts.connection();
    if (connection === undefined) {
      return undefined;
    }
    const remembered = mayRemember ? this.#parts.store.of(connection.id, accessOf(connection), target) : undefined;
    return {
      connection,
      target,
      rows: remembered ?? { start: ageStartTime(this.#parts.clock.now()), counted: [] },
      phase: 'idle',
      failing: undefined,
      fit: undefined,
      counting: undefined,
      fitting: undefined,
    };
  }

  /** Resolves when the count has ended, successful or not. */
  #count(session: IndexSession): Promise<void> {
    if (session.counting === undefined) {
      const stop = new AbortController();
      const done = this.#countUntil(session, stop.signal).finally(() => (session.counting = undefined));
      session.counting = { stop, done };
    }
    return session.counting.done;
  }

  async #countUntil(session: IndexSession, signal: AbortSignal): Promise<void> {
    const isDue = nextCutoff(session.rows.counted, [], session.rows.start) !== undefined;
    this.#set(session, { phase: isDue ? 'loading' : 'complete', failing: undefined });
    try {
      const onSample = (sample: CountedSample): void => this.#learn(session, sample);
      await countHistogram(session.rows, this.#sampleCounter(session), onSample, signal);
      signal.throwIfAborted();
      this.#set(session, { phase: 'complete' });
      if (isDue) {
        this.#parts.counted(session.connection, session.target);
        await this.#keep(session);
      }
    } catch (thrown) {
      const failing = signal.aborted ? undefined : this.#failing(thrown);
      this.#set(session, { phase: failing === undefined ? 'stopped' : 'failed', failing });
    }
  }

  /** Waits for a running count first, since its samples guide the search. @returns undefined if it was stopped. */
  async #find(session: IndexSession, goal: FitGoal, signal: AbortSignal): Promise<CutoffFitState['found']> {
    const now = this.#parts.clock.now();
    const size = this.#parts.sizeOf(session.target);
    const unfit = unsolvableBySize(goal, size);
    if (unfit !== undefined) {
      return unfit;
    }
    await session.counting?.done;
    if (signal.aborted) {
      return undefined;
    }
    try {
      const fit = await countForFit(goal, size.bytes, session.rows, now, this.#sampleCounter(session), signal);
      signal.throwIfAborted();
      const isShown = session.phase === 'complete';
      if (isShown && fit.kind === 'solved' && isOfSameRows(fit.sample, session.rows)) {
        this.#learn(session, fit.sample);
        await this.#keep(session);
      }
      return fit;
    } catch (thrown) {
      return signal.aborted ? undefined : { kind: 'failed', failing: this.#failing(thrown) };
    }
  }

  #sampleCounter({ connection, target }: IndexSession): SampleCounter {
    return sampleCounter(this.#parts.service(connection), target, this.#parts.clock);
  }

  #learn(session: IndexSession, sample: CountedSample): void {
    this.#set(session, { rows: { ...session.rows, counted: [...session.rows.counted, sample] } });
  }

  async #keep(session: IndexSession): Promise<void> {
    const { connection, target, rows } = session;
    // Store nothing for a connection that was removed meanwhile.
    if (this.#isOf(session, target)) {
      await this.#parts.store.keep(connection.id, accessOf(connection), target, rows);
    }
  }

  #failing(thrown: unknown): Problem {
    const failure = toServiceFailure(thrown);
    this.#parts.observe(failure);
    return problemOf(failure);
  }

  #set(session: IndexSession, change: Partial<IndexSession>): void {
    Object.assign(session, change);
    if (session === this.#session) {
      this.#changed.fire();
    }
  }
}

/** Mixing in later samples would show a state that never existed, if rows were written or deleted in between. */
function isOfSameRows({ at }: CountedSample, { counted }: CountedRows): boolean {
  return counted.every((sample) => Math.abs(at - sample.at) <= SAME_ROWS_MILLIS);
}
