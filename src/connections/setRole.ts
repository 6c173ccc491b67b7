/** Changes what a connection is said to be used for. */
import * as l10n from '@vscode/l10n';
import { alone } from '../ui/inputSteps.ts';
import { showWarning } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { isLaxer } from './role.ts';
import type { Role } from './role.ts';
import { askRole, confirmRole } from './roleStep.ts';
import { saveRole } from './saveRole.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly notices: Notices;
}

/** What gets stricter is done at once, what gets laxer is asked about. */
export async function setRole({ store, notices }: Parts, connection: Connection): Promise<void> {
  // As it is now, each time: another window may have changed it while a question stood open.
  const current = async (): Promise<Connection> => (await store.getFresh(connection.id)) ?? connection;
  let asked = await current();
  const mayTake = async (role: Role): Promise<boolean> => {
    asked = await current();
    // Stricter by now than what was asked about: asked about that too.
    return (await confirmRole(asked, role)) && (!isLaxer(asked.role, (await current()).role) || mayTake(role));
  };
  const answer = await askRole(alone(l10n.t('Set Connection Role')), asked, mayTake);
  const stored = store.get(connection.id);
  if (answer.kind === 'value' && stored !== undefined) {
    const { isAsChosen, text } = await saveRole(store, stored, answer.value, asked.role);
    if (isAsChosen) {
      notices.done(text);
    } else {
      void showWarning(text);
    }
  }
}
