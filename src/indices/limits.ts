/** What limits an index already: the platform's own cleanup (PROTOCOL.md §13), as far as it could be read. Pure. */
import { language } from '../language.ts';
import type { Cleanup, CleanupSchedule, Cleanups } from '../service/ingestion/cleanups.ts';
import { formatsOf } from '../ui/formats.ts';
import { inOneLine } from '../ui/oneLine.ts';
import type { IndexTarget } from './indexTarget.ts';
import * as l10n from '@vscode/l10n';

/** Rows older than so many whole days are deleted at those times; `none`: nothing deletes them. */
export type Limit = { readonly days: number; readonly schedule: CleanupSchedule } | 'none';

/**
 * Of several cleanups the one that leaves least, and before all of them one that runs by itself.
 * @param cleanups Undefined where they were not read. @param isCaseSensitive Whether names of indices are, on that server.
 * @returns undefined where it isn't known: `none` is only said where every cleanup was read and understood.
 */
export function limitOf(
  cleanups: Cleanups | undefined,
  { entityType, aspect }: IndexTarget,
  isCaseSensitive = false,
): Limit | undefined {
  if (cleanups === undefined) {
    return undefined;
  }
  const found = cleanups.cleanups.map(({ schedule, retentions }) => ({
    days: retentions(entityType, aspect, isCaseSensitive),
    schedule,
  }));
  const [limit] = found
    .filter((one): one is { readonly days: number; readonly schedule: CleanupSchedule } => typeof one.days === 'number')
    .toSorted((a, b) => Number(runsByHand(a)) - Number(runsByHand(b)) || a.days - b.days);
  const isKnown = cleanups.isComplete && found.every(({ days }) => days !== 'unknown');
  return limit ?? (isKnown ? 'none' : undefined);
}

/** `30 days · nightly`, for a narrow place: by what, `limitText` says. */
export function shortLimit(limit: Limit): string {
  return limit === 'none' ? limitText(limit) : inOneLine([daysText(limit.days), scheduleText(limit.schedule)]);
}

/** `30 days, by datahub-gc, nightly`. What comes from the server in it is plain words. */
export function limitText(limit: Limit): string {
  if (limit === 'none') {
    return l10n.t('nothing limits this');
  }
  const days = daysText(limit.days);
  const when = scheduleText(limit.schedule);
  return when === undefined
    ? l10n.t('{0}, by datahub-gc', days)
    : // {0} is a time such as "30 days", {1} how often it runs, such as "nightly".
      l10n.t('{0}, by datahub-gc, {1}', days, when);
}

function daysText(days: number): string {
  return formatsOf(language()).duration(days, 'day');
}

function runsByHand({ schedule }: Pick<Cleanup, 'schedule'>): boolean {
  return schedule.kind === 'byHand';
}

/** Only of forms that leave no doubt; any other is told as it is, with its zone. */
function scheduleText(schedule: CleanupSchedule): string | undefined {
  if (schedule.kind !== 'cron') {
    return schedule.kind === 'byHand' ? l10n.t('only when run by hand') : undefined;
  }
  const { interval, timeZone } = schedule;
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
