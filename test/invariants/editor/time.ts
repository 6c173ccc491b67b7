import { SteppedClock } from '../../unit/steppedClock.ts';

/** The clock of a machine, which all its windows share. */
export class MachineTime extends SteppedClock {
  readonly #start: number;

  /** @param start Unix time in ms. */
  constructor(start = Date.now()) {
    super(start);
    this.#start = start;
  }

  /** Unix time in ms by a clock that nobody sets. */
  real(): number {
    return this.#start + this.monotonic();
  }

  /** Sets the clock, as a user or a time server does. @param millis Negative to set it back. */
  shift(millis: number): void {
    this.set(this.now() + millis);
  }
}
