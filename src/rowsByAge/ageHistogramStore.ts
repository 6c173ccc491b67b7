/** Stores counted rows by age per index, so that they can be shown again without a request. */
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { type IndexName, indexNameKey, indexNameText } from '../indices/indexName.ts';
import { Emitter } from '../platform/events.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import type { CountedRows } from './ageHistogram.ts';

/** Per connection; the ones counted last. */
const MOST_INDICES = 20;

const NUMBER = v.pipe(v.number(), v.finite());
const COUNTED = v.object({
  target: v.string(),
  /** Result of `accessOf`, since another user or server may have other rows. */
  access: v.string(),
  start: NUMBER,
  counted: v.pipe(
    v.array(v.object({ endTimeMillis: NUMBER, rows: NUMBER, total: NUMBER, at: NUMBER })),
    v.minLength(1),
  ),
});

export class AgeHistogramStore {
  readonly #histograms: Storage<readonly StoredHistogram[]>;
  readonly #forgotten = new Emitter<{ readonly connectionId: string; readonly target: IndexName }>();
  /** Fires when rows of an index were deleted, so that its counts are outdated. */
  readonly onDidForget = this.#forgotten.event;

  constructor(shared: Memento) {
    this.#histograms = new Storage(shared, 'rowsByAge.', parseHistograms);
  }

  /** @param access Result of `accessOf`. */
  of(connectionId: string, access: string, target: IndexName): CountedRows | undefined {
    return this.#all(connectionId).find((one) => one.target === indexNameText(target) && one.access === access);
  }

  async keep(connectionId: string, access: string, target: IndexName, { start, counted }: CountedRows): Promise<void> {
    const kept = { target: indexNameText(target), access, start, counted: [...counted] };
    await this.#write(connectionId, [kept, ...this.#others(connectionId, target)].slice(0, MOST_INDICES));
  }

  /** Drops the counts of an index whose rows were deleted, under whichever spelling it was counted. */
  async forget(connectionId: string, target: IndexName): Promise<void> {
    const key = indexNameKey(target);
    const written = this.#write(
      connectionId,
      this.#all(connectionId).filter((one) => one.target.toLowerCase() !== key),
    );
    // A page reads the counts again at once.
    this.#forgotten.fire({ connectionId, target });
    await written;
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#histograms.set(connectionId, undefined);
  }

  #others(connectionId: string, target: IndexName): StoredHistogram[] {
    return this.#all(connectionId).filter((one) => one.target !== indexNameText(target));
  }

  #all(connectionId: string): readonly StoredHistogram[] {
    return this.#histograms.get(connectionId) ?? [];
  }

  async #write(connectionId: string, counted: readonly StoredHistogram[]): Promise<void> {
    await this.#histograms.set(connectionId, counted.length > 0 ? counted : undefined);
  }
}

type StoredHistogram = v.InferOutput<typeof COUNTED>;

/** Leaves out damaged ones. */
function parseHistograms(stored: unknown): readonly StoredHistogram[] {
  return Array.isArray(stored) ? stored.flatMap((one) => parsedAs(COUNTED, one) ?? []) : [];
}
