/** Names that the user types, and types again to confirm: whatever can't be seen makes no difference. */
import * as l10n from '@vscode/l10n';
import { containsToken } from '../service/failure/redaction.ts';
import { inMessage, inPlainText } from './foreignText.ts';

/** What shows nothing of itself. No kind of space: those become plain ones. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|(?!\s)\p{Cc}|\p{Cs}/gu;
/** The pattern of an empty Braille cell is drawn as a space too. */
const SPACES = /[\s\u2800]+/g;

/** The name with one plain space for each run of any kind of space and without invisible characters, composed (NFC). */
export function normalizedName(text: string): string {
  return text.replaceAll(INVISIBLE, '').replaceAll(SPACES, ' ').trim().normalize('NFC');
}

/** Whether the text is the name, as it is or as a question shows it: with a space in what would be an icon or a link. */
export function isTypedName(text: string, name: string): boolean {
  const typed = normalizedName(text);
  return [name, inPlainText(name), inMessage(name)].some((shown) => normalizedName(shown) === typed);
}

/** Why a text cannot be a name or a description, where it holds an access token. */
export function heldTokenProblem(text: string): string | undefined {
  return containsToken(text) ? l10n.t('This looks like an access token. Others can see this text.') : undefined;
}
