/** Remembers which indices were confirmed last in a connection's overview, and with which age. */
import * as v from 'valibot';
import type { Connection } from '../connections/connection.ts';
import type { IndexName } from '../indices/indexName.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import { BATCH_DAYS, MAX_BATCH_ITEMS } from './protocol.ts';

const NAME = v.pipe(v.string(), v.minLength(1), v.maxLength(255));
const LAST_BATCH = v.object({
  /** Of the server at that time; the connection may have changed. */
  baseUrl: v.string(),
  indices: v.pipe(v.array(v.object({ entityType: NAME, aspect: NAME })), v.minLength(1), v.maxLength(MAX_BATCH_ITEMS)),
  /** As typed. */
  days: BATCH_DAYS,
});

export interface LastBatch {
  readonly indices: readonly IndexName[];
  readonly days: number;
}

export class LastBatchStore {
  readonly #lastBatches: Storage<v.InferOutput<typeof LAST_BATCH>>;

  constructor(shared: Memento) {
    this.#lastBatches = new Storage(shared, 'lastBatch.', parseLastBatch);
  }

  /** Undefined also if the connection leads to another server now, or the stored value is damaged. */
  of({ id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>): LastBatch | undefined {
    const last = this.#lastBatches.get(id);
    return last?.baseUrl === baseUrl ? last : undefined;
  }

  async keep({ id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>, { indices, days }: LastBatch): Promise<void> {
    const names = indices.map(({ entityType, aspect }) => ({ entityType, aspect }));
    await this.#lastBatches.set(id, { baseUrl, indices: names, days });
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#lastBatches.set(connectionId, undefined);
  }
}

function parseLastBatch(stored: unknown): v.InferOutput<typeof LAST_BATCH> | undefined {
  const parsed = v.safeParse(LAST_BATCH, stored);
  return parsed.success ? parsed.output : undefined;
}
