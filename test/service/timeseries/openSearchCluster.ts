import { OpenSearchClient } from './openSearchClient.ts';
import type {
  DeleteByQueryRequest,
  IndexSettings,
  IndexStatistics,
  ReindexRequest,
  RowSummary,
  SearchCluster,
  TaskCounts,
  TaskReport,
} from './searchCluster.ts';

/** Rows per request when writing. */
const WRITE_SIZE = 10_000;

/** A real search cluster, with the requests that the platform sends to it. */
export class OpenSearchCluster implements SearchCluster {
  readonly #client: OpenSearchClient;
  readonly #configured: ConfiguredSettings;
  readonly #submitted: string[] = [];

  /** @param configured settings that the platform gives a new index */
  constructor(client: OpenSearchClient, configured: ConfiguredSettings) {
    this.#client = client;
    this.#configured = configured;
  }

  async statistics(): Promise<readonly IndexStatistics[]> {
    const answer = (await this.#client.send('GET', '/*aspect_v1/_stats')) as {
      readonly indices: Record<string, { readonly primaries: { readonly store: { readonly size_in_bytes: number } } }>;
    };
    return Object.entries(answer.indices).map(([name, { primaries }]) => ({
      name,
      bytes: primaries.store.size_in_bytes,
    }));
  }

  async behindAlias(alias: string): Promise<string | null> {
    const answer = await this.#client.find('GET', `/_alias/${alias}`);
    return Object.keys(answer ?? {})[0] ?? null;
  }

  async count(index: string, lastMillis: number | null): Promise<number> {
    const body = lastMillis === null ? {} : { query: upTo(lastMillis) };
    const answer = (await this.#client.send('POST', `/${index}/_count`, body)) as { readonly count: number };
    return answer.count;
  }

  async summary(index: string): Promise<RowSummary> {
    const aggregation = (kind: string): object => ({ [kind]: { field: 'timestampMillis' } });
    const answer = (await this.#client.send('POST', `/${index}/_search`, {
      size: 0,
      track_total_hits: true,
      aggs: { oldest: aggregation('min'), newest: aggregation('max') },
    })) as {
      readonly hits: { readonly total: { readonly value: number } };
      readonly aggregations: Record<'oldest' | 'newest', { readonly value: number | null }>;
    };
    const { oldest, newest } = answer.aggregations;
    return { count: answer.hits.total.value, min: oldest.value, max: newest.value };
  }

  async createIndex(name: string, like: string): Promise<void> {
    const answer = (await this.#client.send('GET', `/${like}/_mapping`)) as Record<
      string,
      { readonly mappings: object }
    >;
    const [original] = Object.values(answer);
    await this.addIndex(name, original?.mappings ?? {}, null);
  }

  /** @param alias null: no alias */
  async addIndex(name: string, mappings: object, alias: string | null): Promise<void> {
    const { replicas, refreshIntervalMillis } = this.#configured;
    await this.#client.send('PUT', `/${name}`, {
      mappings,
      settings: {
        index: {
          number_of_shards: 1,
          number_of_replicas: replicas,
          refresh_interval: duration(refreshIntervalMillis),
        },
      },
      aliases: alias === null ? {} : { [alias]: {} },
    });
  }

  async moveAlias(alias: string, from: string, to: string): Promise<void> {
    await this.#client.send('POST', '/_aliases', {
      actions: [{ remove: { index: from, alias } }, { add: { index: to, alias } }],
    });
  }

  async putSettings(index: string, settings: Partial<IndexSettings>): Promise<void> {
    const { refreshIntervalMillis, replicas, writeBlocked } = settings;
    await this.#client.send('PUT', `/${index}/_settings`, {
      index: {
        ...(refreshIntervalMillis === undefined ? {} : { refresh_interval: duration(refreshIntervalMillis) }),
        ...(replicas === undefined ? {} : { number_of_replicas: replicas }),
        ...(writeBlocked === undefined ? {} : { 'blocks.write': writeBlocked }),
      },
    });
  }

  async reindex({ source, destination, afterMillis, batchSize, onlyMissing }: ReindexRequest): Promise<string> {
    const query = { range: { timestampMillis: { gt: afterMillis } } };
    // As the platform does: one slice per shard.
    return this.#submit('/_reindex?wait_for_completion=false', {
      conflicts: 'proceed',
      source: { index: source, size: batchSize, query },
      dest: { index: destination, ...(onlyMissing === true ? { op_type: 'create' } : {}) },
    });
  }

  async deleteByQuery({ index, lastMillis, batchSize }: DeleteByQueryRequest): Promise<string> {
    const parameters = new URLSearchParams({
      wait_for_completion: 'false',
      scroll_size: String(batchSize),
      conflicts: 'proceed',
    });
    return this.#submit(`/${index}/_delete_by_query?${parameters.toString()}`, { query: upTo(lastMillis) });
  }

  async task(id: string): Promise<TaskReport | null> {
    const answer = (await this.#client.find('GET', `/_tasks/${id}`)) as TaskAnswer | null;
    if (answer === null) return null;
    const { total, created, deleted, batches, version_conflicts, retries } = answer.task.status;
    return {
      id,
      completed: answer.completed,
      runMillis: answer.task.running_time_in_nanos / 1e6,
      total,
      // A delete by query has no such count.
      created: created ?? 0,
      deleted,
      batches,
      version_conflicts,
      retries,
    };
  }

  async refresh(index: string): Promise<void> {
    await this.#client.send('POST', `/${index}/_refresh`);
  }

  async write(index: string, timestampsMillis: readonly number[]): Promise<void> {
    await this.writeRows(
      index,
      timestampsMillis.map((timestampMillis) => ({ timestampMillis, urn: 'urn:li:row:written' })),
    );
  }

  async writeRows(
    index: string,
    rows: readonly { readonly timestampMillis: number; readonly urn: string }[],
  ): Promise<void> {
    for (let start = 0; start < rows.length; start += WRITE_SIZE) {
      const documents = rows
        .slice(start, start + WRITE_SIZE)
        .map(({ timestampMillis, urn }) => ({ urn, timestampMillis, '@timestamp': timestampMillis }));
      const answer = (await this.#client.send(
        'POST',
        `/${index}/_bulk`,
        documents.flatMap((document) => [{ index: {} }, document]),
      )) as { readonly errors: boolean };
      if (answer.errors)
        throw new Error(`Rows could not be written to ${index}: ${JSON.stringify(answer).slice(0, 500)}`);
    }
  }

  /** Stops every task that was started here and waits for its end. A running reindex would recreate a deleted index. */
  async endTasks(): Promise<void> {
    for (const task of this.#submitted) {
      await this.#client.find('POST', `/_tasks/${task}/_cancel?wait_for_completion=true`);
    }
  }

  async #submit(path: string, body: unknown): Promise<string> {
    const answer = (await this.#client.send('POST', path, body)) as { readonly task: string };
    this.#submitted.push(answer.task);
    return answer.task;
  }
}

export type ConfiguredSettings = Omit<IndexSettings, 'writeBlocked'>;

interface TaskAnswer {
  readonly completed: boolean;
  readonly task: {
    readonly running_time_in_nanos: number;
    readonly status: Readonly<Omit<TaskCounts, 'created'>> & { readonly created?: number };
  };
}

function upTo(lastMillis: number): object {
  return { range: { timestampMillis: { lte: lastMillis } } };
}

/** A duration in the notation of settings: null is the default, -1 means none. */
function duration(millis: number | null): string | null {
  if (millis === null) return null;
  return millis < 0 ? '-1' : `${millis}ms`;
}
