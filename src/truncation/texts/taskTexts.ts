/** Reasons why nothing was deleted, or why it isn't known how a truncation goes on. */
import * as l10n from '@vscode/l10n';
import { shownNameText } from '../../indices/timeseriesAspects.ts';
import { blockingReason, type TruncationRecord } from '../sentTruncation.ts';
import type { Problem } from '../problem.ts';

export const taskTexts = {
  sentElsewhere: (baseUrl: string): Problem => ({
    sentence: l10n.t('This truncation was sent to {0}, which the connection no longer points to.', baseUrl),
    next: l10n.t("To check on it, restore the connection's previous address."),
  }),
  notReindexed: (): Problem => ({
    sentence: l10n.t("Nothing was deleted: the server couldn't reindex this index."),
    next: l10n.t('Delete by query instead.'),
  }),
  /** A count failed, not the deletion. */
  notCountedNow: ({ sentence }: Problem): Problem => ({
    sentence: l10n.t("The rows couldn't be counted: {0}", sentence),
    next: l10n.t('This is tried again automatically.'),
  }),
  notReadNow: ({ sentence }: Problem): Problem => ({
    sentence,
    next: l10n.t('This is tried again automatically.'),
  }),
  /** An earlier truncation blocks the index, or one that can't be read the connection. */
  blockedBy: (record: TruncationRecord | 'unreadable'): Problem => {
    const untilOver = l10n.t(
      'Check on it under Truncations. Use "Forget Truncation" there once you know that it\'s over and hides no rows.',
    );
    if (record === 'unreadable') {
      return {
        sentence: l10n.t("The file of a truncation of this connection can't be read, so it may still be running."),
        next: untilOver,
      };
    }
    const target = shownNameText(record.plan);
    switch (blockingReason(record)) {
      case 'rowsHidden':
        return {
          sentence: l10n.t('An earlier reindex of {0} may have hidden rows to keep.', target),
          next: l10n.t('Open that truncation for the requests that bring them back, then run the dry run again.'),
        };
      case 'notChecked':
        return {
          sentence: l10n.t('An earlier reindex of {0} may have hidden rows to keep.', target),
          next: untilOver,
        };
      case 'underWay':
      case undefined:
        return { sentence: l10n.t('Another truncation of {0} may still be running.', target), next: untilOver };
    }
  },
  pageClosed: (): Problem => ({
    sentence: l10n.t('Nothing was deleted: the page was closed.'),
    next: l10n.t('Open the page again.'),
  }),
  /** After the yes, before the request left. @param problem Doesn't say so itself. */
  unsent: (problem: Problem): Problem => ({
    ...problem,
    sentence: l10n.t('Nothing was deleted: {0}', problem.sentence),
  }),
  stopped: (): Problem => ({
    sentence: l10n.t('Nothing was deleted: you stopped the truncation before it was sent.'),
    next: l10n.t('Run the dry run again.'),
  }),
  /** @param problem Of the disk, if it is known. */
  notRecorded: (problem?: Problem): Problem => ({
    ...problem,
    sentence: l10n.t("Nothing was deleted: the truncation couldn't be recorded on this machine, so it wasn't sent."),
  }),
  forgotten: (): Problem => ({
    sentence: l10n.t('Nothing was deleted: this truncation was forgotten before it was sent.'),
    next: l10n.t('Run the dry run again.'),
  }),
  connectionChanged: (): Problem => ({
    sentence: l10n.t('The connection has changed since the dry run.'),
    next: l10n.t('Run the dry run again.'),
  }),
} as const;
