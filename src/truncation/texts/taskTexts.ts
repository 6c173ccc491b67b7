/** Reasons why nothing was deleted, or why it isn't known how a truncation goes on. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../connections/connection.ts';
import { indexNameText } from '../../indices/indexName.ts';
import { joinSentences } from '../../ui/textLines.ts';
import { blockingReason, type TruncationRecord } from '../record.ts';
import type { Problem } from '../outcome.ts';

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
    next: l10n.t("They're counted again automatically."),
  }),
  notReadNow: ({ sentence }: Problem): Problem => ({
    sentence,
    next: l10n.t("The task's status is read again automatically."),
  }),
  /** An earlier truncation blocks the index, or one that can't be read the connection. */
  blockedBy: (record: TruncationRecord | 'unreadable'): Problem => {
    if (record === 'unreadable') {
      return {
        sentence: l10n.t(
          "Nothing was deleted: the file of a truncation of this connection can't be read, so it may still be running.",
        ),
        next: l10n.t('Use "Forget Truncation" under Truncations once you know that it\'s over.'),
      };
    }
    const target = indexNameText(record.plan);
    const untilOver = l10n.t(
      'Check on it under Truncations, or use "Forget Truncation" once you know that it\'s over.',
    );
    switch (blockingReason(record)) {
      case 'rowsHidden':
        return {
          sentence: l10n.t(
            'Nothing was deleted: an earlier reindex of {0} failed and may have hidden rows to keep.',
            target,
          ),
          next: l10n.t('Open that truncation for the requests that bring them back, then run the dry run again.'),
        };
      case 'notChecked':
        return {
          sentence: l10n.t(
            "Nothing was deleted: an earlier reindex of {0} may have hidden rows, and that hasn't been checked.",
            target,
          ),
          next: l10n.t(
            'Check on it under Truncations, or use "Forget Truncation" once you know that no rows are hidden.',
          ),
        };
      case 'underWay':
        return {
          sentence: l10n.t('Nothing was deleted: an earlier truncation of {0} may still be reindexing.', target),
          next: untilOver,
        };
      case undefined:
        return {
          sentence: l10n.t('Nothing was deleted: another truncation of {0} is being sent or still running.', target),
          next: untilOver,
        };
    }
  },
  pageClosed: (): Problem => ({
    sentence: l10n.t('Nothing was deleted: the page was closed.'),
    next: l10n.t('Open the page again.'),
  }),
  /** After the yes, before the request left. @param problem Doesn't say so itself. */
  unsent: (problem: Problem): Problem => ({
    ...problem,
    sentence: joinSentences(l10n.t('Nothing was deleted.'), problem.sentence),
  }),
  stopped: (): Problem => ({
    sentence: l10n.t('Nothing was deleted: you stopped the truncation before it was sent.'),
    next: l10n.t('Run the dry run again.'),
  }),
  notRecorded: (next: string | undefined): Problem => ({
    sentence: l10n.t("Nothing was deleted: the truncation couldn't be recorded on this machine, so it wasn't sent."),
    next,
  }),
  forgotten: (): Problem => ({
    sentence: l10n.t('Nothing was deleted: this truncation was forgotten before it was sent.'),
    next: l10n.t('Run the dry run again.'),
  }),
  /**
   * @param before The connection of the dry run. @param now Undefined if it was removed.
   * @param isAsked True after the question whether to delete: the user may have confirmed it.
   */
  connectionChanged: (before: Connection | undefined, now: Connection | undefined, isAsked: boolean): Problem => ({
    sentence: joinSentences(isAsked ? l10n.t('Nothing was deleted.') : undefined, changeText(before, now)),
    next: l10n.t('Run the dry run again.'),
  }),
} as const;

/** Names the change with the largest effect. */
function changeText(before: Connection | undefined, now: Connection | undefined): string {
  if (before !== undefined && now !== undefined) {
    if (before.baseUrl !== now.baseUrl) {
      return l10n.t("The connection's address has changed since the dry run.");
    }
    // Signed out, nobody is known.
    if (now.actorUrn !== undefined && before.actorUrn !== now.actorUrn) {
      return l10n.t("The connection's user has changed since the dry run.");
    }
    if (before.signIn?.storedAt !== now.signIn?.storedAt) {
      return l10n.t('The sign-in has changed since the dry run.');
    }
    if (before.role !== now.role) {
      return l10n.t("The connection's role has changed since the dry run.");
    }
  }
  return l10n.t('The connection has changed since the dry run.');
}
