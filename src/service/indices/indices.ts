/** Time series indices: their sizes (PROTOCOL.md §9) and their truncation (PROTOCOL.md §7). */
import * as v from 'valibot';
import { ServiceFailure, unexpectedResponse } from '../failure/failure.ts';
import { containsToken, readableServerText, redactSecrets } from '../failure/redaction.ts';
import { parseIndexRow, type IndexSize } from './indexSize.ts';
import { unsupportedFailure, type OperationsEndpoint, type ReadOptions } from '../server/operationsEndpoint.ts';
import { READ_SIZES, TRUNCATE } from '../failure/privileges.ts';
import { isStartedTask, TRUNCATION_TIMEOUT_MILLIS, truncationBody, type TruncationPlan } from './truncationRequest.ts';
import type { MayStillSend } from '../http/transport.ts';

/** A started task, or the server's reason for starting none. */
export type ExecutionResult =
  | { readonly kind: 'started'; readonly taskId: string }
  | { readonly kind: 'declined'; readonly serverText: string };

/** In characters: a report is two sentences, kept word for word. */
const LONGEST_REPORT = 2_000;

const SIZES = v.object({ indexSizes: v.custom<unknown[]>(Array.isArray) });

/** The server's words about a dry run. */
interface DryRunText {
  readonly text: string;
  /** Date of the response: Unix time in ms. Undefined without a date. */
  readonly answeredAt: number | undefined;
}

/** Dry runs that are under way on one server. */
export interface DryRunsUnderWay {
  count: number;
  /** Aborts the background dry run. Undefined if none is under way. */
  background: AbortController | undefined;
}

export function noDryRuns(): DryRunsUnderWay {
  return { count: 0, background: undefined };
}

export class TimeSeriesIndices {
  readonly #operations: OperationsEndpoint;
  readonly #dryRuns: DryRunsUnderWay;

  /** @param dryRuns Of all connections to the server. */
  constructor(operations: OperationsEndpoint, dryRuns = noDryRuns()) {
    this.#operations = operations;
    this.#dryRuns = dryRuns;
  }

  /**
   * Lists all indices, in the server's order.
   * @throws ServiceFailure; `unsupported` if this server does not list its indices.
   */
  async listIndexSizes(signal?: AbortSignal): Promise<readonly IndexSize[]> {
    const reply = await this.#operations.callReadAction(READ_SIZES, {}, { signal }).catch(unsupportedIfNotFound);
    const parsed = v.safeParse(SIZES, reply.value);
    if (!parsed.success) {
      throw unexpectedResponse(READ_SIZES);
    }
    return parsed.output.indexSizes.flatMap(parseIndexRow);
  }

  /**
   * Reports what a truncation would delete, in the server's words. Deletes nothing.
   * @throws ServiceFailure
   */
  dryRun(plan: TruncationPlan, signal?: AbortSignal): Promise<DryRunText> {
    return this.#insteadOfBackground(() => this.#dryRun(plan, { signal }));
  }

  /**
   * A background dry run: sent once, never while another one runs on that server, and aborted by the next one.
   * @returns undefined if it wasn't sent, or was aborted by another dry run.
   * @throws ServiceFailure
   */
  async backgroundDryRun(plan: TruncationPlan, signal: AbortSignal): Promise<DryRunText | undefined> {
    if (this.#dryRuns.count > 0) {
      return undefined;
    }
    const overtaken = new AbortController();
    try {
      const either = AbortSignal.any([signal, overtaken.signal]);
      const dryRun = this.#insteadOfBackground(() => this.#dryRun(plan, { signal: either, isRepeated: false }));
      this.#dryRuns.background = overtaken;
      return await dryRun;
    } catch (thrown) {
      if (overtaken.signal.aborted && !signal.aborted) {
        return undefined;
      }
      throw thrown;
    } finally {
      if (this.#dryRuns.background === overtaken) {
        this.#dryRuns.background = undefined;
      }
    }
  }

  /**
   * Deletes rows. Sent once, never repeated, and not cancellable once sent.
   * @throws ServiceFailure; with `mayHaveActed` the outcome is unknown.
   */
  async execute(plan: TruncationPlan, mayStillSend: MayStillSend): Promise<ExecutionResult> {
    const body = truncationBody(plan, false);
    const value = await this.#operations.callMutatingAction(TRUNCATE, body, TRUNCATION_TIMEOUT_MILLIS, mayStillSend);
    if (typeof value !== 'string') {
      throw unexpectedResponse(TRUNCATE);
    }
    const text = value.trim();
    // An ID is stored and shown, so one with the credential in it is not accepted.
    if (isStartedTask(text) && !containsToken(text)) {
      return { kind: 'started', taskId: text };
    }
    // A refusal is a sentence. Anything else, even nothing at all, leaves the outcome unknown.
    if (!/\s/.test(text)) {
      throw unexpectedResponse(TRUNCATE);
    }
    return { kind: 'declined', serverText: readableServerText(text, TRUNCATE) ?? '' };
  }

  async #dryRun(plan: TruncationPlan, options: ReadOptions): Promise<DryRunText> {
    const body = truncationBody(plan, true);
    const reply = await this.#operations.callReadAction(TRUNCATE, body, {
      ...options,
      timeoutMillis: TRUNCATION_TIMEOUT_MILLIS,
    });
    if (typeof reply.value !== 'string') {
      throw unexpectedResponse(TRUNCATE);
    }
    return { text: redactSecrets(reply.value.slice(0, LONGEST_REPORT)), answeredAt: reply.answeredAt };
  }

  async #insteadOfBackground<T>(send: () => Promise<T>): Promise<T> {
    this.#dryRuns.background?.abort();
    this.#dryRuns.count++;
    try {
      return await send();
    } finally {
      this.#dryRuns.count--;
    }
  }
}

/** Without an endpoint for operations there is no action either. */
function unsupportedIfNotFound(thrown: unknown): never {
  throw thrown instanceof ServiceFailure && thrown.kind === 'notFound' ? unsupportedFailure(READ_SIZES) : thrown;
}
