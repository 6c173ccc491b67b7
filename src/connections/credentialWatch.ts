/** Notices in an open window when a credential begins to warn, and when it ends. */
import type { Clock } from '../time.ts';
import type { Disposable } from '../platform/events.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { afterCredentialChange, credentialEnd, type CredentialEnd } from './credentialLife.ts';

interface CredentialWatchParts {
  readonly store: Pick<ConnectionStore, 'all' | 'onDidChange'>;
  readonly clock: Clock;
  /** Shows what is known of the credentials now. */
  readonly show: () => void;
  /** Called once for a credential that ended while the window was open. */
  readonly expired: (connection: Connection) => void;
}

export class CredentialWatch implements Disposable {
  readonly #parts: CredentialWatchParts;
  readonly #subscription: Disposable;
  /** By connection and credential. */
  #states = new Map<string, CredentialEnd['state'] | undefined>();
  #stopTimer: () => void = () => undefined;

  constructor(parts: CredentialWatchParts) {
    this.#parts = parts;
    this.#subscription = parts.store.onDidChange(() => this.check());
    this.check();
  }

  check(): void {
    const { store, clock, show, expired } = this.#parts;
    const [before, now, connections] = [this.#states, clock.now(), store.all()];
    this.#states = new Map(connections.map((one) => [keyOf(one), credentialEnd(one, now)?.state]));
    this.#stopTimer();
    this.#stopTimer = afterCredentialChange(connections, clock, () => this.check());
    const changed = connections.filter((one) => {
      const key = keyOf(one);
      return before.has(key) && before.get(key) !== this.#states.get(key);
    });
    if (changed.length > 0) {
      show();
    }
    for (const connection of changed) {
      if (this.#states.get(keyOf(connection)) === 'expired') {
        expired(connection);
      }
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#stopTimer();
  }
}

function keyOf({ id, signIn }: Connection): string {
  return `${id}.${signIn?.storedAt ?? ''}`;
}
