import { isEntityType } from './entityRegistry.ts';
import { canonicalName } from './indexName.ts';
import type { Platform } from '../platform.ts';
import { RestLiError, type ActionParameters } from '../restli.ts';
import { ClusterError } from './searchCluster.ts';
import { AsyncReindexError, StoreError, type TruncationOrder } from './timeseriesStore.ts';
import { chooseStrategy, describePlan, flagsClash, flagsContradict, type StrategyFlags } from './truncation.ts';

const parameterNames = ['entityType', 'aspect', 'endTimeMillis', 'dryRun', 'batchSize', 'timeoutSeconds'];

/**
 * Counts, and executes unless it is a dry run. Returns the report, the task's ID, or the sentence about contradicting
 * flags.
 */
export async function truncate(platform: Platform, parameters: ActionParameters): Promise<string> {
  try {
    return await countOrExecute(platform, parameters);
  } catch (error) {
    if (error instanceof AsyncReindexError) {
      throw new RestLiError(error.status, 'Async reindex failed');
    }
    if (error instanceof ClusterError) {
      throw new RestLiError(
        500,
        `[${indexOf(parameters)}] OpenSearchStatusException[OpenSearch exception ${error.message}]`,
      );
    }
    if (error instanceof StoreError) {
      throw new RestLiError(500, error.message);
    }
    throw error;
  }
}

async function countOrExecute(platform: Platform, parameters: ActionParameters): Promise<string> {
  const { profile, quirks } = platform;
  const { store } = platform.timeseries;
  if (profile.strictParameters) {
    parameters.onlyKnown(parameterNames);
  }
  const order = truncationOrder(platform, parameters);
  const flags: StrategyFlags = {
    forceDeleteByQuery: profile.forceFlags ? parameters.flag('forceDeleteByQuery') : null,
    forceReindex: profile.forceFlags ? parameters.flag('forceReindex') : null,
  };
  if (flagsContradict(flags)) {
    return flagsClash;
  }
  if (profile.strategy === 'byQuery' && flags.forceReindex === true) {
    // Public texts say that this is rejected. The words come from the method that would do it; the status is a guess.
    throw new RestLiError(400, 'PostgreSQL timeseries service does not support reindex; use Elasticsearch operations.');
  }
  const { entity } = order.names;
  if (!isEntityType(profile, entity)) {
    throw new RestLiError(400, `Failed to find entity with name ${entity} in EntityRegistry`);
  }
  const counts = await store.count(order.names, order.lastMillis);
  const strategy = chooseStrategy(profile, counts, flags);
  if (parameters.flag('dryRun') ?? true) {
    return describePlan(profile, counts, strategy, quirks.decimalSeparator);
  }
  return strategy === 'reindex' ? store.reindex(order) : store.deleteByQuery(order);
}

function indexOf(parameters: ActionParameters): string {
  return canonicalName(parameters.required('entityType', 'String'), parameters.required('aspect', 'String'));
}

function truncationOrder({ profile }: Platform, parameters: ActionParameters): TruncationOrder {
  const entity = parameters.required('entityType', 'String');
  const aspect = parameters.required('aspect', 'String');
  const endTimeMillis = parameters.required('endTimeMillis', 'Long');
  return {
    names: { entity, aspect },
    lastMillis: profile.inclusiveCutoff ? endTimeMillis : endTimeMillis - 1,
    batchSize: Math.max(0, parameters.whole('batchSize', 'Integer') ?? 0),
    timeoutSeconds: Math.max(0, parameters.whole('timeoutSeconds', 'Long') ?? 0),
  };
}
