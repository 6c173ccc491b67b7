/** What a text field may suggest. */

/** One row of a suggestion list. */
export interface Suggestion {
  /** What the field holds once it is chosen. */
  readonly value: string;
  /** Quiet text beside it: a size, a number of indices. */
  readonly detail: string;
  /** Set where choosing an aspect settles the entity type too. */
  readonly entityType?: string;
}

/** A server may list thousands of indices; a longer list helps nobody, typing more does. */
const LONGEST_LIST = 50;

/** The suggestions that hold the typed text, those that start with it first. */
export function matching(suggestions: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const text = typed.trim().toLowerCase();
  const found = suggestions.filter(({ value }) => value.toLowerCase().includes(text));
  const isStart = ({ value }: Suggestion): boolean => value.toLowerCase().startsWith(text);
  return [...found.filter(isStart), ...found.filter((suggestion) => !isStart(suggestion))].slice(0, LONGEST_LIST);
}
