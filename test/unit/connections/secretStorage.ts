/** A secret storage in memory that reports each change some time later, as VS Code's does. */
import { Emitter } from '../../../src/platform/events.ts';
import type { SecretStorage } from '../../../src/connections/credentialStore.ts';

/** @param stored By key: what the system's keychain holds. */
export function memorySecrets(stored = new Map<string, string>()): SecretStorage {
  const changed = new Emitter<{ readonly key: string }>();
  return {
    get: (key) => Promise.resolve(stored.get(key)),
    store: (key, value) => {
      stored.set(key, value);
      setImmediate(() => changed.fire({ key }));
      return Promise.resolve();
    },
    delete: (key) => {
      stored.delete(key);
      setImmediate(() => changed.fire({ key }));
      return Promise.resolve();
    },
    onDidChange: changed.event,
  };
}

/** Such a change was reported. */
export function reported(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
