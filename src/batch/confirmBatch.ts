/** The question before the rows of a batch are deleted. */
import * as l10n from '@vscode/l10n';
import { indexNameText } from '../indices/indexName.ts';
import { askTypedName } from '../connections/connectionQuestions.ts';
import { connectionLine } from '../connections/role.ts';
import { language, plural } from '../language.ts';
import { confirm, type ModalParagraph } from '../ui/messages.ts';
import { formatsOf } from '../ui/formats.ts';
import { singleStep } from '../ui/inputSteps.ts';
import { inOneLine } from '../ui/textLines.ts';
import { percentToDelete } from '../truncation/dryRun.ts';
import { executionNotes } from '../truncation/texts/reviewTexts.ts';
import type { DryRunReview } from '../truncation/state.ts';
import { onlyCopyText } from '../truncation/texts/aspectTexts.ts';
import { strategyTexts } from '../truncation/texts/reviewTexts.ts';
import type { BatchConfirmation } from './batchRun.ts';

/** Asks for the name of the connection, then in a modal that lists every index with its rows. */
export async function confirmBatch({ connection, reviews, timeZone }: BatchConfirmation): Promise<boolean> {
  const { name } = connection;
  const { number } = formatsOf(language());
  const rows = reviews.reduce((sum, { report }) => sum + (report.rows?.toDelete ?? 0), 0);
  const [rowCount, indexCount] = [number(rows), number(reviews.length)];
  const question = plural(
    reviews.length,
    l10n.t('Delete rows of {0} index on {1}?', indexCount, name),
    l10n.t('Delete rows of {0} indices on {1}?', indexCount, name),
  );
  const typed = await askTypedName(singleStep(question), connection);
  return (
    typed.kind === 'value' &&
    confirm(
      question,
      details(connection, reviews, timeZone),
      plural(rows, l10n.t('Delete {0} Row', rowCount), l10n.t('Delete {0} Rows', rowCount)),
    )
  );
}

function details(
  connection: BatchConfirmation['connection'],
  reviews: readonly DryRunReview[],
  timeZone: string,
): readonly ModalParagraph[] {
  const { fullTime } = formatsOf(language(), timeZone);
  const cutOffs = new Set(reviews.map(({ plan }) => plan.endTimeMillis));
  const [shared] = cutOffs.size === 1 ? cutOffs : [];
  const strategies = new Set(reviews.map(({ report }) => report.strategy));
  return [
    connectionLine(connection),
    ...(shared === undefined ? [] : [l10n.t('Rows up to and including: {0}', fullTime(shared))]),
    // Before the list: VS Code cuts off the end of a long question in a low window.
    l10n.t("Deleted rows can't be recovered."),
    reviews.map((review) => `• ${line(review, shared === undefined ? timeZone : undefined, strategies.size > 1)}`),
    l10n.t("They're deleted one after another. The first one that fails or has more rows than shown stops the rest."),
    ...[...strategies].map((strategy) => strategyTexts[strategy].meaning()),
    ...executionNotes(reviews.reduce((sum, { report }) => sum + (report.rows?.toDelete ?? 0), 0)),
    onlyCopyText(),
  ];
}

/**
 * @param timeZone The user's, if the cutoffs differ.
 * @param showStrategy Whether the strategies differ.
 */
function line({ plan, report }: DryRunReview, timeZone: string | undefined, showStrategy: boolean): string {
  const { number, percent, fullTime } = formatsOf(language(), timeZone);
  const { toDelete = 0, total = 0 } = report.rows ?? {};
  const rows = [
    indexNameText(plan),
    number(toDelete),
    number(total),
    percent(percentToDelete({ toDelete, total })),
  ] as const;
  const share =
    timeZone === undefined
      ? l10n.t('{0}: {1} of {2} rows ({3})', ...rows)
      : l10n.t('{0}: {1} of {2} rows ({3}), up to {4}', ...rows, fullTime(plan.endTimeMillis));
  return inOneLine([share, showStrategy ? strategyTexts[report.strategy].name() : '']);
}
