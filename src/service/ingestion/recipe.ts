/**
 * Reads what a recipe of DataHub's garbage collector truncates (PROTOCOL.md §13). A recipe may hold passwords,
 * so none of its text leaves this file: callers name an index and get a number.
 */
import * as v from 'valibot';
import { parseJson } from '../http/json.ts';
import { ALWAYS_TRUNCATED, GC_SOURCE_TYPE, TRUNCATED_LATER } from './gcReleases.ts';

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

/** Never throws. Everything is `unknown` for a recipe that is not JSON, uses variables, or would be rejected. */
export function parseRetentions(recipe: string): RetentionLookup {
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
  return isOn ? retentionsAfter(days) : noRetention;
}

function retentionsAfter(days: number): RetentionLookup {
  return (entityType, aspect, isCaseSensitive = false) => {
    const wanted = `${entityType}/${aspect}`;
    const isAlike = (name: string): boolean => name.toLowerCase() === wanted.toLowerCase();
    // Where case matters, no row has a name in another case (PROTOCOL.md §13.2).
    const isNamed = (name: string): boolean => (isCaseSensitive ? name === wanted : isAlike(name));
    if (ALWAYS_TRUNCATED.some(isNamed)) {
      return days;
    }
    // Depends on the release that will run, which the recipe does not tell.
    return TRUNCATED_LATER.some(isNamed) ? 'unknown' : 'none';
  };
}
