/** Signs in to a connection that is saved: the access token is tried before it takes the place of the one that is stored. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';
import { confirmPlainHttp } from './connectionQuestions.ts';
import { askText, runSteps } from '../ui/inputSteps.ts';
import type { Notices } from '../ui/notices.ts';
import { hostOf, identityOf, lacksConsent, originOf, withConsentTo } from './connection.ts';
import type { Connection } from './connection.ts';
import { draftOf, tokenProblem } from './connectionDraft.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { ServicePool } from './servicePool.ts';
import { STEPS, askCheck } from './checkStep.ts';

interface Parts {
  readonly store: ConnectionStore;
  readonly services: ServicePool;
  readonly notices: Notices;
}

/**
 * @param save Saves the connection with its new access token.
 * @throws ServiceFailure `storage` when the connection was changed while the token was asked for.
 */
export async function signInToConnection(
  { store, services, notices }: Parts,
  connection: Connection,
  save: (signedIn: Connection, token: string) => Promise<unknown>,
): Promise<void> {
  const asksConsent = lacksConsent(connection);
  if (asksConsent && !(await confirmPlainHttp(hostOf(connection)))) {
    return;
  }
  const agreed = (one: Connection): Connection => (asksConsent ? withConsentTo(originOf(connection), one) : one);
  const token = await askToken(agreed(connection), services);
  if (token === undefined) {
    return;
  }
  // Looked up again: it may have been edited or removed in the meantime, and the token was tried where it was before.
  const current = store.get(connection.id);
  if (current === undefined || identityOf(current) !== identityOf(connection)) {
    throw new ServiceFailure(
      'storage',
      l10n.t("The connection was changed in the meantime, so the access token wasn't kept."),
      {
        next: l10n.t('Sign in again.'),
      },
    );
  }
  const { credentialTokenId: _replaced, ...rest } = current;
  await save(agreed(rest), token);
  notices.done(l10n.t('Signed in to "{0}"', current.name));
}

/** Until a token works, or the person wants it all the same. @returns undefined when the person left. */
async function askToken(connection: Connection, services: ServicePool): Promise<string | undefined> {
  const draft = draftOf(connection);
  const taken = await runSteps(l10n.t('Sign In to "{0}"', connection.name), [
    {
      name: STEPS.token,
      ask: async (place) => {
        const answer = await askText(place, {
          value: draft.token ?? '',
          password: true,
          prompt: l10n.t('Access token for {0}. Stored securely in VS Code secret storage.', hostOf(connection)),
          problem: (text) => (text.trim() === '' ? l10n.t('Enter an access token.') : tokenProblem(text)),
        });
        if (answer.kind !== 'value') {
          return answer;
        }
        draft.token = answer.value.trim();
        return { kind: 'value', value: undefined };
      },
    },
    { ask: (place) => askCheck(place, draft, services, draft.token, 'signIn') },
  ]);
  return taken ? draft.token : undefined;
}
