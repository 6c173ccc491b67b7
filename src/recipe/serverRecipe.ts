/** Makes a recipe for the server's own cleanup, after checking the release and the rows of each index. */
import * as l10n from '@vscode/l10n';
import { type IndexName, indexNameKey, indexNameText } from '../indices/indexName.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import { gcReleasesOf, type GcReleases } from '../service/ingestion/gcReleases.ts';
import type { MetadataService } from '../service/service.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { countRows } from '../truncation/countRows.ts';
import type { DryRunReport } from '../truncation/dryRun.ts';
import { gcRecipe } from './gcRecipe.ts';
import { DEFAULT_BATCH_SIZE } from '../truncation/plan.ts';
import {
  ageForRecipe,
  reindexRefusal,
  releasesForRecipe,
  type ChosenCutOff,
  type RecipeRefusal,
} from './recipeRefusal.ts';

export interface ServerRecipe {
  readonly recipe: string;
  readonly releases: GcReleases;
  readonly olderThanDays: number;
}

export interface RecipeQuestions {
  /** Asks for the server's releases. Resolves to undefined if the user left. */
  readonly askReleases: () => Promise<GcReleases | undefined>;
  /** Shows progress during the dry runs. */
  readonly showCounting: <T>(
    count: (signal: AbortSignal, showIndex: (index: string) => void) => Promise<T>,
  ) => Thenable<T>;
  /** Called after an index was counted, which may change the outcome of its last truncation. */
  readonly counted: (target: IndexName) => void;
  /** The present: Unix time in ms. */
  readonly now: () => number;
}

/**
 * @param cutOffs At least one. @param isCaseSensitive Whether index names are, as on PostgreSQL.
 * @returns undefined if the user left.
 * @throws ServiceFailure also if the rows of an index can't be counted.
 */
export async function serverRecipe(
  service: MetadataService,
  cutOffs: readonly ChosenCutOff[],
  isCaseSensitive: boolean,
  { askReleases, showCounting, counted, now }: RecipeQuestions,
): Promise<ServerRecipe | RecipeRefusal | undefined> {
  const age = ageForRecipe(cutOffs, isCaseSensitive);
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
  const releases = releasesForRecipe(found, serverRelease, cutOffs, isCaseSensitive);
  if ('sentence' in releases) {
    return releases;
  }
  const countedAt = now();
  const chosen = new Set(cutOffs.map(indexNameKey));
  const refusal = await showCounting(async (signal, showIndex) => {
    for (const name of releases.truncated) {
      showIndex(name);
      const cutOff = { ...targetFrom(name), endTimeMillis: countedAt - olderThanDays * MILLIS_PER_DAY };
      // One after the other: the first that is refused ends it.
      const report = await countForRecipe(service, cutOff, signal);
      counted(cutOff);
      const refused = reindexRefusal(cutOff, report, olderThanDays, chosen.has(indexNameKey(cutOff)));
      if (refused !== undefined) {
        return refused;
      }
    }
    return undefined;
  });
  return (
    refusal ?? { recipe: gcRecipe({ releases, serverRelease, olderThanDays, countedAt }), releases, olderThanDays }
  );
}

/** Counts like datahub-gc, which leaves strategy and batch size to the server. */
async function countForRecipe(
  service: MetadataService,
  cutOff: IndexName & { readonly endTimeMillis: number },
  signal: AbortSignal,
): Promise<DryRunReport> {
  const plan = { ...cutOff, batchSize: DEFAULT_BATCH_SIZE, timeoutSeconds: undefined, strategy: 'server' } as const;
  try {
    return await countRows(service, plan, signal);
  } catch (thrown) {
    const failure = toServiceFailure(thrown);
    throw failure.kind === 'cancelled'
      ? failure
      : failure.because(l10n.t("Couldn't count what the first run would delete from {0}", indexNameText(cutOff)));
  }
}

function targetFrom(name: string): IndexName {
  const [entityType = '', aspect = ''] = name.split('/');
  return { entityType, aspect };
}
