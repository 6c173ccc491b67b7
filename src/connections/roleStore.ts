/**
 * The roles that the user chose, each choice in a small file of its own, numbered and never changed once it is there. VS Code's storage
 * alone would not do: it keeps all keys as one value, so that a write of another window takes a choice away without a trace. It
 * holds a copy all the same, for windows that have another folder, as a local and a remote one do.
 */
import * as v from 'valibot';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { SETTLING_MILLIS } from '../platform/durableStore.ts';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { parseJson } from '../service/json.ts';
import * as l10n from '@vscode/l10n';
import { ROLES, isLaxer, roleToStore, stricterOf } from './role.ts';
import type { Role } from './role.ts';

export interface RoleChoice {
  /** Undefined: none was chosen. */
  readonly role: Role | undefined;
  /** One more than that of the last choice its window knew. 0: stored with the connection, as before choices had files. */
  readonly counter: number;
}

/**
 * The choice that holds: the last one, so that a deliberate relaxation is kept. Two with the same counter were made by windows that
 * didn't know of each other. Their order can't be told, so the stricter one holds.
 */
export function prevailingChoice(choices: readonly RoleChoice[]): RoleChoice {
  return choices.reduce((best, choice) => (isOutdone(best, choice) ? choice : best), { role: undefined, counter: 0 });
}

function isOutdone(choice: RoleChoice, by: RoleChoice): boolean {
  return by.counter > choice.counter || (by.counter === choice.counter && isLaxer(choice.role, by.role));
}

/** A choice as a file has it. */
interface RoleFile extends RoleChoice {
  readonly connectionId: string;
  readonly isReadable: boolean;
}

const PREFIX = 'role.';
/** A role that only a later version knows counts as the strictest, as in `ROLE`. */
const STORED_ROLE = v.object({ role: v.fallback(v.picklist(ROLES), 'readOnly') });
const STORED_CHOICE = v.object({ ...STORED_ROLE.entries, counter: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });
const FILE_NAME = /^role\.([0-9a-f-]{36})\.([1-9]\d{0,14})\.json$/;

/** Older choices stay a while: a window that lists the folder just before a file is removed still finds the one before it. */
const CHOICES_KEPT = 5;
/** Other windows may choose at the same time; more often than this it is no coincidence. */
const MOST_TRIES = 5;

export class RoleStore implements Disposable {
  readonly #memento: Memento;
  readonly #folder: DurableFolder;
  readonly #clock: Clock;
  /** By name. */
  #files: ReadonlyMap<string, RoleFile> = new Map();
  #isLoaded = false;
  #reading: Promise<void> = Promise.resolve();
  readonly #timers = new Map<string, () => void>();

  constructor(memento: Memento, folder: DurableFolder, clock: Clock) {
    this.#memento = memento;
    this.#folder = folder;
    this.#clock = clock;
  }

  /** True once the files were read; only VS Code's copies are known before. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** The choice that holds, as far as this window has read. @param stored The role that stands in the connection itself. */
  of(connectionId: string, stored: Role | undefined): RoleChoice {
    return prevailingChoice([
      { role: stored, counter: 0 },
      ...this.#copies(connectionId),
      ...this.#filesOf(connectionId),
    ]);
  }

  /**
   * Reads the files again. One reading follows the other, so that an older one never replaces a newer one.
   * @throws what the file system throws; then all that was read before stays.
   */
  read(): Promise<void> {
    const reading = this.#reading.then(() => this.#readFiles());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /**
   * Records a choice of the user.
   * @param seen The role that the user knew of when choosing. @param stored As for `of`.
   * @returns the role that holds: the stricter one if another window chose meanwhile.
   * @throws ServiceFailure `storage` if it can't be recorded.
   */
  async choose(
    connectionId: string,
    chosen: Role,
    seen: Role | undefined,
    stored: Role | undefined,
  ): Promise<Role | undefined> {
    try {
      await this.read();
      let now = this.of(connectionId, stored);
      let role = roleToStore(chosen, seen, now.role);
      for (let tries = 0; role !== now.role; tries++) {
        if (tries === MOST_TRIES) {
          throw new RangeError('Each number of a choice is taken.');
        }
        const name = fileName(connectionId, now.counter + 1);
        // oxlint-disable-next-line no-await-in-loop -- tried again only if another window chose at the same time
        await this.#folder.create(name, JSON.stringify({ role }));
        // oxlint-disable-next-line no-await-in-loop -- see above
        await this.read();
        now = this.of(connectionId, stored);
        // Not held against `seen` any more: a choice made meanwhile counts even if it is the role from before.
        role = stricterOf(role, now.role);
      }
    } catch {
      throw new ServiceFailure('storage', l10n.t("Couldn't save the role of this connection."), {
        next: l10n.t('Try again.'),
      });
    }
    await this.#copyToMemento(connectionId);
    await this.#prune(connectionId);
    return this.of(connectionId, stored).role;
  }

  /** Deletes all choices of a connection that is removed. */
  async forget(connectionId: string): Promise<void> {
    this.#stopTimer(connectionId);
    await this.read().catch(() => undefined);
    await this.#remove(this.#filesOf(connectionId));
    await this.#memento.update(PREFIX + connectionId, undefined);
  }

  dispose(): void {
    for (const id of this.#timers.keys()) {
      this.#stopTimer(id);
    }
  }

  /** Files never change, so one that was read once needs no second reading, and is known even if it can't be read any more. */
  async #readFiles(): Promise<void> {
    const texts = await this.#folder.readAll();
    const files = new Map([...this.#files].filter(([, { isReadable }]) => isReadable));
    for (const [name, text] of texts) {
      const file = files.has(name) ? undefined : parseFile(name, text);
      if (file !== undefined) {
        files.set(name, file);
      }
    }
    this.#files = files;
    this.#isLoaded = true;
  }

  #filesOf(connectionId: string): readonly RoleFile[] {
    return [...this.#files.values()].filter((file) => file.connectionId === connectionId);
  }

  /** The choice in VS Code's storage, if there is one. */
  #copies(connectionId: string): readonly RoleChoice[] {
    const parsed = v.safeParse(STORED_CHOICE, this.#memento.get<unknown>(PREFIX + connectionId));
    return parsed.success ? [parsed.output] : [];
  }

  /** The write of another window may take the copy away again, and no window with this folder would miss it: looked at once more. */
  async #copyToMemento(connectionId: string, tries = MOST_TRIES): Promise<void> {
    const { role, counter } = prevailingChoice(this.#filesOf(connectionId));
    if (counter === 0 || tries === 0 || !isOutdone(prevailingChoice(this.#copies(connectionId)), { role, counter })) {
      return;
    }
    // The file counts where VS Code doesn't keep the copy.
    await Promise.resolve(this.#memento.update(PREFIX + connectionId, { role, counter })).catch(() => undefined);
    this.#stopTimer(connectionId);
    const again = (): void => void this.#copyToMemento(connectionId, tries - 1);
    this.#timers.set(connectionId, this.#clock.after(SETTLING_MILLIS, again));
  }

  #stopTimer(connectionId: string): void {
    this.#timers.get(connectionId)?.();
    this.#timers.delete(connectionId);
  }

  async #prune(connectionId: string): Promise<void> {
    const newestFirst = this.#filesOf(connectionId).toSorted((a, b) => b.counter - a.counter);
    await this.#remove(newestFirst.slice(CHOICES_KEPT));
  }

  async #remove(files: readonly RoleFile[]): Promise<void> {
    const names = files.map(({ connectionId, counter }) => fileName(connectionId, counter));
    await Promise.all(names.map((name) => this.#folder.remove(name).catch(() => undefined)));
    this.#files = new Map([...this.#files].filter(([name]) => !names.includes(name)));
  }
}

/**
 * A file that can't be read, or is damaged, counts as the strictest role: the user chose something, and taking it for the laxer
 * roles could let a change through that was ruled out. Only a later choice makes up for it, since the user made it knowing more;
 * Set Connection Role is always there for one. An earlier choice doesn't: the damaged one may have been made to tighten it.
 * @returns undefined for a file of something else.
 */
function parseFile(name: string, text: string | undefined): RoleFile | undefined {
  const [, connectionId, digits] = FILE_NAME.exec(name) ?? [];
  if (connectionId === undefined || digits === undefined) {
    return undefined;
  }
  const parsed = v.safeParse(STORED_ROLE, text === undefined ? undefined : parseJson(text));
  const counter = Number(digits);
  return parsed.success
    ? { connectionId, counter, role: parsed.output.role, isReadable: true }
    : { connectionId, counter, role: 'readOnly', isReadable: false };
}

function fileName(connectionId: string, counter: number): string {
  return `${PREFIX}${connectionId}.${counter}.json`;
}
