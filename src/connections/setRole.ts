/** Changes what a connection is said to be used for. */
import * as l10n from '@vscode/l10n';
import { alone } from '../ui/inputSteps.ts';
import type { Notices } from '../ui/notices.ts';
import type { Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { askRole, confirmRole } from './roleStep.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly notices: Notices;
}

/** What gets stricter is done at once, what gets laxer is asked about. */
export async function setRole({ store, notices }: Parts, connection: Connection): Promise<void> {
  // As it is now, each time: another window may have changed it while the question stood open.
  const current = (): Connection => store.get(connection.id) ?? connection;
  const answer = await askRole(alone(l10n.t('Set Connection Role')), connection, (role) =>
    confirmRole(current(), role),
  );
  const stored = store.get(connection.id);
  if (answer.kind === 'value' && stored !== undefined) {
    await store.save({ ...stored, role: answer.value });
    notices.done(l10n.t('Role of "{0}" changed', stored.name));
  }
}
