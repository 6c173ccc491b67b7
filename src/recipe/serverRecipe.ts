/**
 * Makes a recipe for the server's own cleanup (PROTOCOL.md §13.2), by which the server truncates regularly, or says
 * why it can't apply a cutoff. Checks the release and the rows of each index first.
 */
import * as l10n from '@vscode/l10n';
import { type IndexName, indexNameKey, indexNameText } from '../indices/indexName.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { countRows } from '../truncation/countRows.ts';
import type { DryRunReport } from '../truncation/dryRun.ts';
import type { Problem } from '../truncation/outcome.ts';
import { DEFAULT_BATCH_SIZE } from '../truncation/plan.ts';
import { gcRecipeText } from './gcRecipe.ts';
import { gcReleasesOf, type GcReleaseRange } from './gcReleases.ts';
import { ageForRecipe, type IndexWithCutoff, reindexRefusal, releasesForRecipe } from './recipeRefusal.ts';

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
  const release = await service.ingestionRelease();
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
      : failure.because(l10n.t("Couldn't count what the first run would delete from {0}", indexNameText(cutoff)));
  }
}

function indexNameFrom(name: string): IndexName {
  const [entityType = '', aspect = ''] = name.split('/');
  return { entityType, aspect };
}
