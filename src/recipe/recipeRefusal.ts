/** Reasons why the server's own cleanup can't apply a cutoff (PROTOCOL.md §13.2). Pure but for the translated texts. */
import * as l10n from '@vscode/l10n';
import { type IndexName, indexNameText } from '../indices/indexName.ts';
import { language } from '../language.ts';
import { GC_RELEASES, type GcReleases } from '../service/ingestion/gcReleases.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR } from '../time.ts';
import { formatsOf } from '../ui/formats.ts';
import type { DryRunReport } from '../truncation/dryRun.ts';

/** An index with its cutoff. */
export interface ChosenCutOff extends IndexName {
  /** Unix time in ms, UTC. */
  readonly endTimeMillis: number;
  /** When it was chosen: Unix time in ms. */
  readonly chosenAt: number;
}

export interface RecipeRefusal {
  readonly sentence: string;
  readonly next?: string;
  /** The index to truncate before a recipe is safe. */
  readonly truncateFirst?: IndexName;
}

/** Allows for a clock change since a preset's date, and for the time until its dry run. */
const TOLERANCE_MILLIS = 2 * MILLIS_PER_HOUR;

/**
 * The common age of all cutoffs, or why no release of the cleanup can apply them.
 * @param cutOffs At least one.
 * @param isCaseSensitive Whether index names are, as on PostgreSQL.
 */
export function ageForRecipe(
  cutOffs: readonly ChosenCutOff[],
  isCaseSensitive: boolean,
): { readonly olderThanDays: number } | RecipeRefusal {
  const [newest] = GC_RELEASES;
  const unlisted = namesNotIn(newest, cutOffs, isCaseSensitive);
  if (unlisted.length > 0) {
    return {
      sentence: l10n.t('No release of DataHub truncates {0} by itself.', unlisted.join(', ')),
      next: l10n.t('A recipe for datahub-gc only covers {0}.', newest.truncated.join(', ')),
    };
  }
  const [days, ...others] = new Set(cutOffs.map(wholeDaysAgo));
  if (others.length > 0) {
    return {
      sentence: l10n.t('datahub-gc has one age for all indices, and your cut-offs differ.'),
      next: l10n.t('Use the same age for all of them.'),
    };
  }
  return days === undefined
    ? {
        sentence: l10n.t("datahub-gc counts in whole days, and this cut-off isn't a whole number of days ago."),
        next: l10n.t('Select a preset, or set the time of day to the present one.'),
      }
    : { olderThanDays: days };
}

/**
 * The releases of a server, or why they can't apply the cutoffs although others can.
 * @param release The server's release, if it is known.
 */
export function releasesForRecipe(
  releases: GcReleases | 'none',
  release: string | undefined,
  cutOffs: readonly ChosenCutOff[],
  isCaseSensitive: boolean,
): GcReleases | RecipeRefusal {
  if (releases === 'none') {
    return {
      sentence: l10n.t('This server runs DataHub ingestion {0}, which has no datahub-gc.', release ?? ''),
      next: l10n.t('It came with {0}.', GC_RELEASES.at(-1)?.first ?? ''),
    };
  }
  const unlisted = namesNotIn(releases, cutOffs, isCaseSensitive);
  if (unlisted.length === 0) {
    return releases;
  }
  const since = GC_RELEASES.findLast((one) => namesNotIn(one, cutOffs, isCaseSensitive).length === 0);
  return {
    sentence: l10n.t("datahub-gc {0} doesn't truncate {1}.", release ?? releases.last, unlisted.join(', ')),
    next: l10n.t('Releases from {0} on do.', since?.first ?? ''),
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
): RecipeRefusal | undefined {
  const name = indexNameText(target);
  const formats = formatsOf(language());
  if (rows === undefined) {
    return {
      sentence: l10n.t("The dry run of {0} couldn't be read, so a run of datahub-gc may hide its rows.", name),
      truncateFirst: target,
    };
  }
  const wouldReindex = strategy === 'reindex' || (strategy === 'unknown' && rows.toDelete > rows.total - rows.toDelete);
  if (!wouldReindex) {
    return undefined;
  }
  const next = l10n.t('Truncate it once by delete by query, then copy the recipe.');
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

function namesNotIn(releases: GcReleases, targets: readonly IndexName[], isCaseSensitive: boolean): readonly string[] {
  const listed = new Set(releases.truncated.map((name) => comparableName(name, isCaseSensitive)));
  return targets.map(indexNameText).filter((name) => !listed.has(comparableName(name, isCaseSensitive)));
}

function comparableName(name: string, isCaseSensitive: boolean): string {
  return isCaseSensitive ? name : name.toLowerCase();
}

/** @returns undefined if it isn't a positive whole number of days. */
function wholeDaysAgo({ endTimeMillis, chosenAt }: ChosenCutOff): number | undefined {
  const millis = chosenAt - endTimeMillis;
  const days = Math.round(millis / MILLIS_PER_DAY);
  return days >= 1 && Math.abs(millis - days * MILLIS_PER_DAY) <= TOLERANCE_MILLIS ? days : undefined;
}
