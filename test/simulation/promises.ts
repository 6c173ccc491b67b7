/** What must hold in every schedule. */
import type { Timeline } from './timeline.ts';

export class Promises {
  readonly #timeline: Pick<Timeline, 'note'>;
  /** The first broken promise: the following ones say little. */
  violation: string | undefined;

  constructor(timeline: Pick<Timeline, 'note'>) {
    this.#timeline = timeline;
  }

  /** @throws if it doesn't hold */
  must(holds: boolean, sentence: string): asserts holds {
    if (!holds) {
      this.#timeline.note(`BROKEN: ${sentence}`);
      this.violation ??= sentence;
      throw new Error(sentence);
    }
  }
}
