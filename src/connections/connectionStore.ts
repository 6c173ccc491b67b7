/** Stores all connections, and the one used in this workspace. */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { DurableStore } from '../platform/durableStore.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { type Clock, MILLIS_PER_DAY } from '../time.ts';
import { parseConnection, type Connection } from './connection.ts';
import { offeredRole, type ConnectionRole } from './role.ts';
import { ConnectionRoleStore } from './roleStore.ts';

const KEY = 'connection.';
/** Marks a connection under removal, or removed. */
const REMOVING = 'removing.';
const IN_USE = 'connectionInUse';

/**
 * Stays after the removal, to hide the connection if it comes back: globalState is one value for all keys, so a
 * window that writes a moment later writes the connection too.
 */
const REMOVAL = v.object({
  /** Unix time in ms. */
  at: v.number(),
  /** Everything of the connection is deleted. */
  isDone: v.boolean(),
});
type ConnectionRemovalMark = v.InferOutput<typeof REMOVAL>;

/** No window holds old values longer. */
const REMOVAL_REMEMBERED_MILLIS = 90 * MILLIS_PER_DAY;

export class ConnectionStore implements Disposable {
  readonly #shared: Memento;
  readonly #workspace: Memento;
  readonly #clock: Clock;
  readonly #removals: DurableStore<ConnectionRemovalMark>;
  readonly #roles: ConnectionRoleStore;
  readonly #changed = new Emitter<void>();
  /** Fires when any connection changes, or another one is used. */
  readonly onDidChange = this.#changed.event;
  /** Parsed connections by their stored objects, which never change. Lists ask more often than connections change. */
  readonly #parsedConnections = new WeakMap<object, Connection>();
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
    this.#roles = new ConnectionRoleStore(shared, folder, clock);
    this.#seen = this.#fingerprint();
  }

  /** Reads removals and roles once. Before, either may be outdated. */
  async load(): Promise<void> {
    if (!this.#removals.isLoaded || !this.#roles.isLoaded) {
      await Promise.all([this.#removals.load(), this.#roles.readRoleFiles().catch(() => undefined)]);
      this.#announceIfChanged();
    }
  }

  /** Returns all connections, by name. */
  all(): readonly Connection[] {
    return this.#shared
      .keys()
      .filter((key) => key.startsWith(KEY) && !this.#isRemoved(key.slice(KEY.length)))
      .flatMap((key) => this.#storedConnection(key.slice(KEY.length)) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.createdAt - b.createdAt);
  }

  get(id: string): Connection | undefined {
    return this.#isRemoved(id) ? undefined : this.#storedConnection(id);
  }

  /**
   * Returns the connection with the role that any window chose last. For everything that may change its server.
   * Undefined also if another window has begun to remove it.
   * @throws ServiceFailure `storage` if roles can't be read, since an outdated role could allow a change that
   * was ruled out.
   */
  async getFresh(id: string): Promise<Connection | undefined> {
    try {
      await Promise.all([this.#roles.readRoleFiles(), this.#removals.reload()]);
    } catch {
      throw new ServiceFailure('storage', l10n.t("Couldn't check the role of this connection, so nothing was sent."), {
        next: l10n.t('Try again.'),
      });
    }
    this.#announceIfChanged();
    return this.get(id);
  }

  /** The connection chosen in this workspace, or the oldest one. */
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
   * Saves the connection. A role other than before is a choice of the user. Any other change keeps the stored role.
   * @param read The connection as it was when the change began. Undefined if that was just now.
   * @throws ServiceFailure `storage` if a choice can't be recorded. Then nothing is saved.
   */
  async save(connection: Connection, read = this.get(connection.id)): Promise<void> {
    const { id, role } = connection;
    const saved =
      role === undefined || role === read?.role
        ? withChangedRole(connection, this.get(id)?.role ?? role)
        : await this.#withChosenRole(connection, role, read);
    // Its mark will expire, so never store a removed connection again.
    if (!this.#isRemoved(id)) {
      // The recorded choice alone says that the user made it.
      await this.#shared.update(KEY + id, withChangedRole(saved, offeredRole(saved.role)));
    }
    this.#announceChange();
  }

  /** Hides the connection, even if this window closes early. */
  async beginRemoval(id: string): Promise<void> {
    await this.#removals.load();
    await this.#removals.put(id, { at: this.#clock.now(), isDone: false });
    this.#announceChange();
  }

  /** Returns connections whose removal was interrupted, or runs elsewhere. */
  unfinishedRemovals(): readonly string[] {
    return [...this.#removals.all()].flatMap(([id, { isDone }]) => (isDone ? [] : [id]));
  }

  /** Ends a removal. Everything else of the connection is deleted. */
  async completeRemoval(id: string): Promise<void> {
    await this.#shared.update(KEY + id, undefined);
    await this.#roles.forgetChoices(id);
    await this.#removals.put(id, { at: this.#clock.now(), isDone: true });
    this.#announceChange();
  }

  /** Shows the connection again after a failed removal. */
  async cancelRemoval(id: string): Promise<void> {
    await this.#removals.delete(id);
    this.#announceChange();
  }

  /** Reads changes of other windows, unreported by VS Code. */
  async reload(): Promise<void> {
    if (this.#removals.isLoaded) {
      await this.#removals.reload();
    }
    await this.#roles.readRoleFiles().catch(() => undefined);
    this.#announceIfChanged();
  }

  dispose(): void {
    this.#roles.dispose();
    this.#changed.dispose();
  }

  /** The connection's own role is for older versions only. */
  #storedConnection(id: string): Connection | undefined {
    const connection = this.#parsedConnection(this.#shared.get(KEY + id));
    return connection && withChangedRole(connection, this.#roles.prevailingChoiceOf(id, connection.role).role);
  }

  #parsedConnection(stored: unknown): Connection | undefined {
    if (typeof stored !== 'object' || stored === null) {
      return undefined;
    }
    const known = this.#parsedConnections.get(stored) ?? parseConnection(stored);
    if (known !== undefined) {
      this.#parsedConnections.set(stored, known);
    }
    return known;
  }

  async #withChosenRole(
    connection: Connection,
    chosen: ConnectionRole,
    read: Connection | undefined,
  ): Promise<Connection> {
    const { id } = connection;
    const stored = parseConnection(this.#shared.get(KEY + id))?.role;
    const role = await this.#roles.recordChoice(id, chosen, read?.role, stored);
    // Other fields may have changed while the choice was written.
    const isRoleAlone =
      read !== undefined && JSON.stringify(connection) === JSON.stringify(withChangedRole(read, chosen));
    return withChangedRole((isRoleAlone ? this.get(id) : undefined) ?? connection, role);
  }

  #isRemoved(id: string): boolean {
    return this.#removals.get(id) !== undefined;
  }

  #announceIfChanged(): void {
    if (this.#fingerprint() !== this.#seen) {
      this.#announceChange();
    }
  }

  #announceChange(): void {
    this.#seen = this.#fingerprint();
    this.#changed.fire();
  }

  #fingerprint(): string {
    return JSON.stringify(this.all());
  }
}

function withChangedRole(connection: Connection, role: ConnectionRole | undefined): Connection {
  return role === connection.role ? connection : { ...connection, role };
}

/** 0.1.0 stored `true`, and deleted the mark at the end. */
function parseRemoval(stored: unknown): ConnectionRemovalMark | undefined {
  if (stored === true) {
    return { at: 0, isDone: false };
  }
  const parsed = v.safeParse(REMOVAL, stored);
  return parsed.success ? parsed.output : undefined;
}
