import type { IndexNames } from './timeseriesStore.ts';

const ending = 'aspect_v1';

/** The name under which an entity type's aspect is read: an index, or an alias of one. */
export function canonicalName(entity: string, aspect: string): string {
  return `${entity}_${aspect}${ending}`.toLowerCase();
}

/**
 * Entity type and aspect as the platform reads them from an index's name. Null unless exactly two words precede the
 * suffix.
 */
export function namesIn(indexName: string): IndexNames | null {
  const [entity, aspect, ...more] = indexName.slice(0, Math.max(0, indexName.indexOf(ending))).split('_');
  return entity && aspect && more.length === 0 ? { entity, aspect } : null;
}
