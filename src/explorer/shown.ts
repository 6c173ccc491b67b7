/** The list of a connection as it is shown now. */
import type { LoadableList } from '../connections/loadableList.ts';

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
