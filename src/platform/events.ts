/** Events of the same shape as VS Code's, for classes that also run where there is no VS Code. */

export interface Disposable {
  dispose(): void;
}

/** Calls the listener for each event until what it returns is disposed. */
export type Event<T> = (listener: (value: T) => unknown, thisArg?: unknown, disposables?: Disposable[]) => Disposable;

export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly #failed: (thrown: unknown) => void;

  /** @param failed Told what a listener throws. As an uncaught error, unless said otherwise, it ends up in VS Code's log. */
  constructor(failed: (thrown: unknown) => void = rethrowLater) {
    this.#failed = failed;
  }

  readonly event: Event<T> = (listener, thisArg, disposables) => {
    const mine = (value: T): unknown => listener.call(thisArg, value);
    this.#listeners.add(mine);
    const subscription = { dispose: () => void this.#listeners.delete(mine) };
    disposables?.push(subscription);
    return subscription;
  };

  /** What a listener throws stops neither the others nor whoever fires. */
  fire(value: T): void {
    // A listener that is added meanwhile hears of the next event; one that was removed hears of none.
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

/** Several as one. */
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
