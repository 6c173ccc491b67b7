import * as l10n from '@vscode/l10n';
import type { LoadableList } from '../connections/loadableList.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

/** How old rows are that stay although they could not be loaded anew: "as of 2:05 PM". Empty for those that were. */
export function listAge({ failure, loadedAt }: LoadableList<unknown>, now = Date.now()): string {
  return failure === undefined || loadedAt === undefined
    ? ''
    : l10n.t('as of {0}', formatsOf(language()).moment(loadedAt, now));
}
