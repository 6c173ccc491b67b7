/** View parts of a truncation and its server that both pages have. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../../connections/connection.ts';
import { localizedRoleName } from '../../../connections/role.ts';
import { language, plural } from '../../../language.ts';
import type { Caution } from '../../../truncation/cautions.ts';
import { percentToDelete, type RowCounts } from '../../../truncation/dryRun.ts';
import { type TruncationRecord, wholeEnding } from '../../../truncation/record.ts';
import type { ReviewedIndex } from '../../../truncation/state.ts';
import type { TaskProgress } from '../../../truncation/taskEnd.ts';
import { snapshotText } from '../../../truncation/texts/consequenceTexts.ts';
import { cautionText, strategyTexts } from '../../../truncation/texts/reviewTexts.ts';
import { outcomeHeadline, sizeChangeOf, statusText } from '../../../truncation/texts/statusTexts.ts';
import { aboutText, formatsOf, utcTimeText } from '../../../ui/formats.ts';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import type { CautionView, ConnectionView, Fact, ShownFigures, ShownRows } from '../protocol.ts';

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

/** Cautions that the user ticks before deleting. @param timeZone The user's (IANA name). */
export function cautionViews(cautions: readonly Caution[], timeZone: string): readonly CautionView[] {
  const formats = formatsOf(language(), timeZone);
  return cautions.map((one) => ({ kind: one.kind, text: inSentence(cautionText(one, formats)) }));
}

export function rowsView(rows: RowCounts): ShownRows {
  return { ...rows, percent: percentToDelete(rows) };
}

/** Deleted rows and the size before and after, or the status of an unfinished truncation. @param size As listed, in bytes. */
export function headlineOf(
  record: TruncationRecord,
  size: number | undefined,
  progress: TaskProgress | undefined,
  now: number,
): string {
  const whole = wholeEnding(record);
  return whole === undefined
    ? statusText(record, progress, now)
    : outcomeHeadline(whole.deleted, sizeChangeOf(record, size, now));
}

/** Of dry runs that differ in their index and batch size at most. @param timeZone The user's (IANA name). */
export function planFacts(
  reviews: readonly Pick<ReviewedIndex, 'plan' | 'report'>[],
  timeZone: string,
): readonly Fact[] {
  const [first] = reviews;
  if (first === undefined) {
    return [];
  }
  const { zonedTime, number } = formatsOf(language(), timeZone);
  const { endTimeMillis } = first.plan;
  const { name, meaning } = strategyTexts[first.report.strategy];
  const batchSizes = new Set(reviews.map(({ plan }) => number(plan.batchSize)));
  return [
    { name: l10n.t('Cutoff'), value: `${zonedTime(endTimeMillis)} (${utcTimeText(endTimeMillis)})` },
    { name: l10n.t('Strategy'), value: `${name()}. ${meaning()}` },
    { name: l10n.t('Batch size'), value: [...batchSizes].join(', ') },
  ];
}

export function dryRunTimeFact(at: number, timeZone: string): Fact {
  return { name: l10n.t('Dry run time'), value: formatsOf(language(), timeZone).exactTime(at) };
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
