/** Wording that comments and titles of tests avoid, because it hides who does what. */
import type { SourceFacts } from './facts.ts';

/** A comment begins with the thing or a verb. */
export const OPENER = /^(?:What|That|Whether|Whom|Whose)\b/i;

const DISCOURAGED_WORDS = /\b(?:told|tells of|nobody|whoever|somebody|someone|anew)\b/i;

export function hasDiscouragedWord(text: string): boolean {
  return DISCOURAGED_WORDS.test(text);
}

/** Comments and titles of tests to reword: `src/time.ts:3 What …`. */
export function wordingFaults({ path, comments, titles }: SourceFacts): string[] {
  return [...comments, ...titles]
    .filter(({ name }) => OPENER.test(name) || hasDiscouragedWord(name))
    .map(({ name, line }) => `${path}:${line} ${name}`);
}
