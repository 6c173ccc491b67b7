/** Time series indices: their sizes (spec §4.3, facts §5.2, §6) and their truncation (spec §4.2, facts §5.1). */
import * as v from 'valibot';
import { unexpectedAnswer } from './failure.ts';
import type { Operation } from './failure.ts';
import { parseJson } from './json.ts';
import { unsupported } from './operations.ts';
import type { Operations } from './operations.ts';
import { withRetries } from './retry.ts';
import type { Transport } from './transport.ts';
import { l10n } from './words.ts';

/** One index, as the server names it. */
export interface IndexSize {
  readonly indexName: string;
  /** Undefined when it is neither told nor readable from the index's name: such an index cannot be truncated from here. */
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
  /** Of the primary shards; undefined when it is not told. */
  readonly sizeBytes: number | undefined;
}

/** Which fields a truncation sends; `dryRun` is added by the call (spec §2, "Truncate request body"). */
export interface Truncation {
  readonly entityType: string;
  readonly aspect: string;
  /** Unix time in ms, UTC; rows at or before it are deleted. */
  readonly endTimeMillis: number;
  readonly batchSize: number;
  readonly timeoutSeconds: number | undefined;
  readonly strategy: 'server' | 'deleteByQuery' | 'reindex';
}

/** What an execution answered: a task, or a sentence that says why there is none. */
export type Execution = { readonly kind: 'started'; readonly taskId: string } | { readonly kind: 'declined'; readonly serverText: string };

const SIZES: Operation = { name: 'getIndexSizes', doing: () => l10n.t('read the sizes of the indices'), privilege: 'Get Timeseries index sizes API' };
const TRUNCATE: Operation = {
  name: 'truncateTimeseriesAspect',
  doing: () => l10n.t('truncate time series indices'),
  privilege: 'Truncate timeseries aspect index size API',
};
const OPENAPI_SIZES = '/openapi/operations/elasticSearch/getIndexSizes';

/** Submitting a reindex creates an index first, which takes its time. */
const EXECUTE_TIMEOUT_MILLIS = 120_000;

/** `sizeInMb` of today, `sizeMb` of before: decimal megabytes (facts §5.2). */
const BYTES_PER_MB = 1_000_000;

const OPTIONAL_NAME = v.fallback(v.nullish(v.string()), undefined);
const OPTIONAL_SIZE = v.fallback(v.nullish(v.pipe(v.number(), v.finite(), v.minValue(0))), undefined);
const INDEX = v.object({
  indexName: v.fallback(v.string(), ''),
  entityName: OPTIONAL_NAME,
  aspectName: OPTIONAL_NAME,
  sizeInMb: OPTIONAL_SIZE,
  sizeMb: OPTIONAL_SIZE,
});
const RESTLI_SIZES = v.object({ indexSizes: v.array(v.unknown()) });
const OPENAPI_BODY = v.object({ sizes: v.array(v.unknown()) });

export class Indices {
  readonly #operations: Operations;
  readonly #transport: Transport;

  constructor(operations: Operations, transport: Transport) {
    this.#operations = operations;
    this.#transport = transport;
  }

  /**
   * All indices, in the server's order.
   * @throws ServiceFailure; `unsupported` when this server does not list its indices.
   */
  async sizes(signal?: AbortSignal): Promise<readonly IndexSize[]> {
    return withRetries(async () => {
      const reply = await this.#operations.ask(SIZES, undefined, signal).catch((thrown: unknown) => {
        if (isMissing(thrown)) {
          return { kind: 'noSuchAction' } as const;
        }
        throw thrown;
      });
      if (reply.kind === 'noSuchAction') {
        return this.#openApiSizes(signal);
      }
      // The record of the action, or, as the docs once said, the same as text.
      const value = typeof reply.value === 'string' ? parseJson(reply.value) : reply.value;
      const parsed = v.safeParse(RESTLI_SIZES, value);
      if (!parsed.success) {
        throw unexpectedAnswer(SIZES);
      }
      return parsed.output.indexSizes.flatMap(indexFrom);
    }, signal);
  }

  /**
   * What a truncation would delete, in the server's words. Nothing is deleted.
   * @throws ServiceFailure
   */
  async dryRun(plan: Truncation, signal?: AbortSignal): Promise<string> {
    return withRetries(async () => {
      const reply = await this.#operations.ask(TRUNCATE, bodyOf(plan, true), signal, EXECUTE_TIMEOUT_MILLIS);
      if (reply.kind === 'noSuchAction') {
        throw unsupported(TRUNCATE);
      }
      if (typeof reply.value !== 'string') {
        throw unexpectedAnswer(TRUNCATE);
      }
      return this.#transport.masked(reply.value.slice(0, 2_000));
    }, signal);
  }

  /**
   * Deletes. Sent once: the caller never repeats it, and neither does anything below. It cannot be cancelled once it is sent.
   * @throws ServiceFailure; with `mayHaveActed` the outcome is unknown.
   */
  async execute(plan: Truncation): Promise<Execution> {
    const value = await this.#operations.act(TRUNCATE, bodyOf(plan, false), undefined, EXECUTE_TIMEOUT_MILLIS);
    if (typeof value !== 'string') {
      throw unexpectedAnswer(TRUNCATE);
    }
    return isTaskId(value)
      ? { kind: 'started', taskId: value }
      : { kind: 'declined', serverText: (await this.#transport.readable(value)) ?? '' };
  }

  /**
   * Whether the server knows `forceDeleteByQuery` and `forceReindex`: both at once is refused in a sentence of its own and
   * does nothing, dry run or not (facts §5.1). Asked as a dry run all the same.
   */
  async knowsForceFlags(plan: Truncation, signal?: AbortSignal): Promise<boolean> {
    try {
      const body = { ...bodyOf(plan, true), forceDeleteByQuery: true, forceReindex: true };
      const reply = await this.#operations.ask(TRUNCATE, body, signal, EXECUTE_TIMEOUT_MILLIS);
      return reply.kind === 'value' && typeof reply.value === 'string' && /forceDeleteByQuery/.test(reply.value);
    } catch {
      return false;
    }
  }

  async #openApiSizes(signal: AbortSignal | undefined): Promise<readonly IndexSize[]> {
    const answer = await this.#transport.exchange({ operation: SIZES, method: 'GET', path: OPENAPI_SIZES, signal });
    if (answer.status === 401 || answer.status === 403 || answer.status === 429 || answer.status >= 500) {
      throw await this.#transport.statusFailure(answer, SIZES);
    }
    const parsed = v.safeParse(OPENAPI_BODY, parseJson(answer.text));
    if (!parsed.success) {
      throw unsupported(SIZES);
    }
    return parsed.output.sizes.flatMap(indexFrom);
  }
}

/** Valid ids of tasks (facts §5.1): `<node>:<number>`, the number not zero. */
export function isTaskId(text: string): boolean {
  return /^[A-Za-z0-9_-]+:[0-9]+$/.test(text) && !/:0+$/.test(text) && text.length <= 200;
}

/** `<prefix_><entity>_<aspect>aspect_v1<_millis>`: the millis stand in the physical name after a reindex. */
export function namesFromIndex(indexName: string): { readonly entityType: string; readonly aspect: string } | undefined {
  const match = /(?:^|_)([a-z][a-z0-9]*)_([a-z][a-z0-9]*)aspect_v1(?:_\d+)?$/.exec(indexName);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { entityType: match[1], aspect: match[2] };
}

function indexFrom(row: unknown): IndexSize[] {
  const parsed = v.safeParse(INDEX, row);
  if (!parsed.success || (parsed.output.indexName === '' && !parsed.output.aspectName)) {
    return [];
  }
  const { indexName, entityName, aspectName, sizeInMb, sizeMb } = parsed.output;
  const derived = namesFromIndex(indexName);
  const megabytes = sizeInMb ?? sizeMb ?? undefined;
  return [
    {
      indexName: indexName === '' ? `${entityName ?? ''}_${aspectName ?? ''}` : indexName,
      entityType: nonEmpty(entityName) ?? derived?.entityType,
      aspect: nonEmpty(aspectName) ?? derived?.aspect,
      sizeBytes: megabytes === undefined ? undefined : megabytes * BYTES_PER_MB,
    },
  ];
}

function bodyOf(plan: Truncation, dryRun: boolean): Record<string, unknown> {
  return {
    entityType: plan.entityType,
    aspect: plan.aspect,
    endTimeMillis: plan.endTimeMillis,
    dryRun,
    batchSize: plan.batchSize,
    ...(plan.timeoutSeconds === undefined ? {} : { timeoutSeconds: plan.timeoutSeconds }),
    // Only the flag that is meant: a pair of equal flags is refused (facts §5.1).
    ...(plan.strategy === 'deleteByQuery' ? { forceDeleteByQuery: true } : {}),
    ...(plan.strategy === 'reindex' ? { forceReindex: true } : {}),
  };
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'kind' in thrown && (thrown.kind === 'notFound' || thrown.kind === 'unexpectedAnswer');
}

function nonEmpty(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text === '' ? undefined : text;
}
