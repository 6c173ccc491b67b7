/** Tries a connection that is saved, and tells what was found. */
import * as l10n from '@vscode/l10n';
import { asFailure } from '../service/failure/failure.ts';
import { askModal, showProgress } from '../ui/messages.ts';
import type { Paragraph } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import type { Connection } from './connection.ts';
import { checkServer } from './checkServer.ts';
import { checkLines } from './checkText.ts';
import type { CheckLine } from './checkText.ts';
import type { ServicePool } from './servicePool.ts';
import type { CredentialStore } from './credentialStore.ts';

interface Parts {
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly notices: Notices;
}

/** Shows progress, can be cancelled, and throws nothing: a failure is told. */
export async function testConnection({ credentials, services, notices }: Parts, connection: Connection): Promise<void> {
  const title = l10n.t('Testing "{0}"…', connection.name);
  const found = await showProgress(title, true, async (token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      const signedIn = (await credentials.read(connection)) !== undefined;
      const { check, rights } = await checkServer(services.get(connection), stop.signal);
      return stop.signal.aborted ? undefined : checkLines(check, connection.actorUrn, signedIn, rights);
    } catch (thrown) {
      notices.failure(asFailure(thrown), connection);
      return undefined;
    }
  });
  if (found !== undefined) {
    // Not waited for: the command is done.
    void askModal(l10n.t('Connected to "{0}"', connection.name), paragraphs(found));
  }
}

/** A modal, since a notification has no lines: what is short in one block, what needs a reason below it. */
function paragraphs(lines: readonly CheckLine[]): Paragraph[] {
  const short = lines.filter(({ detail }) => detail === undefined).map(({ label }) => label);
  return [short, ...lines.flatMap(({ label, detail }) => (detail === undefined ? [] : [[label, detail]]))];
}
