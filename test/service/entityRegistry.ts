/** The entity types that the server's registry knows, with their time series aspects, in its own spelling. */
const registry: Readonly<Record<string, readonly string[]>> = {
  assertion: [],
  chart: ['chartUsageStatistics'],
  container: [],
  corpGroup: [],
  corpuser: [],
  dashboard: ['dashboardUsageStatistics'],
  dataFlow: [],
  dataJob: ['datahubIngestionRunSummary', 'datahubIngestionCheckpoint', 'operation'],
  dataset: ['datasetUsageStatistics', 'operation', 'datasetProfile'],
  domain: [],
  glossaryTerm: [],
  tag: [],
};

/** The entity type of the further indices that a test may ask for. Their aspects are numbered, and written in lower case. */
export const extraEntity = 'extra';

/** Whether there is such an entity type; its case does not matter. */
export function isEntityType(name: string): boolean {
  return [...Object.keys(registry), extraEntity].some((known) => known.toLowerCase() === name.toLowerCase());
}

/** Whether both names are spelled as the registry has them. */
export function isRegistrySpelling(entity: string, aspect: string): boolean {
  return entity === extraEntity ? aspect === aspect.toLowerCase() : (registry[entity]?.includes(aspect) ?? false);
}
