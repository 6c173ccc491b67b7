/** Ingestion sources, as far as they say what limits an index (PROTOCOL.md §13). Nothing is asked before somebody wants to know. */
import { SingleFlight, untilAborted } from '../http/abort.ts';
import { isAboutQuestion } from '../failure/graphqlFailure.ts';
import type { GraphQL } from '../graphql.ts';
import { withRetries } from '../http/retry.ts';
import type { Pause } from '../http/retry.ts';
import { askCleanups } from './cleanups.ts';
import type { Cleanups } from './cleanups.ts';

export class Ingestion {
  readonly #graphql: GraphQL;
  readonly #pause: Pause;
  readonly #asking = new SingleFlight<Cleanups | undefined>();
  /** The server lacks such sources, or does not let us read them: it is not asked again in this session. */
  #isClosed = false;
  #known: Cleanups | undefined;

  constructor(graphql: GraphQL, pause: Pause) {
    this.#graphql = graphql;
    this.#pause = pause;
  }

  /** As they were read last; undefined where they were not. */
  get known(): Cleanups | undefined {
    return this.#known;
  }

  /**
   * Reads them anew. Undefined where the server has none, does not let us, or answers in a way that is not known.
   * @throws ServiceFailure when the server cannot be reached or does not accept the credential.
   */
  async cleanups(signal?: AbortSignal): Promise<Cleanups | undefined> {
    if (!this.#isClosed) {
      this.#known = await untilAborted(
        this.#asking.get(() => this.#ask()),
        signal,
      );
    }
    return this.#known;
  }

  /** What was refused may be allowed by now. */
  forget(): void {
    this.#asking.forget();
    this.#isClosed = false;
    this.#known = undefined;
  }

  async #ask(): Promise<Cleanups | undefined> {
    try {
      return await withRetries(() => askCleanups(this.#graphql), undefined, this.#pause);
    } catch (thrown) {
      if (isAboutQuestion(thrown)) {
        this.#isClosed = true;
        return undefined;
      }
      throw thrown;
    }
  }
}
