/**
 * Indices that a reindex replaced. A server leaves them behind under their physical names, which end in the time at which they were
 * made. Pure.
 */
import type { IndexSize } from '../service/indices/indices.ts';

/** An index that can be named: what a truncation is about. */
export interface IndexTarget {
  readonly entityType: string;
  readonly aspect: string;
}

/** What the names in a listing tell of an index that was replaced. Times are Unix time in ms, by the server's clock. */
export interface Replaced {
  /** Undefined where the server names neither this index nor the one that took its place. */
  readonly target: IndexTarget | undefined;
  readonly createdAt: number;
  /** When the indices of this name were made that are listed, the replaced ones included; the earliest first. */
  readonly times: readonly number[];
  /** The one that readers see has no time in its name, so that none of these is its own. */
  readonly isCurrentUntimed: boolean;
}

const PHYSICAL_NAME = /^(.+)_(\d{10,15})$/;

/** Which of the listed indices were replaced. One that stands alone wasn't, whatever its name. */
export function findReplaced(indices: readonly IndexSize[]): ReadonlyMap<IndexSize, Replaced> {
  const families = new Map<string, { readonly index: IndexSize; readonly time: number | undefined }[]>();
  for (const index of indices) {
    const [, name = index.indexName, time] = PHYSICAL_NAME.exec(index.indexName) ?? [];
    const family = families.get(name) ?? [];
    family.push({ index, time: time === undefined ? undefined : Number(time) });
    families.set(name, family);
  }
  const replaced = new Map<IndexSize, Replaced>();
  for (const family of families.values()) {
    const times = family.flatMap(({ time }) => time ?? []).toSorted((a, b) => a - b);
    const isCurrentUntimed = times.length < family.length;
    const target = family.flatMap(({ index }) => targetOf(index) ?? [])[0];
    for (const { index, time } of family) {
      if (time !== undefined && (isCurrentUntimed || time !== times.at(-1))) {
        replaced.set(index, { target, createdAt: time, times, isCurrentUntimed });
      }
    }
  }
  return replaced;
}

function targetOf({ entityType, aspect }: IndexSize): IndexTarget | undefined {
  return entityType === undefined || aspect === undefined ? undefined : { entityType, aspect };
}
