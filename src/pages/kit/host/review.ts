/** Parts of a review that both pages share: the server, the question, its button, and folded facts. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../../connections/connection.ts';
import { localizedRoleName } from '../../../connections/role.ts';
import { language, plural } from '../../../language.ts';
import type { RowCounts } from '../../../truncation/dryRun.ts';
import { snapshotText } from '../../../truncation/texts/consequenceTexts.ts';
import { aboutText, formatsOf, utcTimeText } from '../../../ui/formats.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import type { ConnectionView, Fact, ShownFigures } from '../protocol.ts';

export function connectionView({ name, baseUrl, role }: Connection): ConnectionView {
  return {
    name: inPlainText(name),
    baseUrl: inPlainText(baseUrl),
    role: role === 'production' || role === 'readOnly' ? { kind: role, name: localizedRoleName(role) } : undefined,
  };
}

export function deleteQuestion({ toDelete, total }: RowCounts): string {
  const { number } = formatsOf(language());
  const texts = [number(toDelete), number(total)] as const;
  return plural(total, l10n.t('Delete {0} of {1} row?', ...texts), l10n.t('Delete {0} of {1} rows?', ...texts));
}

/** The estimated size of the rows to delete, since rows differ in size. @param toDelete In bytes, as is `all`. */
export function shownSize(toDelete: number | undefined, all: number | undefined): ShownFigures['size'] {
  const { size } = formatsOf(language());
  return toDelete === undefined || all === undefined
    ? undefined
    : {
        toDelete: aboutText(size(toDelete)),
        // {0} is the size of the whole index, in small print below that of the rows to delete.
        ofAll: l10n.t('of {0}', size(all)),
      };
}

/** @param toDelete Undefined if unknown. */
export function deleteLabel(toDelete: number | undefined): string {
  const count = formatsOf(language()).number(toDelete ?? 0);
  return toDelete === undefined
    ? l10n.t('Delete Rows…')
    : plural(toDelete, l10n.t('Delete {0} Row…', count), l10n.t('Delete {0} Rows…', count));
}

/** @param timeZone The user's (IANA name). */
export function cutoffFact(endTimeMillis: number, timeZone: string): Fact {
  const formats = formatsOf(language(), timeZone);
  return { name: l10n.t('Cutoff'), value: `${formats.zonedTime(endTimeMillis)} (${utcTimeText(endTimeMillis)})` };
}

/** The load on the server, and how to find a second copy. */
export function riskFacts(): readonly Fact[] {
  return [
    {
      name: l10n.t('Load'),
      value: l10n.t(
        "The deletion can't be paused or stopped from here, and it puts load on the search cluster or database.",
      ),
    },
    { name: l10n.t('Snapshots'), value: snapshotText() },
  ];
}
