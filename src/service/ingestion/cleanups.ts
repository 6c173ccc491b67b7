/**
 * The platform's own cleanup: ingestion sources of type `datahub-gc` (PROTOCOL.md §13).
 * Recipes of other sources are not requested, so that their secrets are never sent.
 */
import * as v from 'valibot';
import { redactTokens, plainLine } from '../failure/redaction.ts';
import { boundedArray } from '../http/json.ts';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import { IDENTIFIER } from '../server/identifiers.ts';
import { GC_SOURCE_TYPE } from './gcReleases.ts';
import { parseRetentions, type RetentionLookup } from './recipe.ts';
import { SingleFlight, untilAborted, withRetries, type PauseFunction } from '../http/waiting.ts';
import { isAboutRequest } from '../failure/graphqlFailure.ts';
import { READ_INGESTION_SOURCES } from '../failure/privileges.ts';

/** When a cleanup runs. `unknown`: the schedule can't be read. */
export type CleanupSchedule =
  | { readonly kind: 'cron'; readonly interval: string; readonly timeZone: string }
  | { readonly kind: 'byHand' }
  | { readonly kind: 'commandLine' }
  | { readonly kind: 'unknown' };

/** One ingestion source that truncates indices. */
export interface CleanupSource {
  readonly schedule: CleanupSchedule;
  readonly retentions: RetentionLookup;
}

export interface CleanupListing {
  readonly cleanups: readonly CleanupSource[];
  /** False if there may be others. */
  readonly isComplete: boolean;
}

/** Far more than any server has. */
const MOST_SOURCES = 1_000;
const MOST_COLLECTORS = 20;

export const SOURCES_DOCUMENT =
  'query listIngestionSources($count: Int!) { listIngestionSources(input: {start: 0, count: $count})' +
  ' { total ingestionSources { urn type schedule { interval timezone } } } }';

/** Executor of sources that report command line runs. The server runs none of them. */
const COMMAND_LINE_EXECUTOR = '__datahub_cli_';

/** Characters of a cron expression, `@daily` or a time zone. */
const SCHEDULE_TEXT = v.pipe(
  v.string(),
  v.transform((text) => redactTokens(plainLine(text, 60))),
  v.regex(/^[\w@*/,?#+ -]+$/),
);
const SCHEDULE = v.object({
  interval: SCHEDULE_TEXT,
  timezone: v.fallback(v.optional(SCHEDULE_TEXT, 'UTC'), 'UTC'),
});
const LISTED = v.object({
  total: v.number(),
  ingestionSources: v.pipe(
    boundedArray(MOST_SOURCES),
    v.array(v.object({ urn: IDENTIFIER, type: v.string(), schedule: v.nullish(v.unknown()) })),
  ),
});
const SOURCE = v.object({
  config: v.object({ recipe: v.string(), executorId: v.fallback(v.nullish(v.string()), undefined) }),
});

/** Requests several recipes by their URNs `urn0`, `urn1` and so on. */
export function recipesDocument(count: number): string {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return (
    `query ingestionSources(${numbers.map((number) => `$urn${number}: String!`).join(', ')}) { ` +
    numbers
      .map((number) => `source${number}: ingestionSource(urn: $urn${number}) { config { recipe executorId } }`)
      .join(' ') +
    ' }'
  );
}

/**
 * Undefined if the response has another shape.
 * @throws ServiceFailure, also if the server lacks such a listing or refuses it.
 */
export async function askCleanupListing(
  graphql: GraphQLEndpoint,
  signal?: AbortSignal,
): Promise<CleanupListing | undefined> {
  const { data } = await graphql.run(READ_INGESTION_SOURCES, SOURCES_DOCUMENT, { count: MOST_SOURCES }, signal);
  const listed = v.safeParse(LISTED, data['listIngestionSources']);
  if (!listed.success) {
    return undefined;
  }
  const { total, ingestionSources } = listed.output;
  const found = ingestionSources.filter(({ type }) => type === GC_SOURCE_TYPE);
  const collectors = found.slice(0, MOST_COLLECTORS);
  const recipes = collectors.length === 0 ? {} : await askRecipes(graphql, collectors, signal);
  return {
    cleanups: collectors.map(({ schedule }, number) => parseCleanup(schedule, recipes[`source${number}`])),
    isComplete: total <= ingestionSources.length && found.length === collectors.length,
  };
}

async function askRecipes(
  graphql: GraphQLEndpoint,
  collectors: readonly { readonly urn: string }[],
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const urns = Object.fromEntries(collectors.map(({ urn }, number) => [`urn${number}`, urn]));
  return (await graphql.run(READ_INGESTION_SOURCES, recipesDocument(collectors.length), urns, signal)).data;
}

function parseCleanup(schedule: unknown, answer: unknown): CleanupSource {
  const source = v.safeParse(SOURCE, answer);
  const { recipe = '', executorId } = source.success ? source.output.config : {};
  return { schedule: parseSchedule(schedule, executorId), retentions: parseRetentions(recipe) };
}

function parseSchedule(schedule: unknown, executorId: string | null | undefined): CleanupSchedule {
  if (executorId === COMMAND_LINE_EXECUTOR) {
    return { kind: 'commandLine' };
  }
  if (schedule === null || schedule === undefined) {
    return { kind: 'byHand' };
  }
  const parsed = v.safeParse(SCHEDULE, schedule);
  return parsed.success
    ? { kind: 'cron', interval: parsed.output.interval, timeZone: parsed.output.timezone }
    : { kind: 'unknown' };
}

export class IngestionSources {
  readonly #graphql: GraphQLEndpoint;
  readonly #pause: PauseFunction;
  readonly #asking = new SingleFlight<CleanupListing | undefined>();
  /** Set if the server lacks such sources or refuses to list them: not asked again in this session. */
  #isClosed = false;
  #known: CleanupListing | undefined;

  constructor(graphql: GraphQLEndpoint, pause: PauseFunction) {
    this.#graphql = graphql;
    this.#pause = pause;
  }

  /** As last read; undefined if not read. */
  get known(): CleanupListing | undefined {
    return this.#known;
  }

  /**
   * Reads them again. Undefined if the server has none, refuses, or answers in an unknown way.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async cleanups(signal?: AbortSignal): Promise<CleanupListing | undefined> {
    if (!this.#isClosed) {
      this.#known = await untilAborted(
        this.#asking.get(() => this.#ask()),
        signal,
      );
    }
    return this.#known;
  }

  /** Lets the server be asked again: it may have granted the privilege. */
  forget(): void {
    this.#asking.forget();
    this.#isClosed = false;
    this.#known = undefined;
  }

  async #ask(): Promise<CleanupListing | undefined> {
    try {
      return await withRetries(() => askCleanupListing(this.#graphql), undefined, this.#pause);
    } catch (thrown) {
      if (isAboutRequest(thrown)) {
        this.#isClosed = true;
        return undefined;
      }
      throw thrown;
    }
  }
}
