/** Faults of one request. Each says whether the request is processed first, or not at all. */
export type Fault =
  /** The response is delayed by this many ms, or until all faults are cleared. */
  | { readonly kind: 'latency'; readonly millis: number }
  /** The response comes once a test releases it. */
  | { readonly kind: 'held'; readonly until: Promise<unknown> }
  /** Another status instead of a response, unprocessed. The `body` may be anything: empty, HTML. */
  | { readonly kind: 'status'; readonly status: number; readonly body?: string; readonly contentType?: string }
  /** A proxy's page, unprocessed. Status 200 by default. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Processed, but the body ends in the middle: a complete HTTP response with half a document. */
  | { readonly kind: 'truncatedBody' }
  /** Processed, but the connection is cut within the body. */
  | { readonly kind: 'cutBody' }
  /** The connection is cut before anything is done. */
  | { readonly kind: 'cutBefore' }
  /** The connection is cut after everything was done, so that the response is lost. */
  | { readonly kind: 'cutAfter' }
  /**
   * Processed, but the response is replaced by another status: 504 of a gateway that gave up waiting, or 408, 421 or
   * 425.
   */
  | { readonly kind: 'statusAfter'; readonly status: number }
  /** Redirected to a sign-in page, unprocessed. */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** A JSON response of this size, unprocessed. */
  | { readonly kind: 'huge'; readonly bytes: number };

export interface FaultRule {
  readonly fault: Fault;
  /** Only requests that contain this text in "METHOD path?query body". Every request by default. */
  readonly match?: string;
  /** How many requests it strikes. 1 by default. */
  readonly times?: number | 'always';
}

/** Ordered faults that have not struck yet. Rules apply in the order in which they were added, one per request. */
export class Faults {
  #rules: { readonly rule: FaultRule; left: number }[] = [];
  #cleared = new AbortController();

  /** Aborted by the next `clear`. */
  get cleared(): AbortSignal {
    return this.#cleared.signal;
  }

  add(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times === 'always' ? Number.POSITIVE_INFINITY : (rule.times ?? 1) });
  }

  clear(): void {
    this.#rules = [];
    this.#cleared.abort();
    this.#cleared = new AbortController();
  }

  /** The fault for this request, which counts as used. */
  take(requestLine: string): Fault | null {
    const struck = this.#rules.find(({ rule }) => rule.match === undefined || requestLine.includes(rule.match));
    if (!struck) {
      return null;
    }
    struck.left -= 1;
    this.#rules = this.#rules.filter(({ left }) => left > 0);
    return struck.rule.fault;
  }
}
