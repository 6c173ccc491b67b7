/**
 * Makes a recipe for the server's own cleanup (PROTOCOL.md §13.2), by which the server truncates regularly, or says
 * why it can't apply a cutoff. Checks the release and the rows of each index first.
 */
import * as l10n from '@vscode/l10n';
import { type IndexName, indexNameKey, indexNameText } from '../indices/indexName.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import { gcReleasesOf, type GcReleaseRange, GC_RELEASES, GC_SOURCE_TYPE, isNewerThanKnown } from './gcReleases.ts';
import type { MetadataService } from '../service/service.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE } from '../time.ts';
import { countRows } from '../truncation/countRows.ts';
import type { DryRunReport } from '../truncation/dryRun.ts';
import { DEFAULT_BATCH_SIZE } from '../truncation/plan.ts';
import { language } from '../language.ts';
import { formatsOf, utcTimeText } from '../ui/formats.ts';

interface ServerRecipe {
  readonly recipe: string;
  readonly releases: GcReleaseRange;
  readonly olderThanDays: number;
}

export interface RecipeQuestions {
  /** Asks for the server's releases. Resolves to undefined if the user cancelled. */
  readonly askReleases: () => Promise<GcReleaseRange | undefined>;
  /** Shows progress during the dry runs. */
  readonly showCounting: <T>(
    count: (signal: AbortSignal, showIndex: (index: string) => void) => Promise<T>,
  ) => Thenable<T>;
  /** Called after an index was counted, which may change the outcome of its last truncation. */
  readonly onIndexCounted: (target: IndexName) => void;
  /** The present: Unix time in ms. */
  readonly now: () => number;
}

/**
 * @param cutoffs At least one. @param isCaseSensitive Whether index names are, as on PostgreSQL.
 * @returns undefined if the user cancelled.
 * @throws ServiceFailure also if the rows of an index can't be counted.
 */
export async function serverRecipe(
  service: MetadataService,
  cutoffs: readonly IndexWithCutoff[],
  isCaseSensitive: boolean,
  { askReleases, showCounting, onIndexCounted, now }: RecipeQuestions,
): Promise<ServerRecipe | GcRecipeRefusal | undefined> {
  const age = ageForRecipe(cutoffs, isCaseSensitive);
  if ('sentence' in age) {
    return age;
  }
  const { olderThanDays } = age;
  const release = await service.ingestionRelease();
  const known = release === undefined ? undefined : gcReleasesOf(release);
  const found = known ?? (await askReleases());
  if (found === undefined) {
    return undefined;
  }
  const serverRelease = known === undefined ? undefined : release;
  const releases = releasesForRecipe(found, serverRelease, cutoffs, isCaseSensitive);
  if ('sentence' in releases) {
    return releases;
  }
  const countedAt = now();
  const chosen = new Set(cutoffs.map(indexNameKey));
  const refusal = await showCounting(async (signal, showIndex) => {
    for (const name of releases.truncated) {
      showIndex(name);
      const cutoff = { ...indexNameFrom(name), endTimeMillis: countedAt - olderThanDays * MILLIS_PER_DAY };
      // One after the other: the first that is refused ends it.
      const report = await countForRecipe(service, cutoff, signal);
      onIndexCounted(cutoff);
      const refused = reindexRefusal(cutoff, report, olderThanDays, chosen.has(indexNameKey(cutoff)));
      if (refused !== undefined) {
        return refused;
      }
    }
    return undefined;
  });
  return (
    refusal ?? { recipe: gcRecipeText({ releases, serverRelease, olderThanDays, countedAt }), releases, olderThanDays }
  );
}

/** Counts like datahub-gc, which leaves strategy and batch size to the server. */
async function countForRecipe(
  service: MetadataService,
  cutoff: IndexName & { readonly endTimeMillis: number },
  signal: AbortSignal,
): Promise<DryRunReport> {
  const plan = { ...cutoff, batchSize: DEFAULT_BATCH_SIZE, timeoutSeconds: undefined, strategy: 'server' } as const;
  try {
    return await countRows(service, plan, signal);
  } catch (thrown) {
    const failure = toServiceFailure(thrown);
    throw failure.kind === 'cancelled'
      ? failure
      : failure.because(l10n.t("Couldn't count what the first run would delete from {0}", indexNameText(cutoff)));
  }
}

function indexNameFrom(name: string): IndexName {
  const [entityType = '', aspect = ''] = name.split('/');
  return { entityType, aspect };
}

/** An index with its cutoff. */
export interface IndexWithCutoff extends IndexName {
  /** Unix time in ms, UTC. */
  readonly endTimeMillis: number;
  /** When it was chosen: Unix time in ms. */
  readonly chosenAt: number;
}

export interface GcRecipeRefusal {
  readonly sentence: string;
  readonly next?: string;
  /** The index to truncate before a recipe is safe. */
  readonly truncateFirst?: IndexName;
}

/** Allows for a clock change since a preset's date, and for the time until its dry run. */
const TOLERANCE_MILLIS = 2 * MILLIS_PER_HOUR;

/**
 * The common age of all cutoffs, or why no release of the cleanup can apply them.
 * @param cutoffs At least one.
 * @param isCaseSensitive Whether index names are, as on PostgreSQL.
 */
export function ageForRecipe(
  cutoffs: readonly IndexWithCutoff[],
  isCaseSensitive: boolean,
): { readonly olderThanDays: number } | GcRecipeRefusal {
  const [newest] = GC_RELEASES;
  const unlisted = namesNotCovered(newest, cutoffs, isCaseSensitive);
  if (unlisted.length > 0) {
    return {
      sentence: l10n.t('No release of DataHub can truncate {0} automatically.', unlisted.join(', ')),
      next: l10n.t('A recipe for datahub-gc only covers {0}.', newest.truncated.join(', ')),
    };
  }
  const [days, ...others] = new Set(cutoffs.map(wholeDaysAgo));
  if (others.length > 0) {
    return {
      sentence: l10n.t('datahub-gc has one age for all indices, and your cutoffs differ.'),
      next: l10n.t('Use the same age for all of them.'),
    };
  }
  return days === undefined
    ? {
        sentence: l10n.t("datahub-gc counts in whole days, and this cutoff isn't a whole number of days ago."),
        next: l10n.t('Set the cutoff in days, or set its time to the current time.'),
      }
    : { olderThanDays: days };
}

/**
 * The releases of a server, or why they can't apply the cutoffs although others can.
 * @param release The server's release, if it is known.
 */
export function releasesForRecipe(
  releases: GcReleaseRange | 'none',
  release: string | undefined,
  cutoffs: readonly IndexWithCutoff[],
  isCaseSensitive: boolean,
): GcReleaseRange | GcRecipeRefusal {
  if (releases === 'none') {
    return {
      sentence: l10n.t('This server runs DataHub ingestion {0}, which has no datahub-gc.', release ?? ''),
      next: l10n.t('datahub-gc was added in release {0}.', GC_RELEASES.at(-1)?.first ?? ''),
    };
  }
  const unlisted = namesNotCovered(releases, cutoffs, isCaseSensitive);
  if (unlisted.length === 0) {
    return releases;
  }
  const since = GC_RELEASES.findLast((one) => namesNotCovered(one, cutoffs, isCaseSensitive).length === 0);
  return {
    sentence: l10n.t("datahub-gc {0} doesn't truncate {1}.", release ?? releases.last, unlisted.join(', ')),
    next: l10n.t('This requires release {0} or later.', since?.first ?? ''),
  };
}

/**
 * Why a first run is a risk: it would delete more than half of the rows by a reindex, which can hide all of them
 * (PROTOCOL.md §13.4). Undefined if the server would delete by query.
 */
export function reindexRefusal(
  target: IndexName,
  { rows, strategy }: Pick<DryRunReport, 'rows' | 'strategy'>,
  olderThanDays: number,
  isChosen: boolean,
): GcRecipeRefusal | undefined {
  const name = indexNameText(target);
  const formats = formatsOf(language());
  if (rows === undefined) {
    return {
      sentence: l10n.t(
        "This extension couldn't interpret the dry run of {0}, so a run of datahub-gc may hide rows of that index.",
        name,
      ),
      truncateFirst: target,
    };
  }
  const wouldReindex = strategy === 'reindex' || (strategy === 'unknown' && rows.toDelete > rows.total - rows.toDelete);
  if (!wouldReindex) {
    return undefined;
  }
  const next = l10n.t('Truncate this index once using delete by query, then copy the recipe.');
  return {
    sentence: l10n.t(
      'The first run would reindex {0}, which can hide all of its rows: {1} of {2} rows are older than {3}.',
      name,
      formats.number(rows.toDelete),
      formats.number(rows.total),
      formats.duration(olderThanDays, 'day'),
    ),
    next: isChosen ? next : `${l10n.t('datahub-gc truncates every index of its list, chosen or not.')} ${next}`,
    truncateFirst: target,
  };
}

function namesNotCovered(
  releases: GcReleaseRange,
  targets: readonly IndexName[],
  isCaseSensitive: boolean,
): readonly string[] {
  const listed = new Set(releases.truncated.map((name) => comparableName(name, isCaseSensitive)));
  return targets.map(indexNameText).filter((name) => !listed.has(comparableName(name, isCaseSensitive)));
}

function comparableName(name: string, isCaseSensitive: boolean): string {
  return isCaseSensitive ? name : name.toLowerCase();
}

/** @returns undefined if it isn't a positive whole number of days. */
export function wholeDaysAgo({
  endTimeMillis,
  chosenAt,
}: Pick<IndexWithCutoff, 'endTimeMillis' | 'chosenAt'>): number | undefined {
  const millis = chosenAt - endTimeMillis;
  const days = Math.round(millis / MILLIS_PER_DAY);
  return days >= 1 && Math.abs(millis - days * MILLIS_PER_DAY) <= TOLERANCE_MILLIS ? days : undefined;
}

export interface GcRecipeOptions {
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
