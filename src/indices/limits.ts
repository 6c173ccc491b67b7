/** Retention limits that the platform's own cleanups set on an index (PROTOCOL.md §13). Pure. */
import { language } from '../language.ts';
import type { CleanupSource, CleanupSchedule, CleanupListing } from '../service/ingestion/cleanups.ts';
import { formatsOf } from '../ui/formats.ts';
import { inOneLine } from '../ui/textLines.ts';
import type { IndexName } from './indexName.ts';
import * as l10n from '@vscode/l10n';

/** Rows older than `days` are deleted: by a scheduled cleanup, or by the database. */
export type RetentionLimit =
  | { readonly by: 'cleanup'; readonly days: number; readonly schedule: CleanupSchedule }
  | { readonly by: 'database'; readonly days: number }
  | { readonly by: 'nothingFound' };

/** PostgreSQL drops older partitions by default (PROTOCOL.md §10). */
const DATABASE_LIMIT = { by: 'database', days: 90 } as const;

/**
 * Finds the limit that keeps least, preferring cleanups that run by themselves.
 * @param cleanups Undefined if not read.
 * @param isInPostgres Time series are in PostgreSQL, where names are case-sensitive.
 * @returns undefined if unknown. "Nothing found" requires that every cleanup was read and understood.
 */
export function retentionLimitOf(
  cleanups: CleanupListing | undefined,
  { entityType, aspect }: IndexName,
  isInPostgres = false,
): RetentionLimit | undefined {
  if (cleanups === undefined) {
    return undefined;
  }
  const found = cleanups.cleanups.map(({ schedule, retentions }) => ({
    schedule,
    retention: retentions(entityType, aspect, isInPostgres),
  }));
  const isKnown = cleanups.isComplete && found.every(({ retention }) => retention !== 'unknown');
  const limits = found
    .flatMap(({ schedule, retention: days }) =>
      typeof days === 'number' ? { by: 'cleanup' as const, days, schedule } : [],
    )
    .toSorted((a, b) => a.days - b.days);
  const byItself = limits.find(runsByItself);
  if (byItself !== undefined && (!isInPostgres || byItself.days <= DATABASE_LIMIT.days)) {
    return byItself;
  }
  if (!isKnown) {
    return undefined;
  }
  return isInPostgres ? DATABASE_LIMIT : (limits[0] ?? { by: 'nothingFound' });
}

/** `30 days · nightly`, for narrow places. `limitText` names the cleanup. */
export function shortLimitText(limit: RetentionLimit): string {
  switch (limit.by) {
    case 'cleanup':
      return inOneLine([retentionDaysText(limit.days), scheduleText(limit.schedule)]);
    case 'database':
      // {0} is a time such as "90 days".
      return l10n.t('{0} by default', retentionDaysText(limit.days));
    case 'nothingFound':
      return retentionLimitText(limit);
  }
}

/** `30 days, by datahub-gc, nightly`. Text from the server in it is plain. */
export function retentionLimitText(limit: RetentionLimit): string {
  if (limit.by === 'nothingFound') {
    return l10n.t('no cleanup found');
  }
  const days = retentionDaysText(limit.days);
  if (limit.by === 'database') {
    return l10n.t('{0} by default (server setting)', days);
  }
  const when = scheduleText(limit.schedule);
  return when === undefined
    ? l10n.t('{0}, by datahub-gc', days)
    : // {0} is a time such as "30 days", {1} how often it runs, such as "nightly".
      l10n.t('{0}, by datahub-gc, {1}', days, when);
}

function retentionDaysText(days: number): string {
  return formatsOf(language()).duration(days, 'day');
}

/** Runs by hand or from a command line say nothing about the future. */
function runsByItself({ schedule }: Pick<CleanupSource, 'schedule'>): boolean {
  return schedule.kind === 'cron' || schedule.kind === 'unknown';
}

/** Only unambiguous forms are translated; others are shown as they are, with their zone. */
function scheduleText(schedule: CleanupSchedule): string | undefined {
  switch (schedule.kind) {
    case 'cron':
      return cronScheduleText(schedule.interval, schedule.timeZone);
    case 'byHand':
      return l10n.t('only when run manually');
    case 'commandLine':
      return l10n.t('only when run from a command line');
    case 'unknown':
      return undefined;
  }
}

function cronScheduleText(interval: string, timeZone: string): string {
  if (/^(?:@hourly|\d{1,2} \* \* \* \*)$/.test(interval)) {
    return l10n.t('hourly');
  }
  if (/^(?:@daily|@midnight|\d{1,2} 0?[0-5] \* \* \*)$/.test(interval)) {
    return l10n.t('nightly');
  }
  if (/^(?:@weekly|\d{1,2} \d{1,2} \* \* (?:[0-7]|mon|tue|wed|thu|fri|sat|sun))$/i.test(interval)) {
    return l10n.t('weekly');
  }
  return `${interval} ${timeZone}`;
}
