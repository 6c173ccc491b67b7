/** The last question before rows are deleted: a text to type, or a dialog where the user chose that nothing is typed. */
import * as l10n from '@vscode/l10n';
import { requiresTypedText } from '../connections/role.ts';
import { shownNameText } from '../indices/timeseriesAspects.ts';
import { language, plural } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { askExactText } from '../ui/inputSteps.ts';
import { confirm } from '../ui/messages.ts';
import { isSameName } from '../ui/sameName.ts';
import type { RowCounts } from './dryRun.ts';
import type { ItemQuestion } from './itemReview.ts';
import type { JobQuestion } from './jobRun.ts';
import type { Problem } from './problem.ts';
import { placeText, scopeText } from './texts/consequenceTexts.ts';

/** @param heldBack Why it is asked again, if so. */
export function confirmDeletion(question: JobQuestion, heldBack: Problem | undefined): Promise<boolean> {
  const { connection } = question;
  const facts = [...(heldBack === undefined ? [] : [heldBack.sentence]), ...questionFacts(question)].join(' ');
  if (!requiresTypedText(connection)) {
    return confirm(l10n.t('{0}?', titleOf(question)), [facts], l10n.t('Delete Rows'));
  }
  const text = textToType(question);
  return askExactText({
    title: titleOf(question),
    prompt: `${facts} ${l10n.t('Type "{0}".', text)}`,
    placeholder: text,
    isRight: (typed) => isSameName(typed, text),
    refusal: l10n.t("Doesn't match."),
  });
}

/** One text names both server and index where another server may have the same index. */
function textToType({ connection, items, isOnlyConnection }: JobQuestion): string {
  const [only] = items;
  if (items.length > 1 || only === undefined) {
    return connection.name;
  }
  const target = shownNameText(only.review.plan);
  return connection.role === 'production' || !isOnlyConnection ? `${connection.name} ${target}` : target;
}

/** "Delete 82,593 of 106,011 rows of dataset/operation from prod (gms.example.com/gms)" */
function titleOf({ connection, items }: JobQuestion): string {
  const { number } = formatsOf(language());
  const rows = sumOf(items);
  const place = placeText(connection);
  const [only] = items;
  const isOne = items.length === 1 && only !== undefined;
  const subject = isOne ? shownNameText(only.review.plan) : number(items.length);
  if (rows === undefined) {
    return isOne
      ? l10n.t('Delete rows of {0} from {1}', subject, place)
      : l10n.t('Delete rows of {0} indices from {1}', subject, place);
  }
  const texts = [number(rows.toDelete), number(rows.total), subject, place] as const;
  return isOne
    ? plural(
        rows.total,
        l10n.t('Delete {0} of {1} row of {2} from {3}', ...texts),
        l10n.t('Delete {0} of {1} rows of {2} from {3}', ...texts),
      )
    : l10n.t('Delete {0} of {1} rows of {2} indices from {3}', ...texts);
}

/** Sentences: which rows, who deletes them, and what stays. */
function questionFacts({ connection, items, timeZone }: JobQuestion): readonly string[] {
  const rows = sumOf(items);
  const { number } = formatsOf(language());
  // One cutoff for all.
  const [first] = items;
  const at = Math.min(...items.map(({ review }) => review.at));
  const kept = rows && rows.total - rows.toDelete;
  return [
    ...(first === undefined ? [] : [scopeText(first.review.plan.endTimeMillis, at, connection, timeZone)]),
    ...(kept === undefined
      ? []
      : [plural(kept, l10n.t('{0} stays.', number(kept)), l10n.t('{0} stay.', number(kept)))]),
    l10n.t("Can't be undone."),
  ];
}

/** Undefined if a server's text was not understood. */
function sumOf(items: readonly ItemQuestion[]): RowCounts | undefined {
  const counts = items.flatMap(({ review }) => review.report.rows ?? []);
  return counts.length < items.length
    ? undefined
    : {
        toDelete: counts.reduce((sum, { toDelete }) => sum + toDelete, 0),
        total: counts.reduce((sum, { total }) => sum + total, 0),
      };
}
