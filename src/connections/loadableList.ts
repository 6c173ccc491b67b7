/** A list of what a connection's server has: loaded when it is first looked at, and anew on request. */
import { asFailure } from '../service/failure/failure.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';

/**
 * Only the newest load counts: it aborts the one before. What was loaded stays while the next answer is awaited, and when that
 * fails. None of the loads throws: a failure is kept to be shown.
 *
 * @template Listing What the server answered, as a whole.
 */
export abstract class LoadableList<Listing> {
  readonly #changed: () => void;
  readonly #now: () => number;
  #loadedAt: number | undefined;
  #succeededAt: number | undefined;
  #listing: Listing | undefined;
  #failure: ServiceFailure | undefined;
  #failedAt: number | undefined;
  #loading: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;

  /**
   * @param changed Called after each change of what there is to show.
   * @param now Unix time in ms.
   */
  constructor(changed: () => void, now: () => number = Date.now) {
    this.#changed = changed;
    this.#now = now;
  }

  /** When what is shown was loaded: Unix time in ms. */
  get loadedAt(): number | undefined {
    return this.#loadedAt;
  }

  /** When the server answered a load last, also one whose answer is no longer shown: Unix time in ms. */
  get succeededAt(): number | undefined {
    return this.#succeededAt;
  }

  /** Of the last load, if it failed. */
  get failure(): ServiceFailure | undefined {
    return this.#failure;
  }

  /** When that load failed: Unix time in ms. */
  get failedAt(): number | undefined {
    return this.#failure === undefined ? undefined : this.#failedAt;
  }

  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  get isLoaded(): boolean {
    return this.#listing !== undefined;
  }

  /** Loads unless that was done; then until nothing is loading any more. */
  async ensureLoaded(): Promise<void> {
    if (!this.isLoading && !this.#hasAnswer) {
      await this.refresh();
    }
    // What one waits for may be replaced by a newer load meanwhile.
    while (this.#loading !== undefined) {
      await this.#loading.done;
    }
  }

  /** Until there is something to show; while that is loaded anew, it is shown. */
  async ensureShown(): Promise<void> {
    if (!this.#hasAnswer) {
      await this.ensureLoaded();
    }
  }

  /** For a person who asks now: what failed before is tried again. */
  async ensureTried(): Promise<void> {
    if (this.#failure !== undefined) {
      await this.refresh();
    }
    await this.ensureLoaded();
  }

  async refresh(): Promise<void> {
    await this.load((signal) => this.read(signal));
  }

  /** Stops what is under way. */
  close(): void {
    this.#loading?.stop.abort();
  }

  protected get listing(): Listing | undefined {
    return this.#listing;
  }

  /** Reads from the start. */
  protected abstract read(signal: AbortSignal): Promise<Listing>;

  protected async load(read: (signal: AbortSignal) => Promise<Listing>): Promise<void> {
    this.#loading?.stop.abort();
    const stop = new AbortController();
    const mine = { done: this.#keep(read, stop.signal), stop };
    this.#loading = mine;
    // A row that VS Code is told to show anew can't be clicked for a moment: it isn't told where nothing is different.
    if (!this.#hasAnswer) {
      this.#changed();
    }
    await mine.done;
    if (this.#loading === mine) {
      this.#loading = undefined;
      this.#changed();
    }
  }

  /** What was loaded answers another question than the one that is asked from now on. */
  protected clear(): void {
    this.#listing = undefined;
    this.#loadedAt = undefined;
    this.#failure = undefined;
  }

  protected changed(): void {
    this.#changed();
  }

  get #hasAnswer(): boolean {
    return this.#listing !== undefined || this.#failure !== undefined;
  }

  async #keep(read: (signal: AbortSignal) => Promise<Listing>, signal: AbortSignal): Promise<void> {
    try {
      const listing = await read(signal);
      if (!signal.aborted) {
        this.#listing = listing;
        this.#loadedAt = this.#succeededAt = this.#now();
        this.#failure = undefined;
      }
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (!signal.aborted && failure.kind !== 'cancelled') {
        this.#failure = failure;
        this.#failedAt = this.#now();
      }
    }
  }
}
