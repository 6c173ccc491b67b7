import type { Profile } from '../profiles.ts';

/**
 * Time series aspects by entity type, in the registry's spelling: those of DataHub's published model (PROTOCOL.md §9.4).
 */
const registry: Readonly<Record<string, readonly string[]>> = {
  assertion: ['assertionRunEvent'],
  chart: ['chartUsageStatistics'],
  container: [],
  corpGroup: [],
  corpuser: [],
  dashboard: ['dashboardUsageStatistics'],
  dataFlow: [],
  dataJob: ['datahubIngestionRunSummary', 'datahubIngestionCheckpoint'],
  dataProcessInstance: ['dataProcessInstanceRunEvent'],
  dataset: ['datasetUsageStatistics', 'operation', 'datasetProfile'],
  domain: [],
  glossaryTerm: [],
  query: ['queryUsageStatistics'],
  tag: [],
};

/** Registry of servers on which documents have usage statistics. */
const registryWithDocuments = { ...registry, document: ['documentUsageStatistics'] };

/** Entity type of the extra indices that a test may ask for. Their aspects are numbered and in lower case. */
export const extraEntity = 'extra';

/** The time series aspects that a server knows, as `[entityType, aspect]` in the registry's spelling. */
export function timeSeriesAspects(profile: Profile): [entityType: string, aspect: string][] {
  return Object.entries(registryOf(profile)).flatMap(([entityType, aspects]) =>
    aspects.map((aspect): [string, string] => [entityType, aspect]),
  );
}

/** True if such an entity type exists, in any case. */
export function isEntityType(profile: Profile, name: string): boolean {
  return [...Object.keys(registryOf(profile)), extraEntity].some((known) => known.toLowerCase() === name.toLowerCase());
}

/** True if both names are spelled as in the registry. */
export function isRegistrySpelling(profile: Profile, entity: string, aspect: string): boolean {
  return entity === extraEntity
    ? aspect === aspect.toLowerCase()
    : (registryOf(profile)[entity]?.includes(aspect) ?? false);
}

function registryOf({ documentUsage }: Profile): Readonly<Record<string, readonly string[]>> {
  return documentUsage ? registryWithDocuments : registry;
}
