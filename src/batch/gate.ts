/** Where one of several waits until it may go on. */
export class Gate {
  readonly #reached = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<boolean>();
  /** Fulfilled once somebody waits here. */
  readonly reached: Promise<void> = this.#reached.promise;

  /** @returns whether to go on. */
  wait(): Promise<boolean> {
    this.#reached.resolve();
    return this.#opened.promise;
  }

  open(goOn: boolean): void {
    this.#opened.resolve(goOn);
  }
}
