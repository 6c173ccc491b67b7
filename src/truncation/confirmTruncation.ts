/** Asks the person before rows are deleted. */
import * as vscode from 'vscode';
import { confirm } from '../ui/confirm.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { alone, askText } from '../ui/inputSteps.ts';
import type { Confirmation } from './runParts.ts';
import { cautionText } from './model/texts.ts';
import { truncationQuestion } from './truncationQuestion.ts';
import type { TruncationQuestion } from './truncationQuestion.ts';

export function confirmTruncation({ connection, review, caution, timeZone }: Confirmation): Promise<boolean> {
  return ask(truncationQuestion(connection, review, caution, timeZone));
}

/** First the name is typed, then a modal is answered; a report that could not be read is asked about before. */
async function ask(question: TruncationQuestion): Promise<boolean> {
  const { rows, target } = question;
  if (rows === undefined) {
    const goOn = await confirm(
      vscode.l10n.t('Continue without knowing how many rows will be deleted?'),
      [vscode.l10n.t("This extension couldn't interpret the dry run:"), inPlainText(question.serverText)],
      vscode.l10n.t('Continue'),
    );
    if (!goOn) {
      return false;
    }
  }
  const typed = await askText(alone(vscode.l10n.t('Delete Rows of {0}', target)), {
    value: '',
    prompt: vscode.l10n.t('Type {0} to confirm.', target),
    placeholder: target,
    problem: (text) => (text.trim() === target ? undefined : vscode.l10n.t("Doesn't match. Type {0}.", target)),
  });
  if (typed.kind !== 'value') {
    return false;
  }
  const detail = [
    vscode.l10n.t('Connection: {0} ({1})', question.connectionName, question.baseUrl),
    vscode.l10n.t('Rows up to and including: {0}', question.cutOff),
    ...(rows === undefined ? [] : [rows.share]),
    question.strategyMeaning,
    ...(question.caution === undefined ? [] : [cautionText(question.caution)]),
    vscode.l10n.t("Deleted rows can't be recovered."),
  ];
  return rows === undefined
    ? confirm(vscode.l10n.t('Delete the rows of {0}?', target), detail, vscode.l10n.t('Delete Rows'))
    : confirm(rows.question, detail, rows.yes);
}
