/** Copies a recipe for the server's own cleanup, or explains why there is none. */
import * as l10n from '@vscode/l10n';
import { language } from '../../language.ts';
import { GC_RELEASES, type GcReleaseRange } from './gcReleases.ts';
import type { MetadataService } from '../../service/service.ts';
import type { Clipboard } from '../../ui/clipboard.ts';
import { formatsOf } from '../../ui/formats.ts';
import { singleStep, askPick } from '../../ui/inputSteps.ts';
import { offerToOpen, showWarning } from '../../ui/messages.ts';
import { showProgress } from '../../ui/progress.ts';
import { serverRecipe, type IndexWithCutoff } from './recipeChecks.ts';
import { problemText } from '../../truncation/problem.ts';

/**
 * @param cutoffs At least one.
 * @throws ServiceFailure also if the rows of an index can't be counted.
 */
export async function copyGcRecipe(
  cutoffs: readonly IndexWithCutoff[],
  service: MetadataService,
  clipboard: Clipboard,
): Promise<void> {
  const made = await serverRecipe(service, cutoffs, { askReleases, showCounting, now: Date.now });
  if (made === undefined) {
    return;
  }
  if ('sentence' in made) {
    void showWarning(problemText(made));
    return;
  }
  await clipboard.copy(made.recipe);
  void offerToOpen(
    // {0} is a release, {1} a time such as "30 days", {2} a list of indices.
    l10n.t(
      'Copied a recipe for datahub-gc {0}. Every run deletes rows older than {1} from all indices that datahub-gc truncates: {2}. Read the comments in the recipe first.',
      releasesText(made.releases),
      formatsOf(language()).duration(made.olderThanDays, 'day'),
      made.releases.truncated.join(', '),
    ),
    made.recipe,
    'yaml',
  );
}

function showCounting<T>(count: (signal: AbortSignal, showIndex: (index: string) => void) => Promise<T>): Thenable<T> {
  return showProgress(l10n.t('Counting what the first run would delete…'), true, (signal, progress) =>
    count(signal, (index) => progress.report({ message: index })),
  );
}

/** Newest first. */
async function askReleases(): Promise<GcReleaseRange | undefined> {
  const answer = await askPick(singleStep(l10n.t('Copy as datahub-gc Recipe')), {
    items: GC_RELEASES.map((releases) => ({ label: releasesText(releases), releases })),
    placeholder: l10n.t('Which release of acryl-datahub runs ingestion on this server?'),
  });
  return answer.kind === 'value' ? answer.value.releases : undefined;
}

/** `1.6.0.15 or later`, `0.15.0.1 to 1.6.0.14`, `0.15.0` */
function releasesText(releases: GcReleaseRange): string {
  const { first, last } = releases;
  if (releases === GC_RELEASES[0]) {
    return l10n.t('{0} or later', first);
  }
  return first === last ? first : l10n.t('{0} to {1}', first, last);
}
