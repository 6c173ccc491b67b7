/** Events like VS Code's, for classes that run without it. */

export interface Disposable {
  dispose(): void;
}

/** Calls the listener until the returned object is disposed. */
export type Event<T> = (listener: (value: T) => unknown, thisArg?: unknown, disposables?: Disposable[]) => Disposable;

export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly #failed: (thrown: unknown) => void;

  /** @param failed Gets errors of listeners. Default: VS Code's log. */
  constructor(failed: (thrown: unknown) => void = rethrowLater) {
    this.#failed = failed;
  }

  readonly event: Event<T> = (listener, thisArg, disposables) => {
    const boundListener = (value: T): unknown => listener.call(thisArg, value);
    this.#listeners.add(boundListener);
    const subscription = { dispose: () => void this.#listeners.delete(boundListener) };
    disposables?.push(subscription);
    return subscription;
  };

  /** Calls all listeners, even if one of them throws. */
  fire(value: T): void {
    // Skip listeners that another one removed or added.
    for (const listener of Array.from(this.#listeners)) {
      if (this.#listeners.has(listener)) {
        try {
          listener(value);
        } catch (thrown) {
          this.#failed(thrown);
        }
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
