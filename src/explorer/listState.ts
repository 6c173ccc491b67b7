/** How far the lists of a connection are loaded, and why they are not. */
import * as l10n from '@vscode/l10n';
import type { LoadableList } from '../connections/loadableList.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';

/**
 * Rows that are there are given out while newer ones are loaded: of a row that VS Code waits for, a click would say no more which one
 * it was. A list that was dropped meanwhile, for the access changed, holds what another credential saw.
 *
 * @param current The list that is in use at the time of the call.
 */
export async function shown<List extends LoadableList<unknown>>(current: () => List): Promise<List> {
  for (;;) {
    const list = current();
    await list.ensureShown();
    if (list === current()) {
      return list;
    }
  }
}

/** How old rows are that stay although they could not be loaded anew: "as of 2:05 PM". Empty for those that were. */
export function listAge({ failure, loadedAt }: LoadableList<unknown>, now = Date.now()): string {
  return failure === undefined || loadedAt === undefined
    ? ''
    : l10n.t('as of {0}', formatsOf(language()).moment(loadedAt, now));
}

/** Why lists could not be loaded, without what was before another of them loaded: what was wrong with the connection no longer is. */
export function failuresNow(lists: readonly LoadableList<unknown>[]): readonly ServiceFailure[] {
  return lists.flatMap(({ failure, failedAt = Infinity }) =>
    failure === undefined || lists.some(({ succeededAt = -Infinity }) => succeededAt > failedAt) ? [] : [failure],
  );
}
