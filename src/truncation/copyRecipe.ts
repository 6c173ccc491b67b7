/** Copies cut-offs as a recipe that the server can run by itself. */
import * as l10n from '@vscode/l10n';
import type { Clipboard } from '../ui/clipboard.ts';
import { showInformation } from '../ui/messages.ts';
import type { CutOff } from './model/gcRecipe.ts';

/**
 * Copies nothing where there are none.
 * @throws ServiceFailure `badRequest` for a name that no index has.
 */
export async function copyRecipe(cutOffs: readonly CutOff[], clipboard: Clipboard): Promise<void> {
  if (cutOffs.length === 0) {
    return;
  }
  const { onDemand } = await import('./onDemand.ts');
  await clipboard.copy(onDemand.gcRecipe(cutOffs, Date.now()));
  void showInformation(
    l10n.t(
      'Copied a datahub-gc recipe. It counts in whole days, and older versions reject it: see the comments in it.',
    ),
  );
}
