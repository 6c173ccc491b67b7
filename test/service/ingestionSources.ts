import { fetchingError } from './graphqlErrors.ts';
import type { RequestContext } from './tokenResolvers.ts';

/** An ingestion source as the server stores it. */
export interface IngestionSource {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  readonly schedule: { readonly interval: string; readonly timezone: string } | null;
  readonly config: { readonly recipe: string; readonly executorId: string; readonly version: string | null };
}

/** Part of each sample source's recipe, like a password in a real one. It must never be shown. */
export const recipeSecret = 'sample-Recipe-Passphrase-4711';

export function collector(config: unknown, fields: Partial<IngestionSource> = {}): IngestionSource {
  const recipe = {
    source: { type: 'datahub-gc', config },
    datahub_api: { server: 'http://localhost:8080', token: recipeSecret },
  };
  return {
    urn: 'urn:li:dataHubIngestionSource:datahub-gc',
    name: 'datahub-gc',
    type: 'datahub-gc',
    schedule: { interval: '0 1 * * *', timezone: 'UTC' },
    config: { recipe: JSON.stringify(recipe), executorId: 'default', version: null },
    ...fields,
  };
}

/** Days that the nightly garbage collector keeps. The sample rows are as old as that, and no older. */
export const NIGHTLY_RETENTION_DAYS = 730;

/**
 * The garbage collector that a server creates at its start, one run from a command line as the client reports it, and
 * a warehouse that was added. The one from the command line keeps longer than the nightly one: it found nothing to
 * delete, whenever it ran.
 */
export const sampleSources: readonly IngestionSource[] = [
  collector({
    cleanup_expired_tokens: false,
    truncate_indices: true,
    truncate_index_older_than_days: NIGHTLY_RETENTION_DAYS,
    soft_deleted_entities_cleanup: { enabled: true, retention_days: 10 },
  }),
  fromCommandLine(collector({ truncate_index_older_than_days: 1095 })),
  {
    urn: 'urn:li:dataHubIngestionSource:warehouse',
    name: 'warehouse',
    type: 'snowflake',
    schedule: { interval: '30 4 * * 1-5', timezone: 'Europe/Berlin' },
    config: {
      recipe: JSON.stringify({ source: { type: 'snowflake', config: { username: 'etl', password: recipeSecret } } }),
      executorId: 'default',
      version: null,
    },
  },
];

/**
 * The client names the source after its type and adds its own version. There is no schedule until one is added later.
 */
export function fromCommandLine(
  source: IngestionSource,
  schedule: IngestionSource['schedule'] = null,
): IngestionSource {
  return {
    ...source,
    urn: 'urn:li:dataHubIngestionSource:cli-3fa1c0de8d1a4c0c9f0ab1d9c2f6e701',
    name: `[CLI] ${source.type}`,
    schedule,
    config: { ...source.config, executorId: '__datahub_cli_', version: '1.7.0.17' },
  };
}

/** Searches the sources: texts match the name, filters whole values. */
export function listIngestionSources(
  _: unknown,
  { input }: { input: { start?: number; count?: number; query?: string; filters?: readonly SourceFilter[] } },
  context: RequestContext,
): unknown {
  const { start = 0, count = 20, query = '*', filters = [] } = input;
  const found = readable(context).filter(
    (source) =>
      (query === '*' || query === '' || source.name.includes(query)) &&
      filters.every(({ field, values }) => field === 'type' && values?.includes(source.type) === true),
  );
  return { start, count, total: found.length, ingestionSources: found.slice(start, start + count) };
}

export function ingestionSource(_: unknown, { urn }: { urn: string }, context: RequestContext): unknown {
  const found = readable(context).find((source) => source.urn === urn);
  if (found === undefined) {
    throw fetchingError('NOT_FOUND', `Failed to find ingestion source with urn ${urn}`);
  }
  return found;
}

interface SourceFilter {
  readonly field: string;
  readonly values?: readonly string[] | null;
}

function readable({ platform, actor }: RequestContext): readonly IngestionSource[] {
  if (!actor.privileges.has('MANAGE_INGESTION')) {
    throw fetchingError(
      'UNAUTHORIZED',
      `Unauthorized to perform this action. Please contact your ${platform.profile.product} administrator.`,
    );
  }
  return platform.ingestionSources;
}
