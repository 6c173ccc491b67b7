/** The review of a dry run, as the page draws it. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import { language, plural } from '../../../language.ts';
import { percentToDelete, type DryRunReport } from '../../../truncation/dryRun.ts';
import { problemText } from '../../../truncation/outcome.ts';
import type { DryRunReview } from '../../../truncation/state.ts';
import { bytesToDelete, consequences } from '../../../truncation/texts/consequenceTexts.ts';
import { noticeText, strategyTexts } from '../../../truncation/texts/reviewTexts.ts';
import { scopeText } from '../../../truncation/texts/scopeText.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import { cutoffFact, deleteQuestion, riskFacts, shownSize } from '../../kit/host/review.ts';
import type { Fact } from '../../kit/protocol.ts';
import type { DryRunReportView } from '../protocol.ts';
import type { TruncationFacts } from './facts.ts';

/** Ends with the time of the reindex: Unix time in ms. */
const MADE_BY_REINDEX = /_(\d{13})$/;

export function reportView(dryRun: DryRunReview, facts: TruncationFacts): DryRunReportView {
  const { report, plan, at } = dryRun;
  const { connection, indexSize: size, timeZone } = facts;
  const isHarmless = report.rows?.toDelete === 0;
  return {
    heading: heading(report),
    scope: scopeText(plan.endTimeMillis, at, connection, timeZone),
    rows: report.rows && {
      ...report.rows,
      percent: percentToDelete(report.rows),
      size: isHarmless ? undefined : shownSize(bytesToDelete({ report, size }), size),
    },
    consequences: isHarmless ? undefined : consequences(plan, timeZone, connection.role === 'production'),
    strategy: strategyTexts[report.strategy].name(),
    details: reportDetails(dryRun, facts),
    at,
    notice: noticeText(dryRun) ?? hiddenRows(dryRun, facts),
  };
}

function heading({ rows }: DryRunReport): string {
  if (rows === undefined) {
    return l10n.t('Delete an unknown number of rows?');
  }
  if (rows.total === 0) {
    return l10n.t('Searches find no rows');
  }
  const total = formatsOf(language()).number(rows.total);
  return rows.toDelete === 0
    ? plural(
        rows.total,
        l10n.t('The only row is newer than the cutoff'),
        l10n.t('All {0} rows are newer than the cutoff', total),
      )
    : deleteQuestion(rows);
}

/** Shown folded, since few decisions need them. */
function reportDetails(dryRun: DryRunReview, { timeZone }: TruncationFacts): readonly Fact[] {
  return [...riskFacts(), ...planFacts(dryRun, timeZone)];
}

/** The plan and its dry run. @param timeZone The user's (IANA name). */
export function planFacts(
  { plan, report, at }: Pick<DryRunReview, 'plan' | 'report' | 'at'>,
  timeZone: string,
): readonly Fact[] {
  const formats = formatsOf(language(), timeZone);
  const { name, meaning } = strategyTexts[report.strategy];
  const { batchSize, endTimeMillis, timeoutSeconds } = plan;
  return [
    cutoffFact(endTimeMillis, timeZone),
    { name: l10n.t('Strategy'), value: `${name()}. ${meaning()}` },
    { name: l10n.t('Batch size'), value: formats.number(batchSize) },
    {
      name: l10n.t('Timeout in seconds'),
      value: timeoutSeconds === undefined ? l10n.t('No timeout') : formats.number(timeoutSeconds),
    },
    { name: l10n.t('Server response'), quoted: inPlainText(report.serverText) },
    { name: l10n.t('Dry run time'), value: formats.exactTime(at) },
  ];
}

/** A reindex can hide every row of its index (PROTOCOL.md §7.5), which isn't empty then. */
function hiddenRows({ report }: DryRunReview, { blocking, indexName, timeZone }: TruncationFacts): string | undefined {
  if (report.rows?.total !== 0) {
    return undefined;
  }
  const [, madeAt] = MADE_BY_REINDEX.exec(indexName ?? '') ?? [];
  return blocking === undefined
    ? madeAt &&
        l10n.t(
          'This index was created by a reindex on {0}, which may have hidden its rows. Ask an administrator to refresh the index.',
          formatsOf(language(), timeZone).date(Number(madeAt)),
        )
    : problemText(blocking);
}
