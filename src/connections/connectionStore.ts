/** Which connections there are (globalState, shared by all windows) and which one is in use (this workspace). */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { DurableStore } from '../platform/durableStore.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { Emitter } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { parseConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import type { Role } from './role.ts';
import { RoleStore } from './roleStore.ts';

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
  readonly #roles: RoleStore;
  readonly #changed = new Emitter<void>();
  /** Connections were added, changed or removed, or another one is in use. */
  readonly onDidChange = this.#changed.event;
  /** By what was stored, which is replaced and never changed: lists ask for connections more often than those change. */
  readonly #known = new WeakMap<object, Connection>();
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
      clock,
    });
    this.#roles = new RoleStore(shared, folder, clock);
    this.#seen = this.#fingerprint();
  }

  /**
   * Reads which connections were removed and which roles were chosen, once. Until then one that another window brought back by
   * mistake may seem to be there, and a role may be an older one.
   */
  async load(): Promise<void> {
    if (!this.#removals.isLoaded || !this.#roles.isLoaded) {
      await Promise.all([this.#removals.load(), this.#roles.read().catch(() => undefined)]);
      this.#announceChange();
    }
  }

  /** All, by name. */
  all(): readonly Connection[] {
    return this.#shared
      .keys()
      .filter((key) => key.startsWith(KEY) && !this.#isRemoved(key.slice(KEY.length)))
      .flatMap((key) => this.#stored(key.slice(KEY.length)) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.createdAt - b.createdAt);
  }

  get(id: string): Connection | undefined {
    return this.#isRemoved(id) ? undefined : this.#stored(id);
  }

  /**
   * The connection with the role that was chosen last, in whichever window: for what may change something on its server. Undefined also
   * if another window has begun to remove it.
   * @throws ServiceFailure `storage` if the roles can't be read. To go by an older one could let a change through that was ruled out.
   */
  async getFresh(id: string): Promise<Connection | undefined> {
    try {
      await Promise.all([this.#roles.read(), this.#removals.reload()]);
    } catch {
      throw new ServiceFailure('storage', l10n.t("Couldn't check the role of this connection, so nothing was sent."), {
        next: l10n.t('Try again.'),
      });
    }
    this.#announceChange();
    return this.get(id);
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

  /**
   * Saves the connection. Another role than before is a choice of the user; any other change leaves the role as it is by now.
   * @param read The connection as it was before something was awaited that the change needs; undefined: nothing was.
   * @throws ServiceFailure `storage` if a choice can't be recorded; then nothing is saved.
   */
  async save(connection: Connection, read = this.get(connection.id)): Promise<void> {
    const { id, role } = connection;
    const saved =
      role === undefined || role === read?.role
        ? withRole(connection, this.get(id)?.role ?? role)
        : await this.#withChosenRole(connection, role, read);
    // One that was removed stays so: the mark that hides it is not kept for good.
    if (!this.#isRemoved(id)) {
      await this.#shared.update(KEY + id, saved);
    }
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
    await this.#roles.forget(id);
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
    await this.#roles.read().catch(() => undefined);
    this.#announceChange();
  }

  dispose(): void {
    this.#roles.dispose();
    this.#changed.dispose();
  }

  /** The role that stands in the connection itself is only for older versions, and where no choice was recorded. */
  #stored(id: string): Connection | undefined {
    const connection = this.#parsed(this.#shared.get(KEY + id));
    return connection && withRole(connection, this.#roles.of(id, connection.role).role);
  }

  #parsed(stored: unknown): Connection | undefined {
    if (typeof stored !== 'object' || stored === null) {
      return undefined;
    }
    const known = this.#known.get(stored) ?? parseConnection(stored);
    if (known !== undefined) {
      this.#known.set(stored, known);
    }
    return known;
  }

  async #withChosenRole(connection: Connection, chosen: Role, read: Connection | undefined): Promise<Connection> {
    const { id } = connection;
    const stored = parseConnection(this.#shared.get(KEY + id))?.role;
    const role = await this.#roles.choose(id, chosen, read?.role, stored);
    // Other fields may have changed while the choice was written, and keep that change.
    const isRoleAlone = read !== undefined && JSON.stringify(connection) === JSON.stringify(withRole(read, chosen));
    return withRole((isRoleAlone ? this.get(id) : undefined) ?? connection, role);
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

function withRole(connection: Connection, role: Role | undefined): Connection {
  return role === connection.role ? connection : { ...connection, role };
}

/** 0.1.0 wrote `true`, and took the mark away once nothing was left. */
function parseRemoval(stored: unknown): Removal | undefined {
  if (stored === true) {
    return { at: 0, isDone: false };
  }
  const parsed = v.safeParse(REMOVAL, stored);
  return parsed.success ? parsed.output : undefined;
}
