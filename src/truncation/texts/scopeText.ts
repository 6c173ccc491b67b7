/** Which rows are deleted, by whom and where: in the review and in the question. */
import * as l10n from '@vscode/l10n';
import { type Connection, userOf } from '../../connections/connection.ts';
import { language } from '../../language.ts';
import { MILLIS_PER_DAY } from '../../time.ts';
import { inPlainText } from '../../ui/foreignText.ts';
import { formatsOf } from '../../ui/formats.ts';
import { nearestDays } from '../cutoff.ts';

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
