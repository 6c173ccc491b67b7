/**
 * Cut-offs as a recipe of DataHub's garbage collector (PROTOCOL.md §13.2), so that what was chosen once goes on by itself. In English:
 * it is a file for a server, like a command line. It holds no address and no credential.
 */
import { nameProblem } from '../../indices/indexName.ts';
import { ServiceFailure } from '../../service/failure/failure.ts';
import { utcTime } from '../../ui/formats.ts';
import { MILLIS_PER_DAY } from '../../time.ts';
import { targetOf } from './plan.ts';

/** What was chosen for one index. */
export interface CutOff {
  readonly entityType: string;
  readonly aspect: string;
  /** Unix time in ms, UTC. */
  readonly endTimeMillis: number;
}

/** A cut-off that was set to a number of days an hour ago is still that number. */
const TOLERANCE_DAYS = 1 / 24;

/** What the collector truncates where a recipe lists nothing, spelled as it spells them. */
const BUILT_IN = [
  'dataset/operation',
  'dataset/datasetusagestatistics',
  'chart/chartUsageStatistics',
  'dashboard/dashboardUsageStatistics',
];
const BUILT_IN_LATER = 'query/queryusagestatistics';

/**
 * @param cutOffs Of at least one index; of two for the same index the one that keeps more counts.
 * @param now Unix time in ms: a recipe counts in days.
 * @throws ServiceFailure `badRequest` for a name that no index has.
 */
export function gcRecipe(cutOffs: readonly CutOff[], now: number): string {
  const chosen = new Map<string, CutOff>();
  for (const cutOff of cutOffs) {
    const problem = nameProblem(cutOff.entityType, 'entityType') ?? nameProblem(cutOff.aspect, 'aspect');
    if (problem !== undefined) {
      throw new ServiceFailure('badRequest', problem);
    }
    const name = targetOf(cutOff).toLowerCase();
    if (!((chosen.get(name)?.endTimeMillis ?? Infinity) <= cutOff.endTimeMillis)) {
      chosen.set(name, cutOff);
    }
  }
  const entries = [...chosen.values()];
  const others = entries
    .map(targetOf)
    .filter((name) => ![...BUILT_IN, BUILT_IN_LATER].some((known) => sameName(known, name)));
  return [
    ...comments(others),
    'source:',
    '  type: datahub-gc',
    '  config:',
    '    truncate_indices: true',
    `    truncate_index_older_than_days: ${Math.max(...entries.map((cutOff) => daysOf(cutOff, now)))}`,
    '    truncate_aspect_retentions:',
    ...entries.flatMap((cutOff) => [
      `      # Chosen: rows until ${utcTime(cutOff.endTimeMillis)}`,
      `      - entity_type: ${quoted(cutOff.entityType)}`,
      `        aspect: ${quoted(cutOff.aspect)}`,
      `        older_than_days: ${daysOf(cutOff, now)}`,
    ]),
    '    # Truncation only: whatever else this source cleans up by default is switched off.',
    '    cleanup_expired_tokens: false',
    ...['dataprocess_cleanup', 'soft_deleted_entities_cleanup', 'execution_request_cleanup', 'query_cleanup'].flatMap(
      (task) => [`    ${task}:`, '      enabled: false'],
    ),
    '# From the command line, if the environment variables have other names:',
    '# datahub_api:',
    '#   server: "${DATAHUB_GMS_URL}"',
    '#   token: "${DATAHUB_GMS_TOKEN}"',
    '',
  ].join('\n');
}

/** @param others Of the chosen indices, those that older versions can't truncate in this way. */
function comments(others: readonly string[]): string[] {
  return [
    '# Recipe for an ingestion source of the type datahub-gc.',
    '# Each run deletes the rows of the listed indices that are older than so many days.',
    '#',
    "# What it can't express:",
    '# - A fixed cut-off. The date that was chosen is a number of whole days here, so it moves along with each run.',
    '# - Strategy, batch size and timeout. The server decides.',
    '# - A preview. dry_run does not cover truncation, so use dry runs to see what would be deleted.',
    '# - Days for each index in older versions, which reject truncate_aspect_retentions and delete nothing.',
    '#   If you remove it, they apply truncate_index_older_than_days to all of these, chosen or not:',
    `#   ${BUILT_IN.join(', ')},`,
    `#   and in some versions ${BUILT_IN_LATER}.`,
    ...(others.length === 0 ? [] : ['#   They never truncate these:', ...others.map((name) => `#   ${name}`)]),
    '#   Versions that reject query_cleanup have no such cleanup, so you can remove it there.',
  ];
}

/** Never 0, which would delete every row. */
function daysOf({ endTimeMillis }: CutOff, now: number): number {
  return Math.max(1, Math.ceil((now - endTimeMillis) / MILLIS_PER_DAY - TOLERANCE_DAYS));
}

/** JSON's strings are YAML's too: no name can be read as a number, a boolean or an anchor. */
function quoted(name: string): string {
  return JSON.stringify(name.trim());
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
