/** Asks the user before rows are deleted. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { typedNameStep } from '../connections/connectionQuestions.ts';
import { connectionLine } from '../connections/role.ts';
import { indexNameText } from '../indices/indexName.ts';
import { language, plural } from '../language.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import { type StepAnswer, type StepPlace, askText, runInputSteps } from '../ui/inputSteps.ts';
import { confirm } from '../ui/messages.ts';
import { isTypedName } from '../ui/typedName.ts';
import { type DryRunReport, percentToDelete } from './dryRun.ts';
import type { CutOffCaution } from './plan.ts';
import type { Confirmation } from './runEnvironment.ts';
import type { DryRunReview } from './state.ts';
import { onlyCopyText, stateQuestion } from './texts/consequenceTexts.ts';
import { cautionText, executionNotes, strategyTexts } from './texts/reviewTexts.ts';

/** Facts that the user needs for an answer, ready to be shown. */
interface TruncationQuestion {
  /** `entityType/aspect`, which the user types. */
  readonly target: string;
  /** In the user's time zone, with its name. */
  readonly cutOff: string;
  readonly caution: CutOffCaution | undefined;
  /** Undefined if the server's text was not understood. */
  readonly rows:
    | { readonly toDelete: number; readonly share: string; readonly question: string; readonly yes: string }
    | undefined;
  readonly serverText: string;
  readonly strategyMeaning: string;
  readonly isReindex: boolean;
  /** Asked first. Undefined if the index holds no state. */
  readonly state: ReturnType<typeof stateQuestion>;
}

export function confirmTruncation({ connection, review, caution, timeZone }: Confirmation): Promise<boolean> {
  return askAboutTruncation(connection, truncationQuestion(review, caution, timeZone));
}

/** Asks about lost state, an unreadable report and a reindex first, then for the names, then the modal. */
async function askAboutTruncation(connection: Connection, question: TruncationQuestion): Promise<boolean> {
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
  const typed = await runInputSteps(l10n.t('Delete Rows of {0}', target), [
    { ask: (place) => askTarget(place, target) },
    typedNameStep(connection),
  ]);
  if (!typed) {
    return false;
  }
  const detail = [
    // Names can be similar or misleading: this line says where rows are deleted.
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

/** A reindex can hide or lose every row, so it is asked about before anything is typed. */
function confirmReindex({ target, strategyMeaning }: TruncationQuestion): Promise<boolean> {
  return confirm(
    l10n.t('Reindex {0}?', target),
    [strategyMeaning, l10n.t('Delete by query has neither risk, where the server lets you choose it.')],
    l10n.t('Continue with Reindex'),
  );
}

async function askTarget(place: StepPlace, target: string): Promise<StepAnswer<void>> {
  const answer = await askText(place, {
    value: '',
    prompt: l10n.t('Type {0} to confirm.', target),
    placeholder: target,
    problem: (text) => (isTypedName(text, target) ? undefined : l10n.t("Doesn't match. Type {0}.", target)),
  });
  return answer.kind === 'value' ? { kind: 'value', value: undefined } : answer;
}

function truncationQuestion(
  { plan, report }: DryRunReview,
  caution: CutOffCaution | undefined,
  timeZone: string,
): TruncationQuestion {
  const { fullTime } = formatsOf(language(), timeZone);
  return {
    target: indexNameText(plan),
    cutOff: fullTime(plan.endTimeMillis),
    caution,
    rows: report.rows === undefined ? undefined : rowTexts(report.rows, indexNameText(plan)),
    serverText: report.serverText,
    strategyMeaning: strategyTexts[report.strategy].meaning(),
    isReindex: report.strategy === 'reindex',
    state: stateQuestion(plan, timeZone),
  };
}

function rowTexts(rows: NonNullable<DryRunReport['rows']>, target: string): TruncationQuestion['rows'] {
  const { number, percent } = formatsOf(language());
  const [toDelete, total] = [number(rows.toDelete), number(rows.total)];
  const share = percent(percentToDelete(rows));
  return {
    toDelete: rows.toDelete,
    share: plural(
      rows.total,
      l10n.t('{0} of {1} row ({2})', toDelete, total, share),
      l10n.t('{0} of {1} rows ({2})', toDelete, total, share),
    ),
    question: plural(
      rows.toDelete,
      l10n.t('Delete {0} row of {1}?', toDelete, target),
      l10n.t('Delete {0} rows of {1}?', toDelete, target),
    ),
    yes: plural(rows.toDelete, l10n.t('Delete {0} Row', toDelete), l10n.t('Delete {0} Rows', toDelete)),
  };
}
