/** What the entity type and aspect fields offer, from the indices that the server lists. */
import type { WizardView } from '../truncation/wizardMessages.ts';

type Indices = WizardView['indices'];

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

/** Entity types, each with its aspects' names as detail. */
export function entityTypeSuggestions(indices: Indices): readonly Suggestion[] {
  const aspects = new Map<string, string[]>();
  for (const { entityType, aspect } of indices) {
    aspects.set(entityType, [...(aspects.get(entityType) ?? []), aspect]);
  }
  return [...aspects].map(([value, names]) => ({ value, detail: names.join(', ') }));
}

/** The aspects of an entity type, or of all when it has none (or is not typed yet). */
export function aspectSuggestions(indices: Indices, entityType: string): readonly Suggestion[] {
  const wanted = entityType.trim().toLowerCase();
  const own = indices.filter((index) => index.entityType.toLowerCase() === wanted);
  return own.length > 0
    ? own.map(({ aspect, size }) => ({ value: aspect, detail: size }))
    : indices.map((index) => ({ value: index.aspect, detail: `${index.entityType} · ${index.size}`, entityType: index.entityType }));
}

/** The suggestions that hold the typed text, those that start with it first. */
export function matching(suggestions: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const text = typed.trim().toLowerCase();
  const found = suggestions.filter(({ value }) => value.toLowerCase().includes(text));
  const isStart = ({ value }: Suggestion): boolean => value.toLowerCase().startsWith(text);
  return [...found.filter(isStart), ...found.filter((suggestion) => !isStart(suggestion))].slice(0, LONGEST_LIST);
}
