/** Remembers which indices are ticked in a connection's overview, and the age beside them. */
import * as v from 'valibot';
import type { Connection } from '../../../connections/connection.ts';
import type { ListedIndex } from '../../../indices/indexList.ts';
import { type IndexName, indexNameKey, indexNameOf } from '../../../indices/indexName.ts';
import { holdsPipelineState } from '../../../indices/timeseriesAspects.ts';
import { Storage, type Memento } from '../../../platform/storage.ts';
import { MAX_ITEMS } from '../../../truncation/jobState.ts';
import { parsedAs } from '../../../json.ts';
import { SELECTION_DAYS, type OverviewPageView } from '../protocol.ts';

const NAME = v.pipe(v.string(), v.minLength(1), v.maxLength(255));
const TICKS = v.object({
  /** Of the server at that time; the connection may have changed. */
  baseUrl: v.string(),
  indices: v.pipe(v.array(v.object({ entityType: NAME, aspect: NAME })), v.maxLength(MAX_ITEMS)),
  days: SELECTION_DAYS,
});

export interface Ticks {
  readonly indices: readonly IndexName[];
  readonly days: number;
}

export class RememberedTicks {
  readonly #ticks: Storage<v.InferOutput<typeof TICKS>>;

  constructor(shared: Memento) {
    this.#ticks = new Storage(shared, 'ticks.', (stored) => parsedAs(TICKS, stored));
  }

  /** Undefined also if the connection leads to another server now, or the stored value is damaged. */
  of({ id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>): Ticks | undefined {
    const last = this.#ticks.get(id);
    return last?.baseUrl === baseUrl ? last : undefined;
  }

  async keep({ id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>, { indices, days }: Ticks): Promise<void> {
    const names = indices.map(({ entityType, aspect }) => ({ entityType, aspect }));
    await this.#ticks.set(id, { baseUrl, indices: names, days });
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#ticks.set(connectionId, undefined);
  }
}

/** Finds what is remembered among the listed indices. @param listed By ID. */
export function rememberedView(
  ticks: Ticks | undefined,
  listed: ReadonlyMap<string, ListedIndex>,
): OverviewPageView['remembered'] {
  if (ticks === undefined) {
    return undefined;
  }
  const ids = new Map(
    [...listed].flatMap(([id, index]) => {
      const target = indexNameOf(index);
      // An index that holds state is only truncated alone.
      return target === undefined || holdsPipelineState(target) ? [] : [[indexNameKey(target), id] as const];
    }),
  );
  return { ids: ticks.indices.flatMap((index) => ids.get(indexNameKey(index)) ?? []), days: ticks.days };
}
