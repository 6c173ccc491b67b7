/** Facts for the folded details of a review, of one index or of several. */
import * as l10n from '@vscode/l10n';
import { language } from '../../../language.ts';
import { snapshotText } from '../../../truncation/texts/consequenceTexts.ts';
import { formatsOf, utcTimeText } from '../../../ui/formats.ts';
import type { Fact } from '../protocol.ts';

/** @param timeZone The user's (IANA name). */
export function cutoffFact(endTimeMillis: number, timeZone: string): Fact {
  const formats = formatsOf(language(), timeZone);
  return { name: l10n.t('Cutoff'), value: `${formats.zonedTime(endTimeMillis)} (${utcTimeText(endTimeMillis)})` };
}

/** The load on the server, and how to find a second copy. */
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
