/** View parts of a truncation and its server that both pages have. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../../connections/connection.ts';
import { localizedRoleName } from '../../../connections/role.ts';
import { language, plural } from '../../../language.ts';
import type { Caution } from '../../../truncation/cautions.ts';
import { mergeRequest } from '../../../truncation/clusterRequests.ts';
import { percentToDelete, type RowCounts, type ReviewedIndex } from '../../../truncation/dryRun.ts';
import type { ClusterRequestKind } from '../../../truncation/outcome.ts';
import {
  cancelableTask,
  repairOf,
  statusOf,
  type TruncationRecord,
  wholeEnding,
} from '../../../truncation/sentTruncation.ts';
import type { TaskProgress } from '../../../truncation/taskEnd.ts';
import { canMerge, mergeAdvice, snapshotText } from '../../../truncation/texts/consequenceTexts.ts';
import { cautionText } from '../../../truncation/texts/reviewTexts.ts';
import { strategyTexts } from '../../../truncation/texts/strategyTexts.ts';
import { outcomeHeadline, sizeChangeOf, statusText } from '../../../truncation/texts/statusTexts.ts';
import { aboutText, formatsOf, utcTimeText } from '../../../ui/formats.ts';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import type { CautionView, ConnectionView, CopyRequests, Fact, ShownFigures, ShownRows } from '../protocol.ts';

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

/** @param timeZone The user's (IANA name). */
export function planFacts(
  { plan: { endTimeMillis, batchSize }, report }: Pick<ReviewedIndex, 'plan' | 'report'>,
  timeZone: string,
): readonly Fact[] {
  const { zonedTime, number } = formatsOf(language(), timeZone);
  const { name, meaning } = strategyTexts[report.strategy];
  return [
    { name: l10n.t('Cutoff'), value: `${zonedTime(endTimeMillis)} (${utcTimeText(endTimeMillis)})` },
    { name: l10n.t('Strategy'), value: `${name()}. ${meaning()}` },
    { name: l10n.t('Batch size'), value: number(batchSize) },
  ];
}

export function dryRunTimeFact(at: number, timeZone: string): Fact {
  return { name: l10n.t('Dry run time'), value: formatsOf(language(), timeZone).exactTime(at) };
}

/** The load on the server, and how to find a second copy. */
export function riskFacts(): readonly Fact[] {
  return [
    {
      name: l10n.t('Server load'),
      value: l10n.t(
        "The deletion can't be paused or stopped from here, and it puts load on the search cluster or database.",
      ),
    },
    { name: l10n.t('Snapshots'), value: snapshotText() },
  ];
}

interface RequestedOf {
  /** Place of its item. */
  readonly place: number;
  /** Shown beside the requests. */
  readonly name: string;
  /** Name of the index on the search cluster, if known. */
  readonly indexName: string | undefined;
  /** Unix time in ms. */
  readonly now: number;
}

/** Requests about a truncation that an administrator can send to the search cluster: DataHub has no such operations. */
export function requestFacts(
  record: TruncationRecord,
  { place, name, indexName, now }: RequestedOf,
): readonly Fact<CopyRequests>[] {
  const fact = (kind: ClusterRequestKind, label: string, value?: string): Fact<CopyRequests> => ({
    name,
    ...(value === undefined ? {} : { value }),
    copy: { label, intent: { type: 'copyRequests', place, for: kind } },
  });
  if (repairOf(record) !== undefined) {
    return [fact('repair', l10n.t('Copy Requests for Administrator'))];
  }
  if (canMerge(record)) {
    return [{ ...fact('merge', l10n.t('Copy Request'), mergeAdvice()), code: mergeRequest(indexName).trim() }];
  }
  const isRunning = statusOf(record, now) === 'running' && record.taskEnd === undefined;
  return isRunning && cancelableTask(record) !== undefined
    ? [fact('cancel', l10n.t('Copy Cancel Request'), l10n.t('A request that cancels the task.'))]
    : [];
}
