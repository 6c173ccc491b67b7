/** Sentences of a review, before anything is sent. */
import * as l10n from '@vscode/l10n';
import { MILLIS_PER_DAY } from '../../time.ts';
import type { LocalizedFormats } from '../../ui/formats.ts';
import type { DryRunReview, RowCounts } from '../dryRun.ts';
import type { Caution } from '../cautions.ts';
import { strategyTexts } from './strategyTexts.ts';

/** @param formats Of the user's time zone. */
export function cautionText(caution: Caution, { exactTime, time, duration }: LocalizedFormats): string {
  switch (caution.kind) {
    case 'holdsState': {
      const before = time(caution.endTimeMillis);
      return l10n.t('Pipelines that last ran before {0} start over.', before);
    }
    case 'unreadable':
      return strategyTexts.unknown.meaning();
    case 'reindex':
      return strategyTexts.reindex.meaning();
    case 'future':
      return l10n.t(
        'This cutoff is in the future. Every row dated up to then will be deleted, including the newest ones.',
      );
    case 'last24Hours':
      return l10n.t('This cutoff is less than 24 hours ago. Very recent rows will be deleted too.');
    case 'noRowStays':
      return l10n.t('All rows of this index will be deleted.');
    case 'muchYounger':
      return l10n.t(
        'The last truncation of this index deleted rows older than {1}; this one deletes rows older than {0}.',
        duration(daysOf(caution.age), 'day'),
        duration(daysOf(caution.lastAge), 'day'),
      );
    case 'clock':
      return l10n.t(
        "The server's response is dated {0}, but this machine's clock says {1}. If the clock is wrong, so is the age of the rows. A gateway may have dated the response.",
        exactTime(caution.answeredAt),
        exactTime(caution.at),
      );
  }
}

function daysOf(millis: number): number {
  return Math.round(millis / MILLIS_PER_DAY);
}

/** Where no row is dated up to the cutoff. A reindex may have hidden all of an index in which no row is found. */
export function nothingToDeleteText({ total }: RowCounts): string {
  return total === 0 ? l10n.t('Searches find no rows') : l10n.t('No rows to delete');
}

/** Why a confirmed review has to be confirmed again, in one or two sentences. Undefined if it doesn't. */
export function noticeText({ notice }: Pick<DryRunReview, 'notice'>): string | undefined {
  switch (notice) {
    case undefined:
      return undefined;
    case 'grew':
      return l10n.t('Nothing was deleted: more rows would be deleted now than the dry run showed.');
    case 'shrank':
      return l10n.t(
        'Nothing was deleted: fewer rows are visible than should be kept, so something else may be deleting rows from this index.',
      );
    case 'changed':
      return l10n.t("Nothing was deleted: the server's response has changed since the dry run.");
    case 'nothingLeft':
      return l10n.t('Nothing was deleted: no rows are dated up to the cutoff anymore.');
    case 'tooOld':
      return l10n.t('This dry run is out of date. Run it again.');
  }
}
