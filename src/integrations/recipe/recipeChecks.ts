/**
 * Makes a recipe for the server's own cleanup (PROTOCOL.md §13.2), by which the server truncates regularly, or says
 * why it can't apply a cutoff. Checks the release and the rows of each index first.
 */
import * as l10n from '@vscode/l10n';
import { type IndexName, indexNameKey, indexNameText } from '../../indices/indexName.ts';
import { shownNameText } from '../../indices/timeseriesAspects.ts';
import { language } from '../../language.ts';
import { toServiceFailure } from '../../service/failure/failure.ts';
import type { MetadataService } from '../../service/service.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR } from '../../time.ts';
import { countRows } from '../../truncation/countRows.ts';
import type { DryRunReport } from '../../truncation/dryRun.ts';
import type { Problem } from '../../truncation/problem.ts';
import { DEFAULT_BATCH_SIZE } from '../../truncation/plan.ts';
import { formatsOf } from '../../ui/formats.ts';
import { gcRecipeText } from './recipeText.ts';
import { GC_RELEASES, gcReleasesOf, type GcReleaseRange } from './gcReleases.ts';

/** An index with its cutoff. */
export interface IndexWithCutoff extends IndexName {
  /** Unix time in ms, UTC. */
  readonly endTimeMillis: number;
  /** When it was chosen: Unix time in ms. */
  readonly chosenAt: number;
}

interface ServerRecipe {
  readonly recipe: string;
  readonly releases: GcReleaseRange;
  readonly olderThanDays: number;
}

interface RecipeQuestions {
  /** Asks for the server's releases. Resolves to undefined if the user cancelled. */
  readonly askReleases: () => Promise<GcReleaseRange | undefined>;
  /** Shows progress during the dry runs. */
  readonly showCounting: <T>(
    count: (signal: AbortSignal, showIndex: (index: string) => void) => Promise<T>,
  ) => Thenable<T>;
  /** The present: Unix time in ms. */
  readonly now: () => number;
}

/**
 * @param cutoffs At least one.
 * @returns undefined if the user cancelled.
 * @throws ServiceFailure also if the rows of an index can't be counted.
 */
export async function serverRecipe(
  service: MetadataService,
  cutoffs: readonly IndexWithCutoff[],
  { askReleases, showCounting, now }: RecipeQuestions,
): Promise<ServerRecipe | Problem | undefined> {
  const age = ageForRecipe(cutoffs);
  if ('sentence' in age) {
    return age;
  }
  const { olderThanDays } = age;
  const release = await service.server.ingestionRelease();
  const known = release === undefined ? undefined : gcReleasesOf(release);
  const found = known ?? (await askReleases());
  if (found === undefined) {
    return undefined;
  }
  const serverRelease = known === undefined ? undefined : release;
  const releases = releasesForRecipe(found, serverRelease, cutoffs);
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
      : failure.because(l10n.t("Couldn't count what the first run would delete from {0}", shownNameText(cutoff)));
  }
}

function indexNameFrom(name: string): IndexName {
  const [entityType = '', aspect = ''] = name.split('/');
  return { entityType, aspect };
}

/**
 * The common age of all cutoffs, or why no release of the cleanup can apply them.
 * @param cutoffs At least one.
 */
function ageForRecipe(cutoffs: readonly IndexWithCutoff[]): { readonly olderThanDays: number } | Problem {
  const [newest] = GC_RELEASES;
  const unlisted = namesNotCovered(newest, cutoffs);
  if (unlisted.length > 0) {
    return {
      sentence: l10n.t('No release of DataHub can truncate {0} automatically.', unlisted.join(', ')),
      next: l10n.t('A recipe for datahub-gc only covers {0}.', newest.truncated.join(', ')),
    };
  }
  // Those of several indices are the same.
  const [days, ...others] = new Set(cutoffs.map(wholeDaysAgo));
  return days === undefined || others.length > 0 ? noWholeDays() : { olderThanDays: days };
}

export function noWholeDays(): Problem {
  return {
    sentence: l10n.t('The cutoff has to be a whole number of days ago.'),
    next: l10n.t('Set the cutoff in days, or set its time to the current time.'),
  };
}

/**
 * The releases of a server, or why they can't apply the cutoffs although others can.
 * @param release The server's release, if it is known.
 */
function releasesForRecipe(
  releases: GcReleaseRange | 'none',
  release: string | undefined,
  cutoffs: readonly IndexWithCutoff[],
): GcReleaseRange | Problem {
  if (releases === 'none') {
    return {
      sentence: l10n.t('This server runs DataHub ingestion {0}, which has no datahub-gc.', release ?? ''),
      next: l10n.t('This requires release {0} or later.', GC_RELEASES.at(-1)?.first ?? ''),
    };
  }
  const unlisted = namesNotCovered(releases, cutoffs);
  if (unlisted.length === 0) {
    return releases;
  }
  const since = GC_RELEASES.findLast((one) => namesNotCovered(one, cutoffs).length === 0);
  return {
    sentence: l10n.t("datahub-gc {0} doesn't truncate {1}.", release ?? releases.last, unlisted.join(', ')),
    next: l10n.t('This requires release {0} or later.', since?.first ?? ''),
  };
}

/**
 * Why a first run is a risk: it would delete more than half of the rows by a reindex, which can hide all of them
 * (PROTOCOL.md §13.4). Undefined if the server would delete by query.
 */
function reindexRefusal(
  target: IndexName,
  { rows, strategy }: Pick<DryRunReport, 'rows' | 'strategy'>,
  olderThanDays: number,
  isChosen: boolean,
): Problem | undefined {
  const name = shownNameText(target);
  const formats = formatsOf(language());
  if (rows === undefined) {
    return {
      sentence: l10n.t(
        "This extension couldn't interpret the dry run of {0}, so a run of datahub-gc may hide rows of that index.",
        name,
      ),
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
    next: isChosen ? next : `${l10n.t('datahub-gc truncates every index on its list, selected or not.')} ${next}`,
  };
}

function namesNotCovered(releases: GcReleaseRange, targets: readonly IndexName[]): readonly string[] {
  const listed = new Set(releases.truncated.map((name) => name.toLowerCase()));
  return targets.map(indexNameText).filter((name) => !listed.has(name.toLowerCase()));
}

/** Allows for a clock change since a preset's date, and for the time until its dry run. */
const TOLERANCE_MILLIS = 2 * MILLIS_PER_HOUR;

/** @returns undefined if it isn't a positive whole number of days. */
export function wholeDaysAgo({
  endTimeMillis,
  chosenAt,
}: Pick<IndexWithCutoff, 'endTimeMillis' | 'chosenAt'>): number | undefined {
  const millis = chosenAt - endTimeMillis;
  const days = Math.round(millis / MILLIS_PER_DAY);
  return days >= 1 && Math.abs(millis - days * MILLIS_PER_DAY) <= TOLERANCE_MILLIS ? days : undefined;
}
