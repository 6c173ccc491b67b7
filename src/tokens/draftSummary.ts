/** One list with all fields of a token: the first item accepts them, each other one edits a field. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { durationName } from '../service/tokens/durations.ts';
import {
  singleStep,
  askPick,
  type InputStep,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import { tokenDraftSteps, tokenNameStep, tokenTypeName, validUntilText } from './draftSteps.ts';
import type { TokenActorReader, TokenCreationFacts, TokenDraft } from './tokenDraft.ts';
import { lackingPrivilege, tokenNameProblem } from './tokenTexts.ts';

interface SummaryTexts {
  readonly placeholder: string;
  /** Label of the item that accepts the draft. */
  readonly accept: string;
  /** The name as the accepting item shows it. */
  readonly name: (draft: TokenDraft) => string;
}

interface SummaryItem extends PickItem {
  /** The step that the item opens; undefined accepts the draft. */
  readonly edit?: InputStep;
}

/**
 * Shows the draft until the user accepts it, leaves, or goes back.
 * @param draft Edited in place. @param actorOf Parses the draft's actor.
 */
export async function askDraftSummary(
  place: StepPlace,
  texts: SummaryTexts,
  draft: TokenDraft,
  facts: TokenCreationFacts,
  actorOf: TokenActorReader,
): Promise<StepAnswer<void>> {
  for (;;) {
    const items = summaryItems(texts, draft, facts, actorOf);
    const answer = await askPick<SummaryItem>(place, {
      items,
      active: items.find(({ kind }) => kind === undefined),
      placeholder: texts.placeholder,
    });
    if (answer.kind !== 'value') {
      return answer;
    }
    const { edit } = answer.value;
    if (edit === undefined) {
      return { kind: 'value', value: undefined };
    }
    const edited = await edit.ask({ ...singleStep(place.title), canGoBack: true });
    if (edited.kind === 'cancelled') {
      return edited;
    }
  }
}

function summaryItems(
  texts: SummaryTexts,
  draft: TokenDraft,
  facts: TokenCreationFacts,
  actorOf: TokenActorReader,
): SummaryItem[] {
  const steps = tokenDraftSteps(draft, facts, actorOf);
  const problem = tokenNameProblem(draft.name);
  const checked = actorOf(draft.actor);
  const lacking = lackingPrivilege(facts, draft.type, 'actorUrn' in checked && checked.actorUrn === facts.caller);
  const accept: SummaryItem = {
    icon: 'check',
    label: texts.accept,
    description: [texts.name(draft), durationName(draft.duration)].join(' · '),
    detail: lacking ?? '',
  };
  const edits: readonly (SummaryItem & { readonly edit: InputStep })[] = [
    {
      icon: 'tag',
      label: l10n.t('Name'),
      description: draft.name,
      detail: problem ?? '',
      edit: tokenNameStep(draft),
    },
    {
      icon: 'calendar',
      label: l10n.t('Expires after'),
      description: `${durationName(draft.duration)} · ${validUntilText(draft.duration)}`,
      edit: steps.duration,
    },
    { icon: 'account', label: l10n.t('Acts as'), description: draft.actor, edit: steps.actor },
    {
      icon: 'note',
      label: l10n.t('Description'),
      description: draft.description || l10n.t('none'),
      edit: steps.description,
    },
    { icon: 'key', label: l10n.t('Type'), description: tokenTypeName(draft.type), edit: steps.type },
  ];
  return [
    // The name of a replaced token may be invalid for a new one; then it must be edited first.
    ...(problem === undefined ? [accept] : []),
    { label: l10n.t('Edit'), kind: vscode.QuickPickItemKind.Separator },
    ...edits.filter(({ edit }) => edit.applies?.() !== false),
  ];
}
