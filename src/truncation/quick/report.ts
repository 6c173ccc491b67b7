/** What the quick flow shows of a dry run, and what it offers next. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readOnlyReason } from '../../connections/roleTexts.ts';
import { lineItems } from '../../ui/failureItems.ts';
import { inPlainText } from '../../ui/foreignText.ts';
import { language, plural } from '../../language.ts';
import { formatsOf } from '../../ui/formats.ts';
import type { PickItem } from '../../ui/quickPick.ts';
import { percentOf } from '../model/dryRun.ts';
import { mayExecute } from '../model/state.ts';
import type { Review, TruncationState } from '../model/state.ts';
import { strategyTexts } from '../model/texts.ts';

export interface ReportItem extends PickItem {
  /** Absent: the item only says something. */
  readonly does?: 'execute' | 'dryRun' | 'options' | 'cutOff';
}

/** The result comes first: the first item is the one that Enter takes, and nothing may be deleted by an Enter too many. */
export function reportItems(state: TruncationState, timeZone: string, isReadOnly: boolean): ReportItem[] {
  const failing = 'failing' in state ? state.failing : undefined;
  const failingLines: ReportItem[] =
    failing === undefined
      ? []
      : [...lineItems('error', failing.sentence), ...lineItems('lightbulb', failing.next ?? '')];
  const again: ReportItem = {
    icon: 'refresh',
    label: l10n.t('Dry Run Again'),
    does: 'dryRun',
    alwaysShow: true,
  };
  const edits: ReportItem[] = [
    { icon: 'calendar', label: l10n.t('Change Cut-Off…'), does: 'cutOff', alwaysShow: true },
    { icon: 'settings', label: l10n.t('Edit Options…'), does: 'options', alwaysShow: true },
  ];
  if (state.phase !== 'reviewed') {
    return [again, ...edits, ...failingLines];
  }
  const { review } = state;
  return [
    ...failingLines,
    // Its words stand at the end of the row below, which has to be a short one.
    { label: l10n.t('Dry run result'), kind: vscode.QuickPickItemKind.Separator },
    ...resultLines(review, timeZone),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    ...(isReadOnly ? lineItems('lock', readOnlyReason()) : []),
    ...(mayExecute(review) && review.notice !== 'tooOld' && !isReadOnly
      ? [{ icon: 'trash', label: deleteLabel(review), does: 'execute' as const, alwaysShow: true }]
      : []),
    ...edits,
    again,
  ];
}

export function placeholderFor(state: TruncationState): string {
  if (state.phase !== 'reviewed') {
    return l10n.t('Nothing was deleted');
  }
  return state.review.notice === undefined
    ? l10n.t('Nothing has been deleted yet')
    : l10n.t('Nothing was deleted. The dry run is out of date; review it again.');
}

function resultLines(review: Review, timeZone: string): ReportItem[] {
  const { plan, report } = review;
  const cutOff = formatsOf(language(), timeZone).fullTime(plan.endTimeMillis);
  const alwaysShow = true;
  return [
    { icon: report.rows === undefined ? 'question' : 'list-unordered', label: rowsText(review), alwaysShow },
    { icon: 'calendar', label: l10n.t('Rows up to {0}', cutOff), alwaysShow },
    { icon: 'gear', label: strategyTexts[report.strategy].name(), alwaysShow },
    // What a deletion may do to others has to be read whole, so it is below the name and in no detail, which is cut off.
    ...lineItems('blank', strategyTexts[report.strategy].meaning()),
    ...lineItems('comment', inPlainText(report.serverText)),
  ];
}

function rowsText({ report }: Review): string {
  if (report.rows === undefined) {
    return l10n.t('Row count not available');
  }
  const { number, percent } = formatsOf(language());
  const [toDelete, total] = [number(report.rows.toDelete), number(report.rows.total)];
  const share = percent(percentOf(report.rows));
  return plural(
    report.rows.total,
    l10n.t('{0} of {1} row would be deleted ({2})', toDelete, total, share),
    l10n.t('{0} of {1} rows would be deleted ({2})', toDelete, total, share),
  );
}

function deleteLabel({ report }: Review): string {
  if (report.rows === undefined) {
    return l10n.t('Delete Rows…');
  }
  const { toDelete } = report.rows;
  const count = formatsOf(language()).number(toDelete);
  return plural(toDelete, l10n.t('Delete {0} Row…', count), l10n.t('Delete {0} Rows…', count));
}
