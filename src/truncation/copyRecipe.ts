/** Copies a recipe that the server can run by itself, and says what to know of it. */
import * as l10n from '@vscode/l10n';
import type { Clipboard } from '../ui/clipboard.ts';
import { showInformation } from '../ui/messages.ts';

/** @param recipe As `gcRecipe` makes it. */
export async function copyRecipe(recipe: string, clipboard: Clipboard): Promise<void> {
  await clipboard.copy(recipe);
  void showInformation(
    l10n.t(
      'Copied a datahub-gc recipe. It counts in whole days, and older versions reject it: see the comments in it.',
    ),
  );
}
