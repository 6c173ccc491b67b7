/** Wording that comments, titles of tests and documents avoid, because it hides who does what. */
import type { SourceFacts } from './facts.ts';

/** A comment begins with the thing or a verb. */
export const OPENER = /^(?:What|That|Whether|Whom|Whose)\b/i;

const DISCOURAGED_WORDS = /\b(?:told|tells|untold|hears|nobody|whoever|somebody|someone|anew)\b/i;

/** Not the concession of `ends, whatever the status`. */
const WHATEVER_AS_THING = /(?<!, )\bwhatever (?!(?:the|its)\b)/i;

export function hasDiscouragedWord(text: string): boolean {
  return DISCOURAGED_WORDS.test(text) || WHATEVER_AS_THING.test(text);
}

/** Sentences of a Markdown document to reword: `CONTRIBUTING.md: What …`. Code is left out. */
export function documentFaults(path: string, markdown: string): string[] {
  return proseSentences(markdown)
    .filter((sentence) => OPENER.test(sentence) || hasDiscouragedWord(sentence))
    .map((sentence) => `${path}: ${sentence}`);
}

/** A paragraph, a list item and a table's cell each begin a sentence, as the end of another one does. */
function proseSentences(markdown: string): string[] {
  return markdown
    .replaceAll(/^```[^]*?^```/gm, '\n')
    .replaceAll(/^ *(?:[-*]|\d+\.|#+) +/gm, '\n\n')
    .split(/\n\s*\n| \| |\n\|/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?]) (?=[A-Z])/))
    .filter((sentence) => /^[A-Z]/.test(sentence) || hasDiscouragedWord(sentence));
}

/** Comments and titles of tests to reword: `src/time.ts:3 What …`. */
export function wordingFaults({ path, comments, titles }: SourceFacts): string[] {
  return [...comments, ...titles]
    .filter(({ name }) => OPENER.test(name) || hasDiscouragedWord(name))
    .map(({ name, line }) => `${path}:${line} ${name}`);
}
