/** VS Code's storage for small values, shared by all windows. A crash may lose some. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';

/** The used part of VS Code's `globalState` and `workspaceState`. */
export interface Memento {
  keys(): readonly string[];
  get<T>(key: string): T | undefined;
  /** Undefined deletes the key. Fulfilled before anything is on disk. */
  update(key: string, value: unknown): Thenable<void>;
}

/** More interference by other windows is no coincidence. */
const MOST_TRIES = 5;

/**
 * Writes one key after the other, and again if it got lost.
 *
 * VS Code keeps all keys of an extension as one value, and sends every written value back to the extension
 * host, even the host's own. It replaces the whole value there, so a key that was set during an earlier write
 * can get lost, although its update is fulfilled.
 */
export class RetryingMemento implements Memento {
  readonly #memento: Memento;
  /** Values to be written, included in `get` and `keys`. */
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

  /** @throws ServiceFailure `storage` if VS Code doesn't keep the value. */
  update(key: string, value: unknown): Promise<void> {
    const mine = { value: value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown) };
    this.#waiting.set(key, mine);
    const written = this.#last
      .then(() => this.#writeUntilKept(key, mine.value))
      .finally(() => {
        if (this.#waiting.get(key) === mine) {
          this.#waiting.delete(key);
        }
      });
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #writeUntilKept(key: string, value: unknown): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      await this.#memento.update(key, value);
      if (JSON.stringify(this.#memento.get(key)) === JSON.stringify(value)) {
        return;
      }
    }
    throw valueNotKept();
  }
}

/** Failure of a value that VS Code keeps losing. */
export function valueNotKept(): ServiceFailure {
  return new ServiceFailure('storage', l10n.t("VS Code didn't keep the stored data."), { next: l10n.t('Try again.') });
}
