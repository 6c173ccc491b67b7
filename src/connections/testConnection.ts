/** Tries a connection that is saved, and tells what was found. */
import * as vscode from 'vscode';
import { asFailure } from '../service/failure/failure.ts';
import { showInformation, showProgress } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import type { Connection } from './connection.ts';
import { checkLines } from './checkText.ts';
import type { ServicePool } from './servicePool.ts';
import type { CredentialStore } from './credentialStore.ts';

interface Parts {
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly notices: Notices;
}

/** Shows progress, can be cancelled, and throws nothing: a failure is told. */
export async function testConnection({ credentials, services, notices }: Parts, connection: Connection): Promise<void> {
  const title = vscode.l10n.t('Testing "{0}"…', connection.name);
  await showProgress(title, true, async (token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      const signedIn = (await credentials.read(connection)) !== undefined;
      const check = await services.get(connection).check(stop.signal);
      const lines = checkLines(check, connection.actorUrn, signedIn).map(({ label }) => label);
      // Told once the progress is gone, and not waited for: the command is done.
      void showInformation(`${connection.name}: ${lines.join(' · ')}`);
    } catch (thrown) {
      notices.failure(asFailure(thrown), connection);
    }
  });
}
