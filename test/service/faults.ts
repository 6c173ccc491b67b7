import { isRecord, parseJson } from './http.ts';

/** Faults of one request. By default, the request is processed first, or not at all. */
export type Fault =
  /** The answer comes later by so many ms. */
  | { readonly kind: 'latency'; readonly millis: number }
  /** Another status instead of an answer, unprocessed; `body` may be empty, HTML, anything. */
  | StatusFault
  /** 503 from the server itself, unprocessed: two transactions of its database got in each other's way. A pause of 1 s is asked for. */
  | { readonly kind: 'transactionConflict'; readonly retryAfter?: string }
  /** The page of a proxy, status 200 unless another is given, unprocessed. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Processed, but the body ends in the middle: a complete HTTP answer with half a document. */
  | { readonly kind: 'truncatedBody' }
  /** Processed, but the connection is cut in the middle of the body. */
  | { readonly kind: 'cutBody' }
  /** The connection is cut before anything is done. */
  | { readonly kind: 'cutBefore' }
  /** The connection is cut after everything was done: a lost answer. */
  | { readonly kind: 'cutAfter' }
  /** Processed, but another status comes instead of the answer: 504 of a gateway that gave up waiting, or 408, 421 or 425. */
  | { readonly kind: 'statusAfter'; readonly status: number }
  /** Sent to a log-in page, unprocessed. */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** A JSON answer of so many bytes, unprocessed; 100 MB unless said otherwise. */
  | { readonly kind: 'huge'; readonly bytes?: number }
  /** Processed at another time: the server's clock is off by so many ms for this request. */
  | { readonly kind: 'clock'; readonly offsetMillis: number };

interface StatusFault {
  readonly kind: 'status';
  readonly status: number;
  readonly body?: string;
  readonly contentType?: string;
  readonly retryAfter?: string;
}

export interface FaultRule {
  readonly fault: Fault;
  /** Only requests that contain this text in "METHOD path?query body"; every request when absent. */
  readonly match?: string;
  /** How many requests it strikes before it is gone; 1 when absent. */
  readonly times?: number | 'always';
}

const kinds: ReadonlySet<unknown> = new Set<Fault['kind']>([
  'latency',
  'status',
  'transactionConflict',
  'html',
  'truncatedBody',
  'cutBody',
  'cutBefore',
  'cutAfter',
  'statusAfter',
  'redirect',
  'huge',
  'clock',
]);

/** The faults that were ordered and have not struck yet. Rules apply in the order in which they were added, one a request. */
export class Faults {
  #rules: { readonly rule: FaultRule; left: number }[] = [];

  add(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times === 'always' ? Number.POSITIVE_INFINITY : (rule.times ?? 1) });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault that strikes this request, used up by it. */
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

/** A fault in JSON, as the header `x-fault` carries one. Null when it is none. */
export function parseFault(textOrValue: unknown): Fault | null {
  const value = typeof textOrValue === 'string' ? parseJson(textOrValue) : textOrValue;
  return isRecord(value) && kinds.has(value['kind']) ? (value as unknown as Fault) : null;
}

/** A rule in JSON, as `POST /__faults` takes one. Null when it is none. */
export function parseFaultRule(body: string): FaultRule | null {
  const value = parseJson(body);
  return isRecord(value) && parseFault(value['fault']) ? (value as unknown as FaultRule) : null;
}
