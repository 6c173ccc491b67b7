/** What a deletion does: which rows it deletes, by whom and where, what is lost with them, and disk space. */
import * as l10n from '@vscode/l10n';
import { type Connection, userOf } from '../../connections/connection.ts';
import { aspectLoss } from '../../indices/timeseriesAspects.ts';
import { language } from '../../language.ts';
import type { TruncationPlan } from '../../service/indices/truncationRequest.ts';
import { MILLIS_PER_DAY } from '../../time.ts';
import { inPlainText } from '../../ui/foreignText.ts';
import { formatsOf } from '../../ui/formats.ts';
import { nearestDays } from '../cutoff.ts';
import { type DryRunReport, percentToDelete } from '../dryRun.ts';
import { isOnSearchCluster, type TruncationRecord } from '../sentTruncation.ts';

/** Read-only requests to the search cluster (PROTOCOL.md §9.4). */
const LIST_REPOSITORIES = 'GET /_snapshot/_all';
const LIST_SNAPSHOTS = 'GET /_snapshot/<repository>/_all';

type AspectCutoff = Pick<TruncationPlan, 'entityType' | 'aspect' | 'endTimeMillis'>;

/**
 * The cutoff, its age, and who deletes.
 * @param endTimeMillis The cutoff: Unix time in ms, as is `at`, the time of the dry run.
 * @param timeZone The user's (IANA name).
 */
export function scopeText(
  endTimeMillis: number,
  at: number,
  connection: Connection | undefined,
  timeZone: string,
): string {
  const formats = formatsOf(language(), timeZone);
  const date = formats.zonedTime(endTimeMillis);
  const user = connection === undefined ? '' : inPlainText(userOf(connection));
  const age = formats.duration(nearestDays(endTimeMillis, at), 'day');
  if (at - endTimeMillis < MILLIS_PER_DAY) {
    return user === '' ? l10n.t('Rows dated up to {0}.', date) : l10n.t('Rows dated up to {0}, as {1}.', date, user);
  }
  return user === ''
    ? l10n.t('Rows dated up to {0} ({1} ago).', date, age)
    : l10n.t('Rows dated up to {0} ({1} ago), as {2}.', date, age, user);
}

/** Names can be similar: the address says where rows are deleted, unless it is the name. */
export function placeText({ name, baseUrl }: Pick<Connection, 'name' | 'baseUrl'>): string {
  const { host, pathname } = new URL(baseUrl);
  const address = `${host}${pathname.replace(/\/$/, '')}`;
  return name === address ? name : `${name} (${address})`;
}

/** One sentence: what the rows feed and what deleting them loses. Undefined if unknown. @param timeZone The user's (IANA name). */
export function lossText(plan: AspectCutoff, timeZone: string): string | undefined {
  return aspectLoss(plan, formatsOf(language(), timeZone).time(plan.endTimeMillis));
}

export function unrecoverable(isProduction: boolean): string {
  return isProduction
    ? l10n.t("Deleted rows can't be recovered: look for a snapshot first.")
    : l10n.t("Deleted rows can't be recovered.");
}

/** How an administrator finds a second copy. */
export function snapshotText(): string {
  return l10n.t(
    'A snapshot is the only backup. On a search cluster, {0} lists the repositories and {1} their snapshots.',
    LIST_REPOSITORIES,
    LIST_SNAPSHOTS,
  );
}

/** Reason not to select the index with others. */
export function onlyAloneText(): string {
  return l10n.t('It holds the state of ingestion pipelines, so it can only be truncated alone.');
}

/** Dry run and size of an index. */
interface SizedReport {
  readonly report: DryRunReport;
  /** In bytes, as listed. */
  readonly size: number | undefined;
}

/**
 * Estimated bytes of the rows to delete. Deleting them frees no space by itself. Undefined if it isn't known.
 */
export function bytesToDelete({ report: { rows }, size }: SizedReport): number | undefined {
  return rows === undefined || size === undefined ? undefined : Math.round((size * percentToDelete(rows)) / 100);
}

/** True if a merge would free space. */
export function canMerge(record: Pick<TruncationRecord, 'ending' | 'report' | 'taskId'>): boolean {
  return record.ending?.kind === 'finished' && record.report.strategy === 'deleteByQuery' && isOnSearchCluster(record);
}

export function mergeAdvice(): string {
  return l10n.t(
    'An administrator can send this request to the search cluster at a quiet time. It needs as much free disk space as the index uses.',
  );
}
