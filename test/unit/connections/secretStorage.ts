/** A secret storage in memory that reports each change some time later, as VS Code's does. */
import { Emitter } from '../../../src/platform/events.ts';
import type { SecretStorage } from '../../../src/connections/credentialStore.ts';

export class MemorySecrets implements SecretStorage {
  readonly #stored = new Map<string, string>();
  readonly #changed = new Emitter<{ readonly key: string }>();
  readonly onDidChange = this.#changed.event as SecretStorage['onDidChange'];

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.#stored.get(key));
  }

  store(key: string, value: string): Promise<void> {
    this.#stored.set(key, value);
    setImmediate(() => this.#changed.fire({ key }));
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.#stored.delete(key);
    setImmediate(() => this.#changed.fire({ key }));
    return Promise.resolve();
  }
}
