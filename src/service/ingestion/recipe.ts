/**
 * What a recipe of DataHub's garbage collector truncates (PROTOCOL.md §13). A recipe may hold anything, passwords included, so no text of
 * it leaves this file: whoever asks names an index, and gets a number.
 */
import * as v from 'valibot';
import { parseJson } from '../json.ts';

/** The type of such an ingestion source, and of the source in its recipe. */
export const COLLECTOR = 'datahub-gc';

/** Whole days that an index keeps its rows for; `none` where the recipe does not truncate it. */
export type Retention = number | 'none' | 'unknown';

/**
 * The retention of an index by its names.
 * @param isCaseSensitive As names are to a PostgreSQL back end: where only the case differs, nothing is said.
 */
export type Retentions = (entityType: string, aspect: string, isCaseSensitive?: boolean) => Retention;

/** In characters: a real recipe has about a thousand. */
const LONGEST_RECIPE = 100_000;
const MOST_ENTRIES = 1_000;
const DEFAULT_DAYS = 30;

/** What is truncated where the recipe lists nothing, spelled as the collector spells it. */
const BUILT_IN: readonly string[] = [
  'dataset/operation',
  'dataset/datasetusagestatistics',
  'chart/chartUsageStatistics',
  'dashboard/dashboardUsageStatistics',
];
/** In later versions only, and which one will run is not told. */
const BUILT_IN_LATER = 'query/queryusagestatistics';

/** As Pydantic takes them: `true`, `1` and `"yes"` alike. A reference such as `${DAYS}` is none: only the run knows its value. */
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
const NAME = v.pipe(v.string(), v.minLength(1), v.maxLength(255));

const RECIPE = v.object({
  source: v.object({
    type: v.string(),
    config: v.unknown(),
  }),
});
const CONFIG = v.object({
  truncate_indices: v.optional(FLAG, true),
  truncate_index_older_than_days: v.optional(DAYS, DEFAULT_DAYS),
  truncate_aspect_retentions: v.optional(
    v.pipe(
      v.custom<unknown[]>(Array.isArray),
      v.maxLength(MOST_ENTRIES),
      v.array(v.object({ entity_type: NAME, aspect: NAME, older_than_days: v.nullish(DAYS) })),
    ),
    [],
  ),
});

const nothing: Retentions = () => 'none';
const unknown: Retentions = () => 'unknown';

/**
 * Never throws. A recipe that the collector would not accept, one that is not JSON and one that refers to variables say nothing: all is
 * `unknown` then.
 */
export function retentionsIn(recipe: string): Retentions {
  const parsed = v.safeParse(RECIPE, recipe.length > LONGEST_RECIPE ? undefined : parseJson(recipe));
  if (!parsed.success) {
    return unknown;
  }
  if (parsed.output.source.type !== COLLECTOR) {
    return nothing;
  }
  const config = v.safeParse(CONFIG, parsed.output.source.config);
  if (!config.success) {
    return unknown;
  }
  const {
    truncate_indices: isOn,
    truncate_index_older_than_days: days,
    truncate_aspect_retentions: entries,
  } = config.output;
  if (!isOn) {
    return nothing;
  }
  return entries.length === 0
    ? byName([...BUILT_IN.map((name) => ({ name, kept: days })), { name: BUILT_IN_LATER, kept: 'unknown' }])
    : byName(
        entries.map(({ entity_type: entityType, aspect, older_than_days: own }) => ({
          name: `${entityType}/${aspect}`,
          kept: own ?? days,
        })),
      );
}

function byName(listed: readonly { readonly name: string; readonly kept: number | 'unknown' }[]): Retentions {
  const inAnyCase = Map.groupBy(listed, ({ name }) => name.toLowerCase());
  return (entityType, aspect, isCaseSensitive = false) => {
    const wanted = `${entityType}/${aspect}`;
    const alike = inAnyCase.get(wanted.toLowerCase()) ?? [];
    const meant = alike.filter(({ name }) => !isCaseSensitive || name === wanted).map(({ kept }) => kept);
    if (meant.length === 0) {
      return alike.length === 0 ? 'none' : 'unknown';
    }
    // Where one is listed twice, both run: the shorter one decides.
    return meant.reduce((a, b) => (a === 'unknown' || b === 'unknown' ? 'unknown' : Math.min(a, b)));
  };
}
