/** The platform's time series aspects: their purpose, and what is lost with old rows. Pure. */
import * as l10n from '@vscode/l10n';
import type { ListedIndex } from './indexList.ts';
import { type IndexName, indexNameKey, indexNameOf } from './indexName.ts';

interface TimeseriesAspect {
  /** `entityType/aspect`, spelled as in the platform's registry. */
  readonly name: string;
  /** Says what it feeds, and what the platform's pages lose with its old rows. */
  readonly purposeText: () => string;
  /** Says what loses its last row. Only where the latest row matters, however old. */
  readonly leftWithoutRows?: (before: string) => string;
  /** Pipelines read its rows back to resume, so they are more than history. */
  readonly holdsPipelineState?: true;
}

/** All aspects (PROTOCOL.md §9.4). Custom models can add more. */
export const TIMESERIES_ASPECTS: readonly TimeseriesAspect[] = [
  {
    name: 'assertion/assertionRunEvent',
    purposeText: () =>
      l10n.t('Feeds the results of assertions. Old results disappear from the history of an assertion.'),
    leftWithoutRows: (before) =>
      l10n.t('Rows are deleted by age alone: an assertion that last ran before {0} is left without a result.', before),
  },
  {
    name: 'chart/chartUsageStatistics',
    purposeText: () => l10n.t('Feeds the usage and popularity of charts. Old usage disappears from their statistics.'),
  },
  {
    name: 'dashboard/dashboardUsageStatistics',
    purposeText: () =>
      l10n.t('Feeds the usage and popularity of dashboards. Old usage disappears from their statistics.'),
  },
  {
    name: 'dataJob/datahubIngestionCheckpoint',
    purposeText: () =>
      l10n.t('Holds the state of stateful ingestion. A pipeline whose latest checkpoint is deleted starts over.'),
    leftWithoutRows: (before) => l10n.t('Pipelines that last ran before {0} start over.', before),
    holdsPipelineState: true,
  },
  {
    name: 'dataJob/datahubIngestionRunSummary',
    purposeText: () => l10n.t('Feeds the history of ingestion runs. Old runs disappear from it.'),
  },
  {
    name: 'dataProcessInstance/dataProcessInstanceRunEvent',
    purposeText: () =>
      l10n.t('Feeds the runs of tasks and pipelines. Times and results of old runs disappear from the Runs tab.'),
  },
  {
    name: 'dataset/datasetProfile',
    purposeText: () =>
      l10n.t('Feeds the Stats tab and the column statistics of datasets. Old profiles disappear from the Stats tab.'),
    leftWithoutRows: (before) =>
      l10n.t('Rows are deleted by age alone: a dataset last profiled before {0} is left without a profile.', before),
  },
  {
    name: 'dataset/datasetUsageStatistics',
    purposeText: () => l10n.t('Feeds the usage and popularity of datasets. Old usage disappears from the Stats tab.'),
  },
  {
    name: 'dataset/operation',
    purposeText: () =>
      l10n.t(
        'Feeds the last update and the freshness of datasets. A dataset without newer rows no longer shows its last update.',
      ),
  },
  {
    name: 'document/documentUsageStatistics',
    purposeText: () =>
      l10n.t('Feeds the usage and popularity of documents. Old usage disappears from their statistics.'),
  },
  {
    name: 'query/queryUsageStatistics',
    purposeText: () => l10n.t('Feeds the usage and popularity of queries. Old usage disappears from their statistics.'),
  },
];

const BY_NAME: ReadonlyMap<string, TimeseriesAspect> = new Map(
  TIMESERIES_ASPECTS.map((aspect) => [aspect.name.toLowerCase(), aspect]),
);

const ENTITY_TYPES: ReadonlyMap<string, string> = new Map(
  TIMESERIES_ASPECTS.map(({ name }) => {
    const [entityType = ''] = name.split('/');
    return [entityType.toLowerCase(), entityType];
  }),
);

/** A listed index's name as shown. One that the user added stays as it was spelled, which may have been wrong. */
export function shownIndexName(index: ListedIndex): IndexName | undefined {
  const name = indexNameOf(index);
  return name === undefined || index.isAdded ? name : registrySpelling(name);
}

/** As spelled in the platform's registry, as far as it is known. To be shown, never sent: PostgreSQL tells spellings apart. */
function registrySpelling({ entityType, aspect }: IndexName): IndexName {
  const [, known] = knownAspectOf({ entityType, aspect })?.name.split('/') ?? [];
  return { entityType: registryEntityType(entityType), aspect: known ?? aspect };
}

export function registryEntityType(entityType: string): string {
  return ENTITY_TYPES.get(entityType.toLowerCase()) ?? entityType;
}

/** Purpose of an index; undefined for custom aspects. */
export function aspectPurpose(target: IndexName): string | undefined {
  return knownAspectOf(target)?.purposeText();
}

/**
 * Says what loses its last row; undefined if only history gets shorter.
 * @param before The cutoff, formatted.
 */
export function leftWithoutRows(target: IndexName, before: string): string | undefined {
  return knownAspectOf(target)?.leftWithoutRows?.(before);
}

/** True if pipelines can start over without old rows. Such an index is only truncated alone. */
export function holdsPipelineState(target: IndexName): boolean {
  return knownAspectOf(target)?.holdsPipelineState === true;
}

/** True also for a custom model's checkpoints, by their name: a scheduled job deletes none of them unasked. */
export function mayHoldPipelineState(target: IndexName): boolean {
  return holdsPipelineState(target) || /checkpoint/i.test(target.aspect);
}

/** Servers list most names in lower case. */
function knownAspectOf({ entityType, aspect }: IndexName): TimeseriesAspect | undefined {
  return BY_NAME.get(indexNameKey({ entityType: entityType.trim(), aspect: aspect.trim() }));
}
