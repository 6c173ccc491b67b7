/** What a review says of one index or of several: whose rows, until when, and what few decisions need. */
import * as l10n from '@vscode/l10n';
import { type Connection, userOf } from '../../../connections/connection.ts';
import { language } from '../../../language.ts';
import { MILLIS_PER_DAY } from '../../../time.ts';
import { daysBetween } from '../../../truncation/cutoff.ts';
import { snapshotText } from '../../../truncation/texts/consequenceTexts.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { formatsOf, utcTimeText } from '../../../ui/formats.ts';
import type { Fact } from '../protocol.ts';

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
  const age = formats.duration(daysBetween(endTimeMillis, at), 'day');
  return at - endTimeMillis < MILLIS_PER_DAY
    ? l10n.t('Rows dated up to {0}, as {1}.', date, user)
    : l10n.t('Rows dated up to {0} ({1} ago), as {2}.', date, age, user);
}

/** @param timeZone The user's (IANA name). */
export function cutoffFact(endTimeMillis: number, timeZone: string): Fact {
  const formats = formatsOf(language(), timeZone);
  return { name: l10n.t('Cutoff'), value: `${formats.zonedTime(endTimeMillis)} (${utcTimeText(endTimeMillis)})` };
}

/** What a deletion costs the server, and how a second copy is found. */
export function riskFacts(): readonly Fact[] {
  return [
    {
      name: l10n.t('Load'),
      value: l10n.t(
        "The deletion can't be paused or stopped from here, and it puts load on the search cluster or database.",
      ),
    },
    { name: l10n.t('Snapshots'), value: snapshotText() },
  ];
}
