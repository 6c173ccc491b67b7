/** The steps that make or change a connection. Nothing is saved here: the last step says whether it shall be. */
import * as l10n from '@vscode/l10n';
import { checkBaseUrl } from '../service/http/baseUrl.ts';
import { shortActor } from '../service/urn.ts';
import { confirmPlainHttp } from './connectionQuestions.ts';
import { askInto, askText, runSteps } from '../ui/inputSteps.ts';
import type { Step } from '../ui/inputSteps.ts';
import { normalizedName } from '../ui/typedName.ts';
import { askAddress } from './addressStep.ts';
import { originOf } from './connection.ts';
import { actorUrnOf, agreesToPlainHttp, moveTo, tokenProblem } from './connectionDraft.ts';
import type { ConnectionDraft } from './connectionDraft.ts';
import { STEPS, askCheck } from './checkStep.ts';
import type { Role } from './role.ts';
import { askRole } from './roleStep.ts';
import { nameProblem, userProblem } from './typedConnection.ts';
import type { ServicePool } from './servicePool.ts';

/**
 * @param storedToken The credential the connection has already, as long as the address stays the same.
 * @param mayTakeRole Asks where a role takes more than a choice.
 * @returns false when the person left; the draft keeps what was typed.
 */
export function runConnectionFlow(
  title: string,
  draft: ConnectionDraft,
  services: ServicePool,
  storedToken: (baseUrl: string) => Promise<string | undefined>,
  otherNames: readonly string[],
  mayTakeRole: (role: Role) => Promise<boolean>,
): Promise<boolean> {
  const steps: Step[] = [
    {
      name: STEPS.address,
      ask: async (place) => {
        const answer = await askAddress(place, draft.baseUrl);
        if (answer.kind !== 'value') {
          return answer;
        }
        moveTo(draft, answer.value);
        return { kind: 'value', value: undefined };
      },
    },
    {
      applies: () => needsConsent(draft.baseUrl) && !agreesToPlainHttp(draft),
      ask: async () => {
        if (!(await confirmPlainHttp(new URL(draft.baseUrl).host))) {
          return { kind: 'back' };
        }
        draft.plainHttpOrigin = originOf(draft);
        return { kind: 'value', value: undefined };
      },
    },
    {
      ask: (place) =>
        askInto(
          askText(place, {
            value: draft.actor,
            prompt: l10n.t('Your user ID or URN, for example jdoe or urn:li:corpuser:jdoe.'),
            placeholder: l10n.t('for example jdoe'),
            problem: userProblem,
          }),
          (text) => (draft.actor = shortActor(actorUrnOf(text))),
        ),
    },
    {
      name: STEPS.token,
      ask: async (place) => {
        const hasStored = (await storedToken(draft.baseUrl)) !== undefined;
        return askInto(
          askText(place, {
            value: draft.token ?? '',
            password: true,
            prompt: hasStored
              ? l10n.t('Access token. Leave empty to keep the stored one.')
              : l10n.t('Access token (optional). Stored securely in VS Code secret storage.'),
            placeholder: hasStored ? l10n.t('unchanged') : l10n.t('Paste a token, or leave empty to sign in later'),
            problem: tokenProblem,
          }),
          (text) => (draft.token = text.trim() === '' ? undefined : text.trim()),
        );
      },
    },
    {
      ask: (place) =>
        askInto(
          askText(place, {
            value: draft.name === '' ? new URL(draft.baseUrl).host : draft.name,
            prompt: l10n.t('A name for this connection.'),
            problem: (text) => nameProblem(text, otherNames),
          }),
          (text) => (draft.name = normalizedName(text)),
        ),
    },
    { ask: (place) => askInto(askRole(place, draft, mayTakeRole), (role) => (draft.role = role)) },
    {
      ask: async (place) => askCheck(place, draft, services, draft.token ?? (await storedToken(draft.baseUrl))),
    },
  ];
  return runSteps(title, steps);
}

function needsConsent(baseUrl: string): boolean {
  const checked = checkBaseUrl(baseUrl);
  return 'needsConsent' in checked && checked.needsConsent;
}
