/** Remembers which indices are ticked in a connection's overview, and the age beside them. */
import * as v from 'valibot';
import type { Connection } from '../../../connections/connection.ts';
import { Storage, type Memento } from '../../../platform/storage.ts';
import { MAX_ITEMS } from '../../../truncation/jobState.ts';
import { parsedAs } from '../../../json.ts';
import { SELECTION_DAYS, TICKED, type OverviewPageView } from '../protocol.ts';

const TICKS = v.object({
  /** Of the server at that time; the connection may have changed. */
  baseUrl: v.string(),
  ids: TICKED,
  days: SELECTION_DAYS,
});

type Ticks = NonNullable<OverviewPageView['remembered']>;
type OfConnection = Pick<Connection, 'id' | 'baseUrl'>;

export class RememberedTicks {
  readonly #ticks: Storage<v.InferOutput<typeof TICKS>>;

  constructor(shared: Memento) {
    this.#ticks = new Storage(shared, 'ticks.', (stored) => parsedAs(TICKS, stored));
  }

  /** Undefined also if the connection leads to another server now, or the stored value is damaged. */
  of({ id, baseUrl }: OfConnection): Ticks | undefined {
    const last = this.#ticks.get(id);
    return last?.baseUrl === baseUrl ? last : undefined;
  }

  /** @param isListed The user can't untick an index that isn't listed at the moment: it stays ticked. */
  async keep({ id, baseUrl }: OfConnection, { ids, days }: Ticks, isListed: (id: string) => boolean): Promise<void> {
    const unlisted = this.of({ id, baseUrl })?.ids.filter((one) => !isListed(one)) ?? [];
    await this.#ticks.set(id, { baseUrl, ids: [...ids, ...unlisted].slice(0, MAX_ITEMS), days });
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#ticks.set(connectionId, undefined);
  }
}
