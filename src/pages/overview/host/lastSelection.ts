/** Remembers which indices were confirmed last in a connection's overview, and with which age. */
import * as v from 'valibot';
import type { Connection } from '../../../connections/connection.ts';
import type { IndexName } from '../../../indices/indexName.ts';
import { Storage, type Memento } from '../../../platform/storage.ts';
import { MAX_ITEMS } from '../../../truncation/jobSize.ts';
import { SELECTION_DAYS } from '../jobProtocol.ts';

const NAME = v.pipe(v.string(), v.minLength(1), v.maxLength(255));
const LAST_SELECTION = v.object({
  /** Of the server at that time; the connection may have changed. */
  baseUrl: v.string(),
  indices: v.pipe(v.array(v.object({ entityType: NAME, aspect: NAME })), v.minLength(1), v.maxLength(MAX_ITEMS)),
  /** As typed. */
  days: SELECTION_DAYS,
});

export interface LastSelection {
  readonly indices: readonly IndexName[];
  readonly days: number;
}

export class LastSelectionStore {
  readonly #lastSelections: Storage<v.InferOutput<typeof LAST_SELECTION>>;

  constructor(shared: Memento) {
    this.#lastSelections = new Storage(shared, 'lastSelection.', parseLastSelection);
  }

  /** Undefined also if the connection leads to another server now, or the stored value is damaged. */
  of({ id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>): LastSelection | undefined {
    const last = this.#lastSelections.get(id);
    return last?.baseUrl === baseUrl ? last : undefined;
  }

  async keep({ id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>, { indices, days }: LastSelection): Promise<void> {
    const names = indices.map(({ entityType, aspect }) => ({ entityType, aspect }));
    await this.#lastSelections.set(id, { baseUrl, indices: names, days });
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#lastSelections.set(connectionId, undefined);
  }
}

function parseLastSelection(stored: unknown): v.InferOutput<typeof LAST_SELECTION> | undefined {
  const parsed = v.safeParse(LAST_SELECTION, stored);
  return parsed.success ? parsed.output : undefined;
}
