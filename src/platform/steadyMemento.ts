/**
 * VS Code keeps all keys of an extension as one value, and tells the extension host of every value that was written, the host's
 * own writes too. Such news replaces the whole value here: a key that is set while an earlier write is under way can be gone again
 * before it was sent, although its update is fulfilled. So one key is written after the other, and what is not there afterwards
 * is written again.
 */
import { ServiceFailure } from '../service/failure/failure.ts';
import * as l10n from '@vscode/l10n';
import type { Memento } from './memento.ts';

/** News of another window may come in between time and again; more often than this it is no coincidence. */
const MOST_TRIES = 5;

export class SteadyMemento implements Memento {
  readonly #memento: Memento;
  /** What is still to be written, as it will be stored: it counts as there. */
  readonly #waiting = new Map<string, { readonly value: unknown }>();
  #last: Promise<void> = Promise.resolve();

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  keys(): readonly string[] {
    const keys = new Set(this.#memento.keys());
    for (const [key, { value }] of this.#waiting) {
      if (value === undefined) {
        keys.delete(key);
      } else {
        keys.add(key);
      }
    }
    return [...keys];
  }

  get<T>(key: string): T | undefined {
    const waiting = this.#waiting.get(key);
    return waiting === undefined ? this.#memento.get<T>(key) : (waiting.value as T | undefined);
  }

  /** @throws ServiceFailure `storage` when VS Code does not keep it. */
  update(key: string, value: unknown): Promise<void> {
    const mine = { value: value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown) };
    this.#waiting.set(key, mine);
    const written = this.#last
      .then(() => this.#write(key, mine.value))
      .finally(() => {
        if (this.#waiting.get(key) === mine) {
          this.#waiting.delete(key);
        }
      });
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #write(key: string, value: unknown): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      // oxlint-disable-next-line no-await-in-loop -- each try is judged before the next
      await this.#memento.update(key, value);
      if (JSON.stringify(this.#memento.get(key)) === JSON.stringify(value)) {
        return;
      }
    }
    throw notKept();
  }
}

/** VS Code lost a value each time it was written. */
export function notKept(): ServiceFailure {
  return new ServiceFailure('storage', l10n.t("VS Code didn't keep what was stored."), { next: l10n.t('Try again.') });
}
