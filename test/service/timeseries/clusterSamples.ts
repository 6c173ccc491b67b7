import type { OpenSearchClient } from './openSearchClient.ts';
import type { OpenSearchCluster } from './openSearchCluster.ts';
import type { TimeIndices } from './indices.ts';
import type { TimeRows } from './rows.ts';

/** Marks the indices that this service creates. Stored in their mapping, because a reindex copies that. */
const MARK = { madeBy: 'local metadata service with sample data' };

const MAPPINGS = {
  _meta: MARK,
  properties: { urn: { type: 'keyword' }, timestampMillis: { type: 'date' }, '@timestamp': { type: 'date' } },
};

/**
 * Copies the sample rows into a search cluster, replacing those of an earlier run.
 *
 * @throws Error with a sentence for the user if the cluster has an index of the same name that this service did not
 * create
 */
export async function fillSearchCluster(
  client: OpenSearchClient,
  cluster: OpenSearchCluster,
  indices: TimeIndices,
  rows: TimeRows,
): Promise<void> {
  const samples = indices.all();
  const names = samples.flatMap(({ physicalName, alias }) => (alias === null ? [physicalName] : [physicalName, alias]));
  await refuseForeignIndices(client, names);
  await removeSampleIndices(client);
  for (const { id, physicalName, alias } of samples) {
    await cluster.addIndex(physicalName, MAPPINGS, alias);
    await cluster.writeRows(physicalName, rows.all(id));
    await cluster.refresh(physicalName);
  }
}

export async function removeSampleIndices(client: OpenSearchClient): Promise<void> {
  const ours = (await timeseriesIndices(client)).filter(({ isOurs }) => isOurs).map(({ name }) => name);
  // One request per index: a single URL for all would be too long.
  for (const name of ours) await client.send('DELETE', `/${name}`);
}

async function refuseForeignIndices(client: OpenSearchClient, wanted: readonly string[]): Promise<void> {
  const foreign = (await timeseriesIndices(client)).filter(({ isOurs }) => !isOurs);
  const taken = wanted.find((name) => foreign.some((index) => index.name === name || index.aliases.includes(name)));
  if (taken === undefined) return;
  throw new Error(
    `The search cluster at ${client.url} already has ${taken}, which this service did not make. ` +
      'Name a cluster for sample data.',
  );
}

async function timeseriesIndices(
  client: OpenSearchClient,
): Promise<{ readonly name: string; readonly aliases: readonly string[]; readonly isOurs: boolean }[]> {
  const answer = (await client.send('GET', '/*aspect_v1*')) as Record<
    string,
    { readonly aliases: object; readonly mappings: { readonly _meta?: { readonly madeBy?: string } } }
  >;
  return Object.entries(answer).map(
    ([
      name,
      {
        aliases,
        mappings: { _meta: mark },
      },
    ]) => ({
      name,
      aliases: Object.keys(aliases),
      isOurs: mark?.madeBy === MARK.madeBy,
    }),
  );
}
