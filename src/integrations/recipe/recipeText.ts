/** The recipe itself: an ingestion source of the type datahub-gc (PROTOCOL.md §13.2). */
import { MILLIS_PER_MINUTE } from '../../time.ts';
import { utcTimeText } from '../../ui/formats.ts';
import { GC_SOURCE_TYPE, type GcReleaseRange, isNewerThanKnown } from './gcReleases.ts';

interface GcRecipeOptions {
  /** Supported releases of the ingestion client. */
  readonly releases: GcReleaseRange;
  /** The server's release, if it is known. */
  readonly serverRelease?: string | undefined;
  /** Whole days, at least one. */
  readonly olderThanDays: number;
  /** When dry runs showed that no index would be reindexed: Unix time in ms. */
  readonly countedAt: number;
}

/** YAML, always in English, since it is a file for a server. Holds no address and no credential. */
export function gcRecipeText(options: GcRecipeOptions): string {
  const { otherCleanups } = options.releases;
  return [
    ...headerComments(options).map((line) => `# ${line}`.trimEnd()),
    'source:',
    `  type: ${GC_SOURCE_TYPE}`,
    '  config:',
    '    truncate_indices: true',
    `    truncate_index_older_than_days: ${options.olderThanDays}`,
    '    # Truncation only: whatever else these releases clean up is off.',
    '    cleanup_expired_tokens: false',
    ...otherCleanups.flatMap((cleanup) => [`    ${cleanup}:`, '      enabled: false']),
    '# From the command line, if the environment variables have other names:',
    '# datahub_api:',
    '#   server: "${DATAHUB_GMS_URL}"',
    '#   token: "${DATAHUB_GMS_TOKEN}"',
    '',
  ].join('\n');
}

function headerComments({ releases, serverRelease, olderThanDays, countedAt }: GcRecipeOptions): readonly string[] {
  const { first, last, truncated, hasNightlyCleanup } = releases;
  const clients = first === last ? first : `${first} to ${last}`;
  const counted = utcTimeText(wholeMinute(countedAt));
  return [
    `Recipe for an ingestion source of the type ${GC_SOURCE_TYPE}, run by acryl-datahub ${clients}.`,
    'Other releases can reject it or clean up more than this.',
    ...(serverRelease === undefined ? [] : [`Release that this server runs by default: ${serverRelease}`]),
    ...(serverRelease !== undefined && isNewerThanKnown(serverRelease)
      ? ['It is newer: if it has further cleanups, they are on unless you switch them off.']
      : []),
    '',
    `Every run deletes the rows older than ${englishDays(olderThanDays)} from all of these indices:`,
    ...truncated.map((index) => `  ${index}`),
    '',
    '- There is no preview: "datahub ingest run --dry-run" deletes the rows as well, and so does a run with dry_run',
    '  in the recipe.',
    ...(hasNightlyCleanup
      ? [
          '- The cleanup that DataHub creates by itself keeps running at its own age, 30 days unless your server is',
          '  configured otherwise. A longer age here has no effect.',
        ]
      : []),
    '- The first index that fails stops the rest of the run.',
    '- A run that would delete more than half of an index makes the server reindex it, which can hide all of its',
    `  rows. At ${counted} dry runs showed no such index. If runs are paused for long, or you choose a`,
    '  shorter age, make dry runs again, and truncate such an index by delete by query first.',
    '',
  ];
}

function englishDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

function wholeMinute(millis: number): number {
  return Math.floor(millis / MILLIS_PER_MINUTE) * MILLIS_PER_MINUTE;
}
