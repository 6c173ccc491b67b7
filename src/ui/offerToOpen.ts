/** Tells the user what was made, and offers to open it. VS Code shows a message with an action at full length. */
import * as l10n from '@vscode/l10n';
import { showInformation } from './messages.ts';

export async function offerToOpen(said: string, open: () => Thenable<unknown>): Promise<void> {
  const label = l10n.t('Open in Editor');
  if ((await showInformation(said, label)) === label) {
    await open();
  }
}
