import { isEntityType, isRegistrySpelling } from './entityRegistry.ts';
import type { Platform } from './platform.ts';
import { RestLiError } from './restli.ts';
import type { ActionParameters } from './restli.ts';
import { canonicalName } from './timeIndices.ts';
import type { TimeIndex } from './timeIndices.ts';
import { describePlan, flagsClash, flagsContradict, planTruncation } from './truncation.ts';
import type { TruncationRequest } from './truncation.ts';
import { AsyncReindexError, startTruncation } from './truncationTask.ts';

/** The result window of a search cluster: it gives no larger page of a search. */
const resultWindow = 10_000;

const parameterNames = ['entityType', 'aspect', 'endTimeMillis', 'dryRun', 'batchSize', 'timeoutSeconds'];

/** Counts, and unless it is a dry run executes. Gives the report, the id of the task, or the sentence about contradicting flags. */
export function truncate(platform: Platform, parameters: ActionParameters): string {
  const { profile, indices, tasks, pacing, quirks, clock } = platform;
  if (profile.strictParameters) {
    parameters.onlyKnown(parameterNames);
  }
  const entityType = parameters.required('entityType', 'string');
  const aspect = parameters.required('aspect', 'string');
  const request = truncationRequest(platform, parameters);
  if (flagsContradict(request)) {
    return flagsClash;
  }
  if (profile.strategy === 'byQuery' && request.forceReindex === true) {
    // Public texts say that it is rejected. The words are those of the method that would do it; the status is a guess.
    throw new RestLiError(400, 'PostgreSQL timeseries service does not support reindex; use Elasticsearch operations.');
  }
  const plan = planTruncation(profile, indices, findIndex(platform, entityType, aspect), request);
  if (parameters.flag('dryRun') ?? true) {
    return describePlan(profile, plan, quirks.decimalSeparator);
  }
  try {
    return startTruncation({ indices, tasks, pacing, clock, oldIndexMillis: quirks.oldIndexMillis }, plan, request);
  } catch (error) {
    if (error instanceof AsyncReindexError) {
      throw new RestLiError(400, 'Async reindex failed');
    }
    throw error;
  }
}

/**
 * The index that is meant. A search cluster writes all names in lower case and complains of an index that it does not have; a
 * database compares names as they are, and finds no rows of a name that nobody has.
 */
function findIndex({ profile, indices }: Platform, entityType: string, aspect: string): TimeIndex | null {
  if (!isEntityType(profile, entityType)) {
    throw new RestLiError(400, `Failed to find entity with name ${entityType} in EntityRegistry`);
  }
  if (profile.timeseriesStore === 'postgres') {
    return isRegistrySpelling(profile, entityType, aspect) ? indices.find(entityType, aspect) : null;
  }
  const index = indices.find(entityType, aspect);
  if (index === null) {
    const name = canonicalName(entityType.toLowerCase(), aspect.toLowerCase());
    const reason = `[type=index_not_found_exception, reason=no such index [${name}]]`;
    throw new RestLiError(500, `OpenSearchStatusException[OpenSearch exception ${reason}]`);
  }
  return index;
}

/** What batch size and timeout mean differs: a search cluster stops no task for a timeout, a database looks between batches. */
function truncationRequest({ profile }: Platform, parameters: ActionParameters): TruncationRequest {
  const asked = Math.max(0, parameters.whole('batchSize', 'int') ?? 0);
  const timeoutSeconds = Math.max(0, parameters.whole('timeoutSeconds', 'long') ?? 0);
  const inDatabase = profile.timeseriesStore === 'postgres';
  // Where no size is asked for, a database deletes everything in one statement, which no timeout interrupts.
  const unbounded = inDatabase && asked === 0;
  return {
    endTimeMillis: parameters.required('endTimeMillis', 'long'),
    batchSize: unbounded ? Number.MAX_SAFE_INTEGER : asked || profile.defaultBatchSize,
    batchRefused: !inDatabase && asked > resultWindow,
    timeoutMillis: inDatabase && !unbounded ? timeoutSeconds * 1000 : 0,
    forceDeleteByQuery: profile.forceFlags ? parameters.flag('forceDeleteByQuery') : null,
    forceReindex: profile.forceFlags ? parameters.flag('forceReindex') : null,
  };
}
