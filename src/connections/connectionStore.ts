/**
 * All connections, and the one used in this workspace. A connection is two files, its fields and its role, which is
 * read-only if that file is missing. What is known of its credential is a copy (see credentialStore.ts).
 */
import * as l10n from '@vscode/l10n';
import { Emitter, type Disposable } from '../platform/events.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folders } from '../platform/folder.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import {
  isSignInOf,
  parseConnection,
  parseSignIn,
  type Connection,
  type ConnectionFields,
  type SignIn,
  type StoredConnection,
} from './connection.ts';
import { parseRole, type ConnectionRole, type StoredRole } from './role.ts';

export class ConnectionStore implements Disposable {
  readonly #fields: FileStore<StoredConnection>;
  readonly #roles: FileStore<StoredRole>;
  readonly #signIns: Storage<SignIn>;
  readonly #inUse: Storage<string>;
  /** By ID. VS Code may lose the copy. */
  readonly #knownSignIns = new Map<string, SignIn | undefined>();
  readonly #changed = new Emitter<void>();
  /** Fires when any connection changes, or another one is used. */
  readonly onDidChange = this.#changed.event;
  #connections: ReadonlyMap<string, Connection> = new Map();
  /** IDs of connections that are being added. */
  readonly #hidden = new Set<string>();
  #seen = '';
  #failure: ServiceFailure | undefined;

  /** @param shared VS Code's storage of all windows. @param workspace That of this workspace. */
  constructor(folders: Folders, shared: Memento, workspace: Memento) {
    this.#fields = new FileStore(folders('connections'), parseConnection);
    this.#roles = new FileStore(folders('roles'), parseRole);
    this.#signIns = new Storage(shared, 'signIn.', parseSignIn);
    this.#inUse = new Storage(workspace, 'connectionInUse', (stored) =>
      typeof stored === 'string' ? stored : undefined,
    );
  }

  /** Reads the files once, and again after a failure. Never throws. */
  async load(): Promise<void> {
    if (!this.#fields.isLoaded || !this.#roles.isLoaded || this.#failure !== undefined) {
      // Both at once, for a fast start: whatever they decide reads them again.
      const loading = [this.#fields.reload(), this.#roles.reload()];
      // Waits for both, so that an unreadable folder doesn't hide what is in the other.
      const isOver = Promise.allSettled(loading).then(() => Promise.all(loading));
      await this.#announcing(() => isOver).catch(() => undefined);
    }
  }

  /** Reads what other windows changed. Never throws. */
  async reload(): Promise<void> {
    await this.#readFiles().catch(() => undefined);
  }

  /** Why the folder of the connections can't be read; undefined if it can. */
  get failure(): ServiceFailure | undefined {
    return this.#failure;
  }

  /** Returns all readable connections, by name. */
  all(): readonly Connection[] {
    return [...this.#connections.values()].filter(({ id }) => !this.#hidden.has(id));
  }

  get(id: string): Connection | undefined {
    return this.#connections.get(id);
  }

  /** IDs of connections whose files can't be read. */
  unreadable(): readonly string[] {
    return this.#fields.unreadable();
  }

  /**
   * Returns the connection as any window stored it last. For everything that may change its server.
   * @throws ServiceFailure `storage` if it can't be read, since an outdated role could allow a change that was ruled
   * out.
   */
  async getFresh(id: string): Promise<Connection | undefined> {
    await this.#readFiles();
    return this.get(id);
  }

  /** The connection chosen in this workspace, or the oldest one. */
  inUse(): Connection | undefined {
    const id = this.#inUse.get('');
    return (id === undefined ? undefined : this.get(id)) ?? this.all().toSorted((a, b) => a.createdAt - b.createdAt)[0];
  }

  async use(id: string): Promise<void> {
    await this.#inUse.set('', id);
    this.#changed.fire();
  }

  /**
   * Stores a new connection.
   * @param signIn Signs in to it before anything shows it, or its rows would be asked for without the token.
   * @throws ServiceFailure `storage` if it isn't stored, and what `signIn` throws. Nothing is stored then.
   */
  async add(
    { id, ...fields }: ConnectionFields,
    role: ConnectionRole,
    signIn: (added: Connection) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    this.#hidden.add(id);
    try {
      await this.#storing(async () => {
        // The role first: no connection is without one.
        await this.#roles.create(id, { role });
        await this.#fields.create(id, fields);
      });
      const added = this.get(id);
      await (added && signIn(added));
    } catch (thrown) {
      // The next attempt may have another role.
      await this.remove(id).catch(() => undefined);
      throw thrown;
    } finally {
      this.#hidden.delete(id);
      this.#announceIfChanged();
    }
  }

  /**
   * Changes a stored connection.
   * @param change Returns what changes, by the fields that any window stored last.
   * @returns the connection from then on. Undefined if it was removed. @throws ServiceFailure `storage`.
   */
  async change(
    id: string,
    change: (current: Connection) => Partial<StoredConnection>,
  ): Promise<Connection | undefined> {
    await this.#storing(() =>
      this.#fields.change(id, (stored) => stored && { ...stored, ...change(this.#connectionOf(id, stored)) }),
    );
    return this.get(id);
  }

  /** Stores a role that the user chose. @throws ServiceFailure `storage`. Then nothing is stored. */
  async setRole(id: string, role: ConnectionRole): Promise<void> {
    await this.#storing(async () => {
      await this.#readFiles();
      // Not if it was removed meanwhile: nothing would delete the file.
      const isThere = (): boolean => this.#fields.get(id) !== undefined || this.#fields.unreadable().includes(id);
      await this.#roles.change(id, () => (isThere() ? { role } : undefined));
    });
  }

  /** Deletes the files of a connection, and the copy. The credential is deleted before. @throws ServiceFailure `storage`. */
  async remove(id: string): Promise<void> {
    await this.#storing(async () => {
      await this.#fields.remove(id);
      // None is chosen from now on, and one alone is harmless.
      await this.#roles.remove(id).catch(() => undefined);
    });
    await this.learnSignIn(id, undefined);
  }

  /** Stores the copy of what is known of a credential. Undefined if there is none. */
  async learnSignIn(id: string, signIn: SignIn | undefined): Promise<void> {
    const before = this.#signIn(id);
    this.#knownSignIns.set(id, signIn);
    if (JSON.stringify(before) !== JSON.stringify(signIn)) {
      this.#announceIfChanged();
      // Learned again with the next reading of the secret.
      await this.#signIns.set(id, signIn).catch(() => undefined);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #readFiles(): Promise<void> {
    return this.#announcing(async () => {
      await this.#fields.reload();
      // Last, since a disk may hang meanwhile: what it decides must be what was chosen last.
      await this.#roles.reload();
    });
  }

  /** Announces what was read, or why it wasn't. @throws ServiceFailure `storage`. */
  async #announcing(read: () => Promise<unknown>): Promise<void> {
    try {
      await read();
      this.#failure = undefined;
    } catch {
      this.#failure = new ServiceFailure('storage', l10n.t("Couldn't read the connections from the disk."), {
        next: l10n.t('Try again.'),
      });
      throw this.#failure;
    } finally {
      this.#announceIfChanged();
    }
  }

  /** Announces what was stored. @throws ServiceFailure `storage` if it wasn't. */
  async #storing(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      throw thrown instanceof ServiceFailure ? thrown : notStored();
    } finally {
      this.#announceIfChanged();
    }
  }

  #signIn(id: string): SignIn | undefined {
    return this.#knownSignIns.has(id) ? this.#knownSignIns.get(id) : this.#signIns.get(id);
  }

  #announceIfChanged(): void {
    const connections = [...this.#fields.all()]
      .map(([id, fields]) => this.#connectionOf(id, fields))
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.createdAt - b.createdAt);
    this.#connections = new Map(connections.map((connection) => [connection.id, connection]));
    const seen = JSON.stringify([this.all(), this.unreadable(), this.#failure?.message]);
    if (seen !== this.#seen) {
      this.#seen = seen;
      this.#changed.fire();
    }
  }

  #connectionOf(id: string, fields: StoredConnection): Connection {
    const { role } = this.#roles.get(id) ?? {};
    const signIn = this.#signIn(id);
    const known = signIn !== undefined && isSignInOf(signIn, fields) ? signIn : undefined;
    return {
      id,
      ...fields,
      actorUrn: known?.user ?? fields.typedUser,
      role: role ?? 'readOnly',
      ...(role === undefined && !this.#roles.unreadable().includes(id) && { lacksRole: true }),
      ...(known !== undefined && { signIn: known }),
    };
  }
}

function notStored(): ServiceFailure {
  return new ServiceFailure('storage', l10n.t("Couldn't save the connection."), { next: l10n.t('Try again.') });
}
