/** Which connections there are (globalState, shared by all windows) and which one is in use (this workspace). */
import * as v from 'valibot';
import { DurableStore } from '../platform/durableStore.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { Emitter } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { parseConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { roleToStore } from './role.ts';

const KEY = 'connection.';
/** Marks a connection that is being removed, or was. */
const REMOVING = 'removing.';
const IN_USE = 'connectionInUse';

/**
 * Stays after the removal: globalState is one value for all keys, so that another window that writes a moment later brings the
 * connection back. The mark keeps it away.
 */
const REMOVAL = v.object({
  /** Unix time in ms. */
  at: v.number(),
  /** Nothing of the connection is left. */
  isDone: v.boolean(),
});
type Removal = v.InferOutput<typeof REMOVAL>;

/** No window holds on to old values for longer. */
const REMOVAL_REMEMBERED_MILLIS = 90 * MILLIS_PER_DAY;

export class ConnectionStore implements Disposable {
  readonly #shared: Memento;
  readonly #workspace: Memento;
  readonly #clock: Clock;
  readonly #removals: DurableStore<Removal>;
  readonly #changed = new Emitter<void>();
  /** Connections were added, changed or removed, or another one is in use. */
  readonly onDidChange = this.#changed.event;
  #seen = '';

  constructor(shared: Memento, workspace: Memento, folder: DurableFolder, clock: Clock) {
    this.#shared = shared;
    this.#workspace = workspace;
    this.#clock = clock;
    this.#removals = new DurableStore({
      folder,
      memento: shared,
      prefix: REMOVING,
      parse: parseRemoval,
      isStale: ({ at, isDone }, now) => isDone && now - at > REMOVAL_REMEMBERED_MILLIS,
      now: () => clock.now(),
    });
    this.#seen = this.#fingerprint();
  }

  /** Reads which connections were removed, once. Until then one that another window brought back by mistake may seem to be there. */
  async load(): Promise<void> {
    if (!this.#removals.isLoaded) {
      await this.#removals.load();
      this.#announceChange();
    }
  }

  /** All, by name. */
  all(): readonly Connection[] {
    return this.#shared
      .keys()
      .filter((key) => key.startsWith(KEY) && !this.#isRemoved(key.slice(KEY.length)))
      .flatMap((key) => parseConnection(this.#shared.get(key)) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.createdAt - b.createdAt);
  }

  get(id: string): Connection | undefined {
    return this.#isRemoved(id) ? undefined : parseConnection(this.#shared.get(KEY + id));
  }

  /** The one that was chosen last here, else the oldest: one that is added, here or in another window, takes no place by its name. */
  inUse(): Connection | undefined {
    const id = this.#workspace.get<unknown>(IN_USE);
    return (
      (typeof id === 'string' ? this.get(id) : undefined) ?? this.all().toSorted((a, b) => a.createdAt - b.createdAt)[0]
    );
  }

  async use(id: string): Promise<void> {
    await this.#workspace.update(IN_USE, id);
    this.#changed.fire();
  }

  /** @param read The connection as it was before something was awaited that the change needs; undefined: nothing was. */
  async save(connection: Connection, read?: Connection): Promise<void> {
    const now = read && this.get(connection.id);
    const role = read && now ? roleToStore(connection.role, read.role, now.role) : connection.role;
    await this.#shared.update(KEY + connection.id, role === connection.role ? connection : { ...connection, role });
    this.#announce();
  }

  /** From now on the connection is not there any more, even should this window close before the rest of it is deleted. */
  async beginRemoval(id: string): Promise<void> {
    await this.#removals.load();
    await this.#removals.put(id, { at: this.#clock.now(), isDone: false });
    this.#announce();
  }

  /** Ids of connections whose removal began and did not end: cut short, or under way in another window. */
  unfinishedRemovals(): readonly string[] {
    return [...this.#removals.all()].flatMap(([id, { isDone }]) => (isDone ? [] : [id]));
  }

  /** Nothing of the connection is left. */
  async endRemoval(id: string): Promise<void> {
    await this.#shared.update(KEY + id, undefined);
    await this.#removals.put(id, { at: this.#clock.now(), isDone: true });
    this.#announce();
  }

  /** The removal failed: the connection is there again. */
  async cancelRemoval(id: string): Promise<void> {
    await this.#removals.delete(id);
    this.#announce();
  }

  /** Another window may have changed what is stored: VS Code keeps the values in step but says nothing. */
  async reload(): Promise<void> {
    if (this.#removals.isLoaded) {
      await this.#removals.reload();
    }
    this.#announceChange();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #isRemoved(id: string): boolean {
    return this.#removals.get(id) !== undefined;
  }

  #announceChange(): void {
    if (this.#fingerprint() !== this.#seen) {
      this.#announce();
    }
  }

  #announce(): void {
    this.#seen = this.#fingerprint();
    this.#changed.fire();
  }

  #fingerprint(): string {
    return JSON.stringify(this.all());
  }
}

/** 0.1.0 wrote `true`, and took the mark away once nothing was left. */
function parseRemoval(stored: unknown): Removal | undefined {
  if (stored === true) {
    return { at: 0, isDone: false };
  }
  const parsed = v.safeParse(REMOVAL, stored);
  return parsed.success ? parsed.output : undefined;
}
