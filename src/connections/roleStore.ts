/**
 * The roles that the user chose. Each choice is a file of its own, numbered and never changed. VS Code's
 * storage has a copy of the newest one, for windows with another folder: a local and a remote window.
 */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { DurableStore, SETTLING_MILLIS } from '../platform/durableStore.ts';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../time.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { ROLES, isLaxerRole, roleToStore, stricterRole, type ConnectionRole } from './role.ts';

export interface RoleChoice {
  /** Undefined if none was chosen. */
  readonly role: ConnectionRole | undefined;
  /**
   * One more than that of the last choice its window knew. 0 for a role stored with the connection by earlier
   * versions.
   */
  readonly counter: number;
}

/**
 * Returns the last choice, so that a deliberate relaxation holds. Two with the same counter were made by
 * windows that didn't know each other's choice, so their order is unknown and the stricter one holds.
 */
export function prevailingChoice(choices: readonly RoleChoice[]): RoleChoice {
  return choices.reduce((best, choice) => (isOutdoneBy(best, choice) ? choice : best), { role: undefined, counter: 0 });
}

function isOutdoneBy(choice: RoleChoice, by: RoleChoice): boolean {
  return by.counter > choice.counter || (by.counter === choice.counter && isLaxerRole(choice.role, by.role));
}

const PREFIX = 'role.';
/** An unknown role counts as the strictest, as in `ROLE`. */
const STORED_ROLE = v.object({ role: v.fallback(v.picklist(ROLES), 'readOnly') });
type StoredRoleChoice = v.InferOutput<typeof STORED_ROLE>;
const STORED_CHOICE = v.object({ ...STORED_ROLE.entries, counter: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) });
/** Connection ID and counter. */
const CHOICE_ID = /^([0-9a-f-]{36})\.([1-9]\d{0,14})$/;

/** Older choices stay for windows that list the folder. */
const CHOICES_KEPT = 5;
/** More attempts of other windows are no coincidence. */
const MOST_TRIES = 5;

export class ConnectionRoleStore implements Disposable {
  readonly #memento: Memento;
  readonly #clock: Clock;
  readonly #files: DurableStore<StoredRoleChoice>;
  readonly #timers = new Map<string, () => void>();

  constructor(memento: Memento, folder: DurableFolder, clock: Clock) {
    this.#memento = memento;
    this.#clock = clock;
    this.#files = new DurableStore({ folder, memento: undefined, prefix: PREFIX, parse: parseRoleFile, clock });
  }

  /** True once the files were read. Copies are known before. */
  get isLoaded(): boolean {
    return this.#files.isLoaded;
  }

  /** Returns the choice that holds, as far as known. @param stored The role stored with the connection. */
  prevailingChoiceOf(connectionId: string, stored: ConnectionRole | undefined): RoleChoice {
    return prevailingChoice([
      { role: stored, counter: 0 },
      ...this.#copiedChoices(connectionId),
      ...this.#recordedChoices(connectionId),
    ]);
  }

  /** Reads the files again. @throws what the file system throws. */
  async readRoleFiles(): Promise<void> {
    await this.#files.readAgain();
  }

  /**
   * Records a choice of the user.
   * @param seen The role that the user knew. @param stored As for `prevailingChoiceOf`.
   * @returns the role that holds: the stricter one if another window chose meanwhile.
   * @throws ServiceFailure `storage` if it can't be recorded.
   */
  async recordChoice(
    connectionId: string,
    chosen: ConnectionRole,
    seen: ConnectionRole | undefined,
    stored: ConnectionRole | undefined,
  ): Promise<ConnectionRole | undefined> {
    try {
      await this.readRoleFiles();
      let now = this.prevailingChoiceOf(connectionId, stored);
      let role = roleToStore(chosen, seen, now.role);
      for (let tries = 0; role !== undefined && role !== now.role; tries++) {
        if (tries === MOST_TRIES) {
          throw new RangeError('Each number of a choice is taken.');
        }
        // Repeated only if another window chose meanwhile.
        await this.#files.create(choiceFileId(connectionId, now.counter + 1), { role });
        await this.readRoleFiles();
        now = this.prevailingChoiceOf(connectionId, stored);
        // A choice made meanwhile counts, even if it equals `seen`.
        role = stricterRole(role, now.role);
      }
    } catch {
      throw new ServiceFailure('storage', l10n.t("Couldn't save the role of this connection."), {
        next: l10n.t('Try again.'),
      });
    }
    await this.#copyToMemento(connectionId);
    await this.#removeOldChoices(connectionId);
    return this.prevailingChoiceOf(connectionId, stored).role;
  }

  /** Deletes all choices of a removed connection. */
  async forgetChoices(connectionId: string): Promise<void> {
    this.#stopCopyTimer(connectionId);
    await this.#files.reload();
    await this.#removeChoices(connectionId, this.#recordedChoices(connectionId));
    await this.#memento.update(PREFIX + connectionId, undefined);
  }

  dispose(): void {
    for (const id of this.#timers.keys()) {
      this.#stopCopyTimer(id);
    }
  }

  #recordedChoices(connectionId: string): readonly RoleChoice[] {
    return [...this.#files.all()].flatMap(([id, { role }]) => {
      const [, owner, counter] = CHOICE_ID.exec(id) ?? [];
      return owner === connectionId ? [{ role, counter: Number(counter) }] : [];
    });
  }

  #copiedChoices(connectionId: string): readonly RoleChoice[] {
    const parsed = v.safeParse(STORED_CHOICE, this.#memento.get<unknown>(PREFIX + connectionId));
    return parsed.success ? [parsed.output] : [];
  }

  /**
   * Writes the copy, and checks it later: a write of another window may lose it, and no window with this folder
   * would notice.
   */
  async #copyToMemento(connectionId: string, tries = MOST_TRIES): Promise<void> {
    const { role, counter } = prevailingChoice(this.#recordedChoices(connectionId));
    if (
      counter === 0 ||
      tries === 0 ||
      !isOutdoneBy(prevailingChoice(this.#copiedChoices(connectionId)), { role, counter })
    ) {
      return;
    }
    // Without a copy, the file still counts.
    await Promise.resolve(this.#memento.update(PREFIX + connectionId, { role, counter })).catch(() => undefined);
    this.#stopCopyTimer(connectionId);
    const copyToMementoAgain = (): void => void this.#copyToMemento(connectionId, tries - 1);
    this.#timers.set(connectionId, this.#clock.after(SETTLING_MILLIS, copyToMementoAgain));
  }

  #stopCopyTimer(connectionId: string): void {
    this.#timers.get(connectionId)?.();
    this.#timers.delete(connectionId);
  }

  async #removeOldChoices(connectionId: string): Promise<void> {
    const newestFirst = this.#recordedChoices(connectionId).toSorted((a, b) => b.counter - a.counter);
    await this.#removeChoices(connectionId, newestFirst.slice(CHOICES_KEPT));
  }

  async #removeChoices(connectionId: string, choices: readonly RoleChoice[]): Promise<void> {
    const ids = choices.map(({ counter }) => choiceFileId(connectionId, counter));
    await Promise.all(ids.map((id) => this.#files.removeFile(id).catch(() => undefined)));
  }
}

/**
 * Returns the strictest role for an unreadable or damaged file: the user chose something, and a laxer guess
 * could allow a change that was ruled out. Only a later choice replaces it, as by Set Connection Role. An
 * earlier one doesn't, since the damaged one may have been stricter.
 */
function parseRoleFile(stored: unknown): StoredRoleChoice {
  const parsed = v.safeParse(STORED_ROLE, stored);
  return parsed.success ? parsed.output : { role: 'readOnly' };
}

function choiceFileId(connectionId: string, counter: number): string {
  return `${connectionId}.${counter}`;
}
