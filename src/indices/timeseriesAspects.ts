/** The platform's time series aspects: their purpose, and what is lost with old rows. Pure. */
import * as l10n from '@vscode/l10n';
import type { ListedIndex } from './indexList.ts';
import { type IndexName, indexNameKey, indexNameOf, indexNameText } from './indexName.ts';

interface TimeseriesAspect {
  /** `entityType/aspect`, spelled as in the platform's registry. */
  readonly name: string;
  /** Says in one sentence what it feeds, and what the platform's pages lose with its old rows. */
  readonly purposeText: () => string;
  /** The same with the cutoff, where the latest row matters, however old: rows are deleted by age alone. */
  readonly lossText?: (before: string) => string;
  /** Pipelines read its rows back to resume, so they are more than history. */
  readonly holdsPipelineState?: true;
}

/** All aspects (PROTOCOL.md §9.4). Custom models can add more. */
export const TIMESERIES_ASPECTS: readonly TimeseriesAspect[] = [
  {
    name: 'assertion/assertionRunEvent',
    purposeText: () => l10n.t('Feeds the results of assertions: old ones disappear from the history of an assertion.'),
    lossText: (before) =>
      l10n.t('Feeds the results of assertions: one that last ran before {0} is left without a result.', before),
  },
  {
    name: 'chart/chartUsageStatistics',
    purposeText: () => l10n.t('Feeds the usage and popularity of charts: old usage disappears from their statistics.'),
  },
  {
    name: 'dashboard/dashboardUsageStatistics',
    purposeText: () =>
      l10n.t('Feeds the usage and popularity of dashboards: old usage disappears from their statistics.'),
  },
  {
    name: 'dataJob/datahubIngestionCheckpoint',
    purposeText: () =>
      l10n.t('Holds the state of stateful ingestion: a pipeline whose latest checkpoint is deleted starts over.'),
    holdsPipelineState: true,
  },
  {
    name: 'dataJob/datahubIngestionRunSummary',
    purposeText: () => l10n.t('Feeds the history of ingestion runs: old runs disappear from it.'),
  },
  {
    name: 'dataProcessInstance/dataProcessInstanceRunEvent',
    purposeText: () =>
      l10n.t('Feeds the runs of tasks and pipelines: times and results of old runs disappear from the Runs tab.'),
  },
  {
    name: 'dataset/datasetProfile',
    purposeText: () =>
      l10n.t('Feeds the Stats tab and the column statistics of datasets: old profiles disappear from the Stats tab.'),
    lossText: (before) =>
      l10n.t(
        'Feeds the Stats tab and the column statistics of datasets: one last profiled before {0} is left without a profile.',
        before,
      ),
  },
  {
    name: 'dataset/datasetUsageStatistics',
    purposeText: () => l10n.t('Feeds the usage and popularity of datasets: old usage disappears from the Stats tab.'),
  },
  {
    name: 'dataset/operation',
    purposeText: () =>
      l10n.t(
        'Feeds the last update and the freshness of datasets: one without newer rows no longer shows its last update.',
      ),
  },
  {
    name: 'document/documentUsageStatistics',
    purposeText: () =>
      l10n.t('Feeds the usage and popularity of documents: old usage disappears from their statistics.'),
  },
  {
    name: 'query/queryUsageStatistics',
    purposeText: () => l10n.t('Feeds the usage and popularity of queries: old usage disappears from their statistics.'),
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

/** A name for titles and rows, as spelled in the platform's registry where it is known. Never sent. */
export function shownNameText(target: IndexName): string {
  return indexNameText(registrySpelling(target));
}

/** As spelled in the platform's registry, as far as it is known. To be shown, never sent: PostgreSQL tells spellings apart. */
export function registrySpelling({ entityType, aspect }: IndexName): IndexName {
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

/** Purpose of an index, and what its rows up to a cutoff lose; undefined for custom aspects. @param before The cutoff, formatted. */
export function aspectLoss(target: IndexName, before: string): string | undefined {
  return knownAspectOf(target)?.lossText?.(before) ?? aspectPurpose(target);
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
