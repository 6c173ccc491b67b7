/** Notifications about a truncation whose page is not visible. */
import * as l10n from '@vscode/l10n';
import { plural } from '../../language.ts';
import { formatCount, judgementTexts } from './judgementTexts.ts';
import { standstillText } from '../standstill.ts';
import { nextText, statusText } from './statusTexts.ts';
import type { TruncationRecord } from '../record.ts';
import type { Problem } from '../problem.ts';
import type { TaskProgress } from '../taskEnd.ts';

/** Title of the progress notification. */
export function runningTitle({ plan }: TruncationRecord, connectionName: string): string {
  return l10n.t('Truncating {0} / {1} on {2}', plan.entityType, plan.aspect, connectionName);
}

/**
 * Progress of a running truncation. VS Code's button always says "Cancel", so this says that the deletion
 * continues.
 * @param trouble Why the truncation can't be watched at the moment.
 */
export function runningMessage(
  record: TruncationRecord,
  progress: TaskProgress | undefined,
  trouble: Problem | undefined,
): string {
  const settling = judgementTexts.settling(record);
  if (settling !== undefined) {
    return sentences(trouble?.sentence ?? settling);
  }
  const still = trouble === undefined ? standstillText(progress, record) : undefined;
  return sentences(
    trouble?.sentence ?? progressText(progress),
    still,
    // A task without progress may have ended.
    still === undefined
      ? l10n.t('Cancel only stops watching; the deletion continues.')
      : l10n.t('Cancel only stops watching.'),
  );
}

function progressText(progress: TaskProgress | undefined): string {
  if (progress?.total === undefined) {
    return l10n.t('Running on the server.');
  }
  const [done, total] = [formatCount(progress.done), formatCount(progress.total)];
  return progress.counts === 'copied'
    ? plural(
        progress.total,
        l10n.t('{0} of {1} remaining row copied.', done, total),
        l10n.t('{0} of {1} remaining rows copied.', done, total),
      )
    : plural(
        progress.total,
        l10n.t('{0} of {1} row deleted.', done, total),
        l10n.t('{0} of {1} rows deleted.', done, total),
      );
}

/** Empty if the truncation hasn't ended. */
export function endMessage(record: TruncationRecord, connectionName: string): string {
  const { ending, plan } = record;
  const names = [plan.entityType, plan.aspect, connectionName] as const;
  switch (ending?.kind) {
    case undefined:
      return '';
    case 'finished':
      return sentences(rowsText(ending.deleted, names), readersText(record), nextText(record));
    case 'failed':
      return failedMessage(plan, connectionName, ending.failing);
    case 'unknown':
      return sentences(
        l10n.t('Check the truncation of {0} / {1} on {2}.', ...names),
        ending.failing.sentence,
        ending.failing.next,
      );
  }
}

/** Says that a truncation failed, and why. */
export function failedMessage(
  { entityType, aspect }: Pick<TruncationRecord['plan'], 'entityType' | 'aspect'>,
  connectionName: string,
  { sentence, next }: Problem,
): string {
  const failed = l10n.t('The truncation of {0} / {1} on {2} failed.', entityType, aspect, connectionName);
  return sentences(failed, sentence, next);
}

function rowsText(
  deleted: number | undefined,
  names: readonly [entityType: string, aspect: string, connection: string],
): string {
  return deleted === undefined
    ? l10n.t("Truncated {0} / {1} on {2}. The server didn't say how many rows were deleted.", ...names)
    : plural(
        deleted,
        l10n.t('Truncated {0} / {1} on {2}: {3} row deleted.', ...names, formatCount(deleted)),
        l10n.t('Truncated {0} / {1} on {2}: {3} rows deleted.', ...names, formatCount(deleted)),
      );
}

/** Undefined if searches find what they should. */
function readersText(record: TruncationRecord): string | undefined {
  const { ending } = record;
  return ending?.kind === 'finished' && (ending.readers === 'rowsLeft' || ending.readers === 'notChecked')
    ? statusText(record, undefined, record.endedAt ?? record.sentAt)
    : undefined;
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}
