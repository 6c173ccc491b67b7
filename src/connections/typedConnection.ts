/** Checks of the user and the name that are typed for a connection. */
import * as l10n from '@vscode/l10n';
import { pastedTokenProblem } from '../service/pastedToken.ts';
import { checkActor } from '../service/urn.ts';
import { heldTokenProblem, normalizedName } from '../ui/typedName.ts';
import { LONGEST_NAME } from './connection.ts';

/** Why a text cannot be the user of a connection, or undefined when it can. */
export function userProblem(text: string): string | undefined {
  const checked = pastedTokenProblem(text) ?? checkActor(text);
  return 'problem' in checked ? checked.problem : undefined;
}

/** Why a text cannot be the name of a connection, or undefined when it can. */
export function nameProblem(text: string, otherNames: readonly string[]): string | undefined {
  const name = normalizedName(text);
  if (name === '') {
    return l10n.t('Enter a name.');
  }
  if (name.length > LONGEST_NAME) {
    return l10n.t('Names can have at most 100 characters.');
  }
  return otherNames.includes(name) ? l10n.t('Another connection already has this name.') : heldTokenProblem(text);
}
