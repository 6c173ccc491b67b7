/** Events like VS Code's, for classes that run without it. */

export interface Disposable {
  dispose(): void;
}

/** Calls the listener until the returned object is disposed. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = (listener) => {
    const own = (value: T): unknown => listener(value);
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  /** Calls all listeners, even if one of them throws, which VS Code logs. */
  fire(value: T): void {
    // Not those that are added meanwhile: one that adds itself again would never end.
    for (const listener of Array.from(this.#listeners)) {
      try {
        void (this.#listeners.has(listener) && listener(value));
      } catch (thrown) {
        rethrowLater(thrown);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** Disposes all of them. */
export function disposeAll(disposables: readonly Disposable[]): void {
  for (const disposable of disposables) {
    disposable.dispose();
  }
}

function rethrowLater(thrown: unknown): void {
  queueMicrotask(() => {
    throw thrown;
  });
}
