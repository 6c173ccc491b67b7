/** Asks the user before rows are deleted. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { confirmTypedText } from '../connections/connectionQuestions.ts';
import { connectionLine } from '../connections/role.ts';
import { indexNameText } from '../indices/indexName.ts';
import { language, plural } from '../language.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import { confirm, type ModalParagraph } from '../ui/messages.ts';
import { type DryRunReport, percentToDelete, type ServerStrategy } from './dryRun.ts';
import type { ItemQuestion } from './itemReview.ts';
import type { JobQuestion } from './jobRun.ts';
import type { DryRunReview } from './state.ts';
import { unrecoverableText } from './texts/consequenceTexts.ts';
import { cautionText, strategyTexts } from './texts/reviewTexts.ts';

/** Facts that the user needs for an answer, ready to be shown. */
interface TruncationQuestion {
  /** `entityType/aspect` */
  readonly target: string;
  /** In the user's time zone, with its name. */
  readonly cutoff: string;
  readonly cautions: readonly string[];
  /** Undefined if the server's text was not understood. */
  readonly rows: { readonly share: string; readonly question: string; readonly yes: string } | undefined;
  readonly serverText: string;
  readonly strategy: ServerStrategy;
}

/** The question of the page where the job began: the overview lists each index with its rows. */
export function confirmJob(question: JobQuestion): Promise<boolean> {
  const [item] = question.items;
  return question.origin === 'wizard' && item !== undefined
    ? askAboutTruncation(question.connection, truncationQuestion(item, question.timeZone))
    : confirmSeveral(question);
}

/** Asks for the typed text, then in a modal. */
async function askAboutTruncation(connection: Connection, question: TruncationQuestion): Promise<boolean> {
  const { rows, target, strategy } = question;
  const title = l10n.t('Delete Rows from {0}', target);
  if (!(await confirmTypedText(connection, textToType(connection, target), title))) {
    return false;
  }
  const detail = [
    // Names can be similar or misleading: this line says where rows are deleted.
    connectionLine(connection),
    l10n.t('Rows up to and including: {0}', question.cutoff),
    ...(rows === undefined ? [inPlainText(question.serverText)] : [rows.share]),
    ...(strategy === 'unknown' ? [strategyTexts[strategy].meaning()] : []),
    ...question.cautions,
    unrecoverableText(),
  ];
  return rows === undefined
    ? confirm(l10n.t('Delete rows from {0}?', target), detail, l10n.t('Delete Rows'))
    : confirm(rows.question, detail, rows.yes);
}

/** Text that the user types. On production, one text names both server and index. */
function textToType({ name, role }: Connection, target: string): string {
  return role === 'production' ? `${name} ${target}` : target;
}

function truncationQuestion(
  { review: { plan, report }, cautions }: ItemQuestion,
  timeZone: string,
): TruncationQuestion {
  const formats = formatsOf(language(), timeZone);
  return {
    target: indexNameText(plan),
    cutoff: formats.fullTime(plan.endTimeMillis),
    cautions: cautions.map((one) => cautionText(one, formats)),
    rows: report.rows === undefined ? undefined : rowTexts(report.rows, indexNameText(plan)),
    serverText: report.serverText,
    strategy: report.strategy,
  };
}

function rowTexts(rows: NonNullable<DryRunReport['rows']>, target: string): TruncationQuestion['rows'] {
  const { number, percent } = formatsOf(language());
  const [toDelete, total] = [number(rows.toDelete), number(rows.total)];
  const share = percent(percentToDelete(rows));
  return {
    share: plural(
      rows.total,
      l10n.t('{0} of {1} row ({2})', toDelete, total, share),
      l10n.t('{0} of {1} rows ({2})', toDelete, total, share),
    ),
    question: plural(
      rows.toDelete,
      l10n.t('Delete {0} row from {1}?', toDelete, target),
      l10n.t('Delete {0} rows from {1}?', toDelete, target),
    ),
    yes: plural(rows.toDelete, l10n.t('Delete {0} Row', toDelete), l10n.t('Delete {0} Rows', toDelete)),
  };
}

/** Asks for the name of the connection, then in a modal that lists every index with its rows. */
async function confirmSeveral(confirmation: JobQuestion): Promise<boolean> {
  const { connection, items } = confirmation;
  const reviews = items.map(({ review }) => review);
  const { name } = connection;
  const { number } = formatsOf(language());
  const rows = reviews.reduce((sum, { report }) => sum + (report.rows?.toDelete ?? 0), 0);
  const [rowCount, indexCount] = [number(rows), number(reviews.length)];
  const question = plural(
    reviews.length,
    l10n.t('Delete rows from {0} index on {1}?', indexCount, name),
    l10n.t('Delete rows from {0} indices on {1}?', indexCount, name),
  );
  return (
    (await confirmTypedText(connection, name, question)) &&
    confirm(
      question,
      questionParagraphs(confirmation),
      plural(rows, l10n.t('Delete {0} Row', rowCount), l10n.t('Delete {0} Rows', rowCount)),
    )
  );
}

function questionParagraphs({ connection, items, timeZone }: JobQuestion): readonly ModalParagraph[] {
  const formats = formatsOf(language(), timeZone);
  const cutoffs = new Set(items.map(({ review }) => review.plan.endTimeMillis));
  const [shared] = cutoffs.size === 1 ? cutoffs : [];
  return [
    connectionLine(connection),
    ...(shared === undefined ? [] : [l10n.t('Rows up to and including: {0}', formats.fullTime(shared))]),
    // Before the list: VS Code cuts off the end of a long question in a low window.
    unrecoverableText(),
    ...items.flatMap(({ review, cautions }) =>
      cautions.map((caution) => `${indexNameText(review.plan)}: ${cautionText(caution, formats)}`),
    ),
    items.map(({ review }) => `• ${reviewLine(review, shared === undefined ? timeZone : undefined)}`),
  ];
}

/** @param timeZone The user's, if the cutoffs differ. */
function reviewLine({ plan, report }: DryRunReview, timeZone: string | undefined): string {
  const { number, percent, fullTime } = formatsOf(language(), timeZone);
  const { toDelete = 0, total = 0 } = report.rows ?? {};
  const rows = [
    indexNameText(plan),
    number(toDelete),
    number(total),
    percent(percentToDelete({ toDelete, total })),
  ] as const;
  return timeZone === undefined
    ? l10n.t('{0}: {1} of {2} rows ({3})', ...rows)
    : l10n.t('{0}: {1} of {2} rows ({3}), up to {4}', ...rows, fullTime(plan.endTimeMillis));
}
