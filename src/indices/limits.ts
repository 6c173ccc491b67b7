/** The platform's own cleanups that limit an index (PROTOCOL.md §13), as far as they could be read. Pure. */
import { language } from '../language.ts';
import type { CleanupSource, CleanupSchedule, CleanupListing } from '../service/ingestion/cleanups.ts';
import { formatsOf } from '../ui/formats.ts';
import { inOneLine } from '../ui/textLines.ts';
import type { IndexName } from './indexName.ts';
import * as l10n from '@vscode/l10n';

/** Rows older than so many whole days are deleted: by a cleanup at those times, or by the database as it is set up. */
export type Limit =
  | { readonly by: 'cleanup'; readonly days: number; readonly schedule: CleanupSchedule }
  | { readonly by: 'database'; readonly days: number }
  | { readonly by: 'nothingFound' };

/** PostgreSQL drops partitions past this age unless the server is set up otherwise (PROTOCOL.md §10). */
const DATABASE_LIMIT = { by: 'database', days: 90 } as const;

/**
 * Of several cleanups the one that leaves least, and before all of them one that runs by itself.
 * @param cleanups Undefined where they were not read.
 * @param isInPostgres Whether the server keeps its time series in PostgreSQL, where the case of names matters too.
 * @returns undefined where it isn't known: that nothing was found is only said where every cleanup was read and understood.
 */
export function limitOf(
  cleanups: CleanupListing | undefined,
  { entityType, aspect }: IndexName,
  isInPostgres = false,
): Limit | undefined {
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

/** `30 days · nightly`, for a narrow place: by what, `limitText` says. */
export function shortLimit(limit: Limit): string {
  switch (limit.by) {
    case 'cleanup':
      return inOneLine([daysText(limit.days), scheduleText(limit.schedule)]);
    case 'database':
      // {0} is a time such as "90 days".
      return l10n.t('{0} by default', daysText(limit.days));
    case 'nothingFound':
      return limitText(limit);
  }
}

/** `30 days, by datahub-gc, nightly`. What comes from the server in it is plain words. */
export function limitText(limit: Limit): string {
  if (limit.by === 'nothingFound') {
    return l10n.t('no cleanup found');
  }
  const days = daysText(limit.days);
  if (limit.by === 'database') {
    return l10n.t('{0} by default (server setting)', days);
  }
  const when = scheduleText(limit.schedule);
  return when === undefined
    ? l10n.t('{0}, by datahub-gc', days)
    : // {0} is a time such as "30 days", {1} how often it runs, such as "nightly".
      l10n.t('{0}, by datahub-gc, {1}', days, when);
}

function daysText(days: number): string {
  return formatsOf(language()).duration(days, 'day');
}

/** A run by hand or from a command line says nothing about what happens from now on. */
function runsByItself({ schedule }: Pick<CleanupSource, 'schedule'>): boolean {
  return schedule.kind === 'cron' || schedule.kind === 'unknown';
}

/** Only of forms that leave no doubt; any other is told as it is, with its zone. */
function scheduleText(schedule: CleanupSchedule): string | undefined {
  switch (schedule.kind) {
    case 'cron':
      return cronText(schedule.interval, schedule.timeZone);
    case 'byHand':
      return l10n.t('only when run by hand');
    case 'commandLine':
      return l10n.t('only when run from a command line');
    case 'unknown':
      return undefined;
  }
}

function cronText(interval: string, timeZone: string): string {
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
