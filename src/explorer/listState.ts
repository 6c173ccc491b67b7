/** State of a connection's lists: which is current, how old, and why one failed. */
import * as l10n from '@vscode/l10n';
import type { LoadableList } from '../connections/loadableList.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';

/**
 * Returns the current list once it has rows. Existing rows are returned while newer ones load, since VS Code
 * ignores clicks on rows that it waits for. Retries if the list was dropped: it has another credential's rows.
 * @param current Returns the list in use at that moment.
 */
export async function currentList<List extends LoadableList<unknown>>(current: () => List): Promise<List> {
  for (;;) {
    const list = current();
    await list.ensureShown();
    if (list === current()) {
      return list;
    }
  }
}

/** Age of rows that couldn't be reloaded: "as of 2:05 PM". Empty for fresh rows. */
export function listAge({ failure, loadedAt }: LoadableList<unknown>, now = Date.now()): string {
  return failure === undefined || loadedAt === undefined
    ? ''
    : l10n.t('as of {0}', formatsOf(language()).moment(loadedAt, now));
}

/** Failures of lists, except those from before another list loaded: the connection works again. */
export function currentFailures(lists: readonly LoadableList<unknown>[]): readonly ServiceFailure[] {
  return lists.flatMap(({ failure, failedAt = Infinity }) =>
    failure === undefined || lists.some(({ succeededAt = -Infinity }) => succeededAt > failedAt) ? [] : [failure],
  );
}
