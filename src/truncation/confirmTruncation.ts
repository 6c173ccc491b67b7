/** Asks the person before rows are deleted. */
import * as l10n from '@vscode/l10n';
import { confirm } from '../ui/messages.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { askText, runSteps } from '../ui/inputSteps.ts';
import type { Answer, StepPlace } from '../ui/inputSteps.ts';
import { isTypedName } from '../ui/typedName.ts';
import { nameStep } from '../connections/connectionQuestions.ts';
import { connectionLine } from '../connections/role.ts';
import type { Connection } from '../connections/connection.ts';
import type { Confirmation } from './runEnvironment.ts';
import { onlyCopyText } from './texts/aspectTexts.ts';
import { cautionText, executionNotes } from './texts/reviewTexts.ts';
import { truncationQuestion } from './truncationQuestion.ts';
import type { TruncationQuestion } from './truncationQuestion.ts';

export function confirmTruncation({ connection, review, caution, timeZone }: Confirmation): Promise<boolean> {
  return ask(connection, truncationQuestion(review, caution, timeZone));
}

/** The names are typed before the modal. Lost state and an unreadable report are questions of their own, asked first. */
async function ask(connection: Connection, question: TruncationQuestion): Promise<boolean> {
  const { rows, target, state } = question;
  if (state !== undefined && !(await confirm(state.question, state.detail, l10n.t('Continue')))) {
    return false;
  }
  if (rows === undefined) {
    const goOn = await confirm(
      l10n.t('Continue without knowing how many rows will be deleted?'),
      [l10n.t("This extension couldn't interpret the dry run:"), inPlainText(question.serverText)],
      l10n.t('Continue'),
    );
    if (!goOn) {
      return false;
    }
  }
  if (question.isReindex && !(await confirmReindex(question))) {
    return false;
  }
  const typed = await runSteps(l10n.t('Delete Rows of {0}', target), [
    { ask: (place) => askTarget(place, target) },
    nameStep(connection),
  ]);
  if (!typed) {
    return false;
  }
  const detail = [
    // Names can be alike, or say one thing and mean another: this is where rows are deleted.
    connectionLine(connection),
    l10n.t('Rows up to and including: {0}', question.cutOff),
    ...(rows === undefined ? [] : [rows.share]),
    question.strategyMeaning,
    ...executionNotes(rows?.toDelete),
    ...(question.caution === undefined ? [] : [cautionText(question.caution)]),
    l10n.t("Deleted rows can't be recovered."),
    onlyCopyText(),
  ];
  return rows === undefined
    ? confirm(l10n.t('Delete the rows of {0}?', target), detail, l10n.t('Delete Rows'))
    : confirm(rows.question, detail, rows.yes);
}

/** A reindex can hide or lose every row, so it is named before anything is typed. */
function confirmReindex({ target, strategyMeaning }: TruncationQuestion): Promise<boolean> {
  return confirm(
    l10n.t('Reindex {0}?', target),
    [strategyMeaning, l10n.t('Delete by query has neither risk, where the server lets you choose it.')],
    l10n.t('Continue with Reindex'),
  );
}

async function askTarget(place: StepPlace, target: string): Promise<Answer<void>> {
  const answer = await askText(place, {
    value: '',
    prompt: l10n.t('Type {0} to confirm.', target),
    placeholder: target,
    problem: (text) => (isTypedName(text, target) ? undefined : l10n.t("Doesn't match. Type {0}.", target)),
  });
  return answer.kind === 'value' ? { kind: 'value', value: undefined } : answer;
}
