/** Typed names. Invisible differences are ignored. */
import { inMessage, inPlainText } from './foreignText.ts';

/** An empty Braille cell looks like a space too. */
const SPACES = /[\s\u2800]+/g;

/** One plain space for each run of spaces, no invisible characters, composed (NFC). */
export function normalizedName(text: string): string {
  // Keeps spaces. Created here, since compiling slows down startup.
  const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|(?!\s)\p{Cc}|\p{Cs}/gu;
  return text.replaceAll(invisible, '').replaceAll(SPACES, ' ').trim().normalize('NFC');
}

/** True if the text is the name, as is or as a question shows it. */
export function isSameName(text: string, name: string): boolean {
  const typed = normalizedName(text);
  return [name, inPlainText(name), inMessage(name)].some((shown) => normalizedName(shown) === typed);
}
