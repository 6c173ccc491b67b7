/**
 * The platform's own cleanup: ingestion sources of type `datahub-gc` (PROTOCOL.md §13).
 * Recipes may hold passwords. Those of other sources are not requested, and no text of one leaves this file:
 * callers name an index and get a number.
 */
import * as v from 'valibot';
import { redactTokens, plainLine } from '../failure/redaction.ts';
import { boundedArray, parseJson } from '../http/json.ts';
import { documentFor, type QueryDocument } from '../http/document.ts';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import { IDENTIFIER } from '../server/identifiers.ts';
import { GC_SOURCE_TYPE, ALWAYS_TRUNCATED, gcReleasesOf, TRUNCATED_LATER } from './gcReleases.ts';
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

export const SOURCES_DOCUMENT = documentFor('query', 'listIngestionSources', {
  variables: { count: 'Int!' },
  input: '{start: 0, count: $count}',
  fields: ['total', 'ingestionSources { urn type schedule { interval timezone } }'],
});

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
/** Empty if the response has another shape. */
const SOURCE = v.fallback(
  v.object({
    config: v.object({
      recipe: v.string(),
      executorId: v.fallback(v.nullish(v.string()), undefined),
      version: v.fallback(v.nullish(v.string()), undefined),
    }),
  }),
  { config: { recipe: '', executorId: undefined, version: undefined } },
);

type SourceConfig = v.InferOutput<typeof SOURCE>['config'];

/** Requests several recipes by their URNs `urn0`, `urn1` and so on. */
export function recipesDocument(count: number): QueryDocument {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const variables = numbers.map((number) => `$urn${number}: String!`);
  const sources = numbers.map(
    (number) => `source${number}: ingestionSource(urn: $urn${number}) { config { recipe executorId version } }`,
  );
  return `query ingestionSources(${variables.join(', ')}) { ${sources.join(' ')} }`;
}

/** The server's default release of the ingestion client, as `1.7.0.17`; undefined if it doesn't say. */
type DefaultRelease = () => Promise<string | undefined>;

/**
 * Undefined if the response has another shape.
 * @param defaultRelease Asked only if a source names no release of its own.
 * @throws ServiceFailure, also if the server lacks such a listing or refuses it.
 */
async function askCleanupListing(
  graphql: GraphQLEndpoint,
  defaultRelease: DefaultRelease,
): Promise<CleanupListing | undefined> {
  const data = await graphql.runQuery(READ_INGESTION_SOURCES, SOURCES_DOCUMENT, { count: MOST_SOURCES });
  const listed = v.safeParse(LISTED, data['listIngestionSources']);
  if (!listed.success) {
    return undefined;
  }
  const { total, ingestionSources } = listed.output;
  const found = ingestionSources.filter(({ type }) => type === GC_SOURCE_TYPE);
  const collectors = found.slice(0, MOST_COLLECTORS);
  const recipes = collectors.length === 0 ? {} : await requestRecipes(graphql, collectors);
  const configs = collectors.map((_, number) => v.parse(SOURCE, recipes[`source${number}`]).config);
  const release = configs.some(runsDefaultRelease) ? await defaultRelease() : undefined;
  return {
    cleanups: configs.map((config, number) => parseCleanup(collectors[number]?.schedule, config, release)),
    isComplete: total <= ingestionSources.length && found.length === collectors.length,
  };
}

async function requestRecipes(
  graphql: GraphQLEndpoint,
  collectors: readonly { readonly urn: string }[],
): Promise<Readonly<Record<string, unknown>>> {
  const urns = Object.fromEntries(collectors.map(({ urn }, number) => [`urn${number}`, urn]));
  return graphql.runQuery(READ_INGESTION_SOURCES, recipesDocument(collectors.length), urns);
}

/** A run from a command line used the client that was installed there. */
function runsDefaultRelease({ recipe, executorId, version }: SourceConfig): boolean {
  return recipe !== '' && !version && executorId !== COMMAND_LINE_EXECUTOR;
}

function parseCleanup(schedule: unknown, config: SourceConfig, defaultRelease: string | undefined): CleanupSource {
  const { recipe, executorId, version } = config;
  const release = runsDefaultRelease(config) ? defaultRelease : (version ?? undefined);
  return { schedule: parseSchedule(schedule, executorId), retentions: parseRetentions(recipe, release) };
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
  readonly #ask: () => Promise<CleanupListing | undefined>;
  readonly #pause: PauseFunction;
  readonly #asking = new SingleFlight<CleanupListing | undefined>();
  /** Set if the server lacks such sources or refuses to list them: not asked again in this session. */
  #isClosed = false;
  #knownCleanups: CleanupListing | undefined;

  constructor(graphql: GraphQLEndpoint, defaultRelease: DefaultRelease, pause: PauseFunction) {
    this.#ask = () => askCleanupListing(graphql, defaultRelease);
    this.#pause = pause;
  }

  /** As last read; undefined if not read. */
  get known(): CleanupListing | undefined {
    return this.#knownCleanups;
  }

  /**
   * Reads them again. Undefined if the server has none, refuses, or answers in an unknown way.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async readCleanups(signal?: AbortSignal): Promise<CleanupListing | undefined> {
    if (!this.#isClosed) {
      this.#knownCleanups = await untilAborted(
        this.#asking.get(() => this.#requestCleanups()),
        signal,
      );
    }
    return this.#knownCleanups;
  }

  /** Lets the server be asked again: it may have granted the privilege. */
  forget(): void {
    this.#asking.forget();
    this.#isClosed = false;
    this.#knownCleanups = undefined;
  }

  async #requestCleanups(): Promise<CleanupListing | undefined> {
    try {
      return await withRetries(this.#ask, undefined, this.#pause);
    } catch (thrown) {
      if (isAboutRequest(thrown)) {
        this.#isClosed = true;
        return undefined;
      }
      throw thrown;
    }
  }
}

/** Whole days that an index keeps its rows; `none` if the recipe does not truncate it. */
export type RetentionDays = number | 'none' | 'unknown';

/**
 * Looks up the retention of an index.
 * @param isCaseSensitive True for a PostgreSQL back end: names that differ only in case stay `unknown`.
 */
export type RetentionLookup = (entityType: string, aspect: string, isCaseSensitive?: boolean) => RetentionDays;

/** In characters. A real recipe has about a thousand. */
const LONGEST_RECIPE = 100_000;
const DEFAULT_DAYS = 30;

/**
 * As Pydantic parses it: `true`, `1` and `"yes"` are equal. `${DAYS}` is not accepted: only the run knows its value.
 */
const FLAG = v.union([
  v.boolean(),
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((value) => String(value).toLowerCase()),
    v.regex(/^(?:true|t|yes|y|on|1|false|f|no|n|off|0)$/),
    v.transform((word) => /^(?:t|y|on|1)/.test(word)),
  ),
]);
const DAYS = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number))]),
  v.integer(),
  v.minValue(0),
  v.maxValue(100_000),
);

const RECIPE = v.object({
  source: v.object({
    type: v.string(),
    config: v.unknown(),
  }),
});
const CONFIG = v.object({
  truncate_indices: v.optional(FLAG, true),
  truncate_index_older_than_days: v.optional(DAYS, DEFAULT_DAYS),
  /** No release has it: each of them rejects such a recipe, and builds with it truncate other indices. */
  truncate_aspect_retentions: v.optional(v.never()),
});

const noRetention: RetentionLookup = () => 'none';
const unknownRetention: RetentionLookup = () => 'unknown';

/**
 * Never throws. Everything is `unknown` for a recipe that is not JSON, uses variables, or would be rejected.
 * @param release Of the client that runs it, as `1.7.0.17`; undefined, or a custom build, leaves open what it takes.
 */
export function parseRetentions(recipe: string, release?: string): RetentionLookup {
  const parsed = v.safeParse(RECIPE, recipe.length > LONGEST_RECIPE ? undefined : parseJson(recipe));
  if (!parsed.success) {
    return unknownRetention;
  }
  if (parsed.output.source.type !== GC_SOURCE_TYPE) {
    return noRetention;
  }
  const config = v.safeParse(CONFIG, parsed.output.source.config);
  if (!config.success) {
    return unknownRetention;
  }
  const { truncate_indices: isOn, truncate_index_older_than_days: days } = config.output;
  const range = release === undefined ? undefined : gcReleasesOf(release);
  return isOn && range !== 'none' ? retentionsAfter(days, range?.truncated) : noRetention;
}

/** @param truncated Undefined if the release is unknown. */
function retentionsAfter(days: number, truncated: readonly string[] | undefined): RetentionLookup {
  return (entityType, aspect, isCaseSensitive = false) => {
    const wanted = `${entityType}/${aspect}`;
    const isAlike = (name: string): boolean => name.toLowerCase() === wanted.toLowerCase();
    // Where case matters, no row has a name in another case (PROTOCOL.md §13.2).
    const isNamed = (name: string): boolean => (isCaseSensitive ? name === wanted : isAlike(name));
    if ((truncated ?? ALWAYS_TRUNCATED).some(isNamed)) {
      return days;
    }
    return truncated === undefined && TRUNCATED_LATER.some(isNamed) ? 'unknown' : 'none';
  };
}
