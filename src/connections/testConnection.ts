/** Tries a connection that is saved, and tells what was found. */
import * as vscode from 'vscode';
import { asFailure } from '../service/failure/failure.ts';
import { showInformation, showProgress } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import type { Connection } from './connection.ts';
import { greetingLines } from './checkText.ts';
import type { Services } from './servicePool.ts';
import type { Vault } from './credentialStore.ts';

interface Parts {
  readonly vault: Vault;
  readonly services: Services;
  readonly notices: Notices;
}

/** Shows progress, can be cancelled, and throws nothing: a failure is told. */
export async function testConnection({ vault, services, notices }: Parts, connection: Connection): Promise<void> {
  const title = vscode.l10n.t('Testing "{0}"…', connection.name);
  await showProgress(title, true, async (token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      const signedIn = (await vault.read(connection)) !== undefined;
      const greeting = await services.of(connection).greet(stop.signal);
      const lines = greetingLines(greeting, connection.actorUrn, signedIn).map(({ label }) => label);
      // Told once the progress is gone, and not waited for: the command is done.
      void showInformation(`${connection.name}: ${lines.join(' · ')}`);
    } catch (thrown) {
      notices.failure(asFailure(thrown), connection);
    }
  });
}
