/** What people read of a truncation under way or ended. Pure, so that wizard, tree and tests say the same. */
import * as l10n from '@vscode/l10n';
import type { ServerStrategy } from './dryRun.ts';
import type { CutOffCaution } from './plan.ts';
import type { Outcome, Failing, TaskProgress } from './state.ts';
import { targetOf } from './plan.ts';
import { judgementTexts } from './judgementTexts.ts';
import { blockOf, hidesRows, statusOf } from './record.ts';
import type { TruncationRecord } from './record.ts';
import { rateOf } from './rate.ts';
import { spaceText } from './spaceTexts.ts';
import { language, plural } from '../../language.ts';
import { MILLIS_PER_MINUTE } from '../../time.ts';
import { formatsOf } from '../../ui/formats.ts';

export const strategyTexts: Readonly<
  Record<ServerStrategy, { readonly name: () => string; readonly meaning: () => string }>
> = {
  reindex: {
    name: () => l10n.t('Reindex'),
    meaning: () =>
      l10n.t(
        "The server points searches at a new index and then copies the rows to keep into it; on current servers they stay hidden until an administrator refreshes it. If the copy fails, they're only in the old index, which DataHub's next upgrade can delete.",
      ),
  },
  deleteByQuery: {
    name: () => l10n.t('Delete by query'),
    meaning: () =>
      l10n.t(
        'Rows are deleted in batches; the others stay searchable. The index grows at first and may keep its size afterwards.',
      ),
  },
  unknown: {
    name: () => l10n.t('Unknown strategy'),
    meaning: () =>
      l10n.t("The deletion strategy couldn't be determined. Read the server's response before continuing."),
  },
};

export function cautionText(caution: CutOffCaution): string {
  return caution === 'future'
    ? l10n.t('This cut-off is in the future. Every existing row will be deleted, and those written until then.')
    : l10n.t('This cut-off is less than 24 hours ago. Very recent rows will be deleted too.');
}

export const taskTexts = {
  lost: (): Failing => ({
    sentence: l10n.t('No response was received, so the deletion may or may not have started.'),
    next: l10n.t(
      "The request is never sent again automatically. Check again later: a falling row count means it's running.",
    ),
  }),
  lostInTime: (): Failing => ({
    sentence: l10n.t('No response was received in time, so the deletion has probably started.'),
    next: taskTexts.lost().next,
  }),
  notReindexed: (): Failing => ({
    sentence: l10n.t("Nothing was deleted: the server couldn't reindex this index."),
    next: l10n.t('Delete by query instead.'),
  }),
  /**
   * A reindex that was refused, or broke off after searches were pointed at the new index.
   * @param visible How many rows searches find now, where that could be counted.
   */
  rowsHidden: (visible: number | undefined): Failing => ({
    sentence:
      visible === undefined
        ? l10n.t("The reindex failed, and the rows couldn't be counted since. Rows that should stay may be hidden.")
        : plural(
            visible,
            l10n.t(
              'The reindex failed, and searches find only {0} row now. The others are hidden, not deleted.',
              number(visible),
            ),
            l10n.t(
              'The reindex failed, and searches find only {0} rows now. The others are hidden, not deleted.',
              number(visible),
            ),
          ),
    next: l10n.t(
      "Send an administrator the requests that bring them back, before DataHub's next upgrade, which can delete the old index. Nothing is deleted from this index until searches find the rows.",
    ),
  }),
  /** Why nothing is deleted from an index because of an earlier truncation of it. */
  blockedBy: (record: TruncationRecord): Failing => {
    const target = targetOf(record.plan);
    switch (blockOf(record)) {
      case 'rowsHidden':
        return taskTexts.blocked(target);
      case 'notChecked':
        return taskTexts.notChecked(target);
      default:
        return taskTexts.underWay(target);
    }
  },
  /** @param target `entityType/aspect`. */
  blocked: (target: string): Failing => ({
    sentence: l10n.t(
      'Nothing was deleted: an earlier reindex of {0} failed and may have hidden rows that should stay.',
      target,
    ),
    next: l10n.t(
      'That truncation has the requests for an administrator. Run the dry run again once searches find the rows.',
    ),
  }),
  notChecked: (target: string): Failing => ({
    sentence: l10n.t(
      'Nothing was deleted: an earlier reindex of {0} may have hidden rows, which was not checked.',
      target,
    ),
    next: l10n.t(
      'Check on it under Truncations. Once you know that no rows are hidden, forget it and run the dry run again.',
    ),
  }),
  underWay: (target: string): Failing => ({
    sentence: l10n.t('Nothing was deleted: an earlier truncation of {0} may still be reindexing.', target),
    next: l10n.t("Check on it under Truncations. Once you know that it's over, forget it and run the dry run again."),
  }),
  pageClosed: (): Failing => ({
    sentence: l10n.t('Nothing was deleted. The page was closed.'),
    next: l10n.t('Open it again and run the dry run again.'),
  }),
  notRecorded: (next: string | undefined): Failing => ({
    sentence: l10n.t("Nothing was deleted: the truncation couldn't be recorded on this machine, so it wasn't sent."),
    next,
  }),
  forgotten: (): Failing => ({
    sentence: l10n.t('Nothing was deleted: this truncation was forgotten before it was sent.'),
    next: l10n.t('Run the dry run again.'),
  }),
  connectionChanged: (): Failing => ({
    sentence: l10n.t('The connection has changed since the dry run.'),
    next: l10n.t('Run the dry run again.'),
  }),
  sentElsewhere: (baseUrl: string): Failing => ({
    sentence: l10n.t('This truncation was sent to {0}, which the connection no longer points to.', baseUrl),
    next: l10n.t('Edit the connection to check on it.'),
  }),
} as const;

function number(count: number): string {
  return formatsOf(language()).number(count);
}

/** One sentence on where a truncation stands. */
export function statusText(record: TruncationRecord, progress: TaskProgress | undefined, now: number): string {
  switch (statusOf(record, now)) {
    case 'sending':
      return l10n.t('Sending…');
    case 'lost':
      return taskTexts.lost().sentence;
    case 'running': {
      const settling = judgementTexts.settling(record);
      if (settling !== undefined) {
        return settling;
      }
      if (progress?.total === undefined) {
        return progress === undefined
          ? l10n.t('Running on the server…')
          : l10n.t('Running on the server; progress not known.');
      }
      return progress.counts === 'copied'
        ? l10n.t('Copying remaining rows: {0} of {1}.', number(progress.done), number(progress.total))
        : plural(
            progress.total,
            l10n.t('Deleting: {0} of {1} row.', number(progress.done), number(progress.total)),
            l10n.t('Deleting: {0} of {1} rows.', number(progress.done), number(progress.total)),
          );
    }
    case 'finished':
    case 'failed':
    case 'unknown':
      return outcomeText(record.ending);
  }
}

/** How fast a task is, and how long it will take; undefined while that can't be told. Times are Unix times in ms. */
export function rateText(progress: TaskProgress | undefined, sentAt: number, now: number): string | undefined {
  const rate = rateOf(progress, sentAt, now);
  if (rate === undefined) {
    return undefined;
  }
  const minutes = Math.max(1, Math.ceil(rate.remainingMillis / MILLIS_PER_MINUTE));
  const { duration } = formatsOf(language());
  return l10n.t(
    'About {0} rows a minute, about {1} left.',
    number(Math.round(rate.rowsPerMinute)),
    minutes < 120 ? duration(minutes, 'minute') : duration(Math.ceil(minutes / 60), 'hour'),
  );
}

/** The same in a few characters, for a narrow row: numbers first, and the verdict rather than the reason. */
export function shortStatus(record: TruncationRecord, progress: TaskProgress | undefined, now: number): string {
  const { share } = formatsOf(language());
  if (hidesRows(record)) {
    return l10n.t('rows may be hidden');
  }
  const { ending } = record;
  switch (statusOf(record, now)) {
    case 'sending':
      return l10n.t('sending…');
    case 'running':
      if (record.taskEnd !== undefined) {
        return l10n.t('checking…');
      }
      return progress?.total === undefined ? l10n.t('running') : share((progress.done / progress.total) * 100);
    case 'finished': {
      const deleted = ending?.kind === 'finished' ? ending.deleted : undefined;
      return deleted === undefined
        ? l10n.t('finished')
        : plural(deleted, l10n.t('{0} row deleted', number(deleted)), l10n.t('{0} rows deleted', number(deleted)));
    }
    case 'failed':
      return l10n.t('failed');
    case 'lost':
    case 'unknown':
      return l10n.t('outcome unknown');
  }
}

function outcomeText(ending: Outcome | undefined): string {
  if (ending === undefined) {
    return '';
  }
  if (ending.kind !== 'finished') {
    return ending.failing.sentence;
  }
  switch (ending.readers) {
    case 'rowsLeft':
      return rowsLeftText(ending.rowsLeft ?? 0);
    case 'notChecked':
      return l10n.t('Finished on the server; not checked.');
    default:
      return ending.deleted === undefined ? l10n.t('Finished.') : deletedText(ending.deleted);
  }
}

function rowsLeftText(rows: number): string {
  return plural(
    rows,
    l10n.t('Finished. {0} row dated before the cutoff is there, written meanwhile or still searchable.', number(rows)),
    l10n.t(
      'Finished. {0} rows dated before the cutoff are there, written meanwhile or still searchable.',
      number(rows),
    ),
  );
}

function deletedText(rows: number): string {
  return plural(
    rows,
    l10n.t('Finished: {0} row deleted.', number(rows)),
    l10n.t('Finished: {0} rows deleted.', number(rows)),
  );
}

/** What to do after an end; undefined when there is nothing. */
export function nextText(record: TruncationRecord): string | undefined {
  const { ending } = record;
  if (ending?.kind === 'finished') {
    return spaceText(record);
  }
  return ending?.failing.next;
}
