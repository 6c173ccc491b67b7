/** What lists of the same connection tell of it together. Pure. */
import type { LoadableList } from '../connections/loadableList.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';

/** Why lists could not be loaded, without what was before another of them loaded: what was wrong with the connection no longer is. */
export function failuresNow(lists: readonly LoadableList<unknown>[]): readonly ServiceFailure[] {
  return lists.flatMap(({ failure, failedAt = Infinity }) =>
    failure === undefined || lists.some(({ succeededAt = -Infinity }) => succeededAt > failedAt) ? [] : [failure],
  );
}
