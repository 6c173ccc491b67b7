/** Batch size, timeout and strategy: what most truncations leave as it is. */
import * as l10n from '@vscode/l10n';
import type { DeletionStrategy } from '../../service/indices/truncation.ts';
import { language, plural } from '../../language.ts';
import { formatsOf } from '../../ui/formats.ts';
import { askInto, askPick, askText } from '../../ui/inputSteps.ts';
import type { Answer, StepPlace } from '../../ui/inputSteps.ts';
import type { PickItem } from '../../ui/quickPick.ts';
import { DEFAULT_BATCH_SIZE, batchSizeProblem, timeoutProblem } from '../model/plan.ts';
import type { PlanDraft } from '../model/plan.ts';
import { strategyTexts } from '../model/texts.ts';

/** A plan that steps put their answers into. */
export interface EditedDraft {
  draft: PlanDraft;
}

interface OptionItem extends PickItem {
  /** Asks for a value and puts it into the plan; absent: the options are as they should be. */
  readonly edit?: () => Promise<Answer<void>>;
}

/** Lets a person change one option after the other. @returns false when they left. */
export async function askOptions(place: StepPlace, edited: EditedDraft, canChooseStrategy: boolean): Promise<boolean> {
  // The way out of each is back to the list, and of the list to what was asked before.
  const inside = { ...place, canGoBack: true };
  for (;;) {
    const answer = await askPick<OptionItem>(inside, {
      items: optionItems(inside, edited, canChooseStrategy),
      placeholder: l10n.t('Select an option to change'),
    });
    if (answer.kind === 'cancelled') {
      return false;
    }
    if (answer.kind === 'back' || answer.value.edit === undefined) {
      return true;
    }
    if ((await answer.value.edit()).kind === 'cancelled') {
      return false;
    }
  }
}

/** What the options are, in a line. */
export function optionsText(draft: PlanDraft, canChooseStrategy: boolean): string {
  return [
    l10n.t('Batch size: {0}', batchSizeText(draft)),
    l10n.t('Timeout: {0}', timeoutText(draft)),
    ...(canChooseStrategy ? [l10n.t('Strategy: {0}', strategyName(draft.strategy))] : []),
  ].join(' · ');
}

function optionItems(place: StepPlace, edited: EditedDraft, canChooseStrategy: boolean): OptionItem[] {
  const { draft } = edited;
  return [
    { icon: 'check', label: l10n.t('Done') },
    {
      label: l10n.t('Batch size'),
      description: batchSizeText(draft),
      edit: () =>
        askInto(
          askText(place, {
            value: draft.batchSize,
            prompt: l10n.t('Rows deleted per batch.'),
            problem: batchSizeProblem,
          }),
          (batchSize) => (edited.draft = { ...edited.draft, batchSize }),
        ),
    },
    {
      label: l10n.t('Timeout'),
      description: timeoutText(draft),
      edit: () =>
        askInto(
          askText(place, {
            value: draft.timeoutSeconds,
            prompt: l10n.t(
              'Timeout in seconds. Stops the deletion on PostgreSQL; elsewhere only limits the wait for unavailable shards.',
            ),
            placeholder: l10n.t('no timeout'),
            problem: timeoutProblem,
          }),
          (timeoutSeconds) => (edited.draft = { ...edited.draft, timeoutSeconds }),
        ),
    },
    ...(canChooseStrategy
      ? [
          {
            label: l10n.t('Strategy'),
            description: strategyName(draft.strategy),
            edit: () =>
              askInto(askStrategy(place, draft.strategy), (strategy) => (edited.draft = { ...edited.draft, strategy })),
          },
        ]
      : []),
  ];
}

async function askStrategy(place: StepPlace, current: DeletionStrategy): Promise<Answer<DeletionStrategy>> {
  const items: (PickItem & { readonly strategy: DeletionStrategy })[] = [
    {
      label: strategyName('server'),
      description: l10n.t('reindex if more than half of the rows are deleted, otherwise delete by query'),
      strategy: 'server',
    },
    { label: strategyName('deleteByQuery'), strategy: 'deleteByQuery' },
    { label: strategyName('reindex'), strategy: 'reindex' },
  ];
  const answer = await askPick(place, {
    items,
    active: items.find(({ strategy }) => strategy === current),
    placeholder: l10n.t('Select a deletion strategy'),
  });
  return answer.kind === 'value' ? { kind: 'value', value: answer.value.strategy } : answer;
}

function strategyName(strategy: DeletionStrategy): string {
  return strategy === 'server' ? l10n.t('Automatic') : strategyTexts[strategy].name();
}

function batchSizeText({ batchSize }: PlanDraft): string {
  return formatsOf(language()).number(batchSize.trim() === '' ? DEFAULT_BATCH_SIZE : Number(batchSize));
}

function timeoutText({ timeoutSeconds }: PlanDraft): string {
  if (timeoutSeconds.trim() === '') {
    return l10n.t('none');
  }
  const seconds = Number(timeoutSeconds);
  const count = formatsOf(language()).number(seconds);
  return plural(seconds, l10n.t('{0} second', count), l10n.t('{0} seconds', count));
}
