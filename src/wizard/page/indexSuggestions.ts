/** What the entity type and aspect fields offer, from the indices that the server lists. */
import type { Suggestion } from '../../webview/page/suggestions.ts';
import type { WizardView } from '../protocol.ts';

type Indices = WizardView['indices'];

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
    : indices.map((index) => ({
        value: index.aspect,
        detail: `${index.entityType} · ${index.size}`,
        entityType: index.entityType,
      }));
}
