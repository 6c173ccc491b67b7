/** What may be typed as the name and the description of a token. */
import * as l10n from '@vscode/l10n';
import { heldTokenProblem } from '../ui/typedName.ts';

/** The longest that the service's own page takes. */
const LONGEST_NAME = 50;
const LONGEST_DESCRIPTION = 500;

/** Why a text cannot be a name, or undefined when it can. */
export function nameProblem(text: string): string | undefined {
  return heldTokenProblem(text) ?? lengthProblem(text, 1, LONGEST_NAME);
}

/** Why a text cannot be a description, or undefined when it can. */
export function descriptionProblem(text: string): string | undefined {
  return heldTokenProblem(text) ?? lengthProblem(text, 0, LONGEST_DESCRIPTION);
}

function lengthProblem(text: string, least: number, most: number): string | undefined {
  const { length } = text.trim();
  if (length < least) {
    return l10n.t('Enter a name.');
  }
  return length > most ? l10n.t('At most {0} characters. This has {1}.', most, length) : undefined;
}
