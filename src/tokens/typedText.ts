/** Validates typed names and descriptions of tokens. */
import * as l10n from '@vscode/l10n';
import { heldTokenProblem } from '../ui/typedName.ts';

/** Limits of the service's own page. */
const LONGEST_NAME = 50;
const LONGEST_DESCRIPTION = 500;

/** Why a text can't be a name; undefined if it can. */
export function tokenNameProblem(text: string): string | undefined {
  return heldTokenProblem(text) ?? lengthProblem(text, 1, LONGEST_NAME);
}

/** Why a text can't be a description; undefined if it can. */
export function tokenDescriptionProblem(text: string): string | undefined {
  return heldTokenProblem(text) ?? lengthProblem(text, 0, LONGEST_DESCRIPTION);
}

function lengthProblem(text: string, least: number, most: number): string | undefined {
  const { length } = text.trim();
  if (length < least) {
    return l10n.t('Enter a name.');
  }
  return length > most ? l10n.t('At most {0} characters. This has {1}.', most, length) : undefined;
}
