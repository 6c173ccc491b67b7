/** One list with all fields of a token: the first item accepts them, each other one edits a field. */
import * as l10n from '@vscode/l10n';
import { toServiceFailure } from '../service/failure/failure.ts';
import { durationName } from '../service/tokens/durations.ts';
import {
  createPickList,
  failureItems,
  showPickList,
  separator,
  showPickItems,
  setPlaceholder,
  singleStep,
  type InputStep,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import {
  draftedActorText,
  tokenActorStep,
  type TokenCreationFacts,
  tokenDescriptionStep,
  type TokenDraft,
  tokenDurationStep,
  tokenNameStep,
  validUntilText,
} from './tokenDraft.ts';
import { tokenNameProblem } from './tokenTexts.ts';

export interface SummaryTexts {
  readonly placeholder: string;
  /** Name of the connection whose facts are loading. */
  readonly connection: string;
  /** Label of the item that accepts the draft. */
  readonly accept: string;
}

interface SummaryItem extends PickItem {
  /** Opens a step, accepts the draft, or loads it again. */
  readonly action?: InputStep | 'accept' | 'retry';
  /** Nothing can be accepted without it. */
  readonly isMissing?: boolean;
}

/** A draft with what is needed to show it. */
export interface SummarizedDraft {
  /** Edited in place. */
  readonly draft: TokenDraft;
  readonly facts: TokenCreationFacts;
}

/** Loads a draft's facts, perhaps before they are shown, and again after a failure. */
export class SummaryLoad {
  readonly #load: () => Promise<SummarizedDraft>;
  #attempt: Promise<SummarizedDraft> | undefined;
  loaded: SummarizedDraft | undefined;

  constructor(load: () => Promise<SummarizedDraft>) {
    this.#load = load;
  }

  /** Joins the attempt that is under way. */
  attempt(): Promise<SummarizedDraft> {
    this.#attempt ??= this.#load()
      .then((loaded) => (this.loaded = loaded))
      .finally(() => (this.#attempt = undefined));
    return this.#attempt;
  }
}

/** Shows the draft until the user accepts it, leaves, or goes back. Opens at once, even before the facts arrive. */
export async function askDraftSummary(
  place: StepPlace,
  texts: SummaryTexts,
  load: SummaryLoad,
): Promise<StepAnswer<void>> {
  for (;;) {
    const answer = await showSummary(place, texts, load);
    if (answer.kind !== 'value') {
      return answer;
    }
    if (answer.value === 'accept') {
      return { kind: 'value', value: undefined };
    }
    // Escape leads back here too.
    await answer.value.ask({ ...singleStep(place.title), canGoBack: true });
  }
}

function showSummary(
  place: StepPlace,
  texts: SummaryTexts,
  load: SummaryLoad,
): Promise<StepAnswer<InputStep | 'accept'>> {
  const pick = createPickList<SummaryItem>(texts.placeholder);
  pick.matchOnDescription = true;
  const showItems = (items: readonly SummaryItem[]): void => {
    const missing = items.find(({ isMissing }) => isMissing);
    setPlaceholder(pick, missing === undefined ? texts.placeholder : l10n.t('Something is missing'));
    showPickItems(pick, items, missing ?? items.find(({ action }) => action !== undefined));
  };
  const loadAndShow = async (): Promise<void> => {
    pick.busy = true;
    const label = l10n.t('Loading token types from "{0}"…', texts.connection);
    showItems([{ icon: 'sync~spin', label, alwaysShow: true }]);
    try {
      const items = summaryItems(texts, await load.attempt());
      // Text typed meanwhile would hide items.
      pick.value = '';
      showItems(items);
    } catch (thrown) {
      const retry: SummaryItem = { icon: 'refresh', label: l10n.t('Try Again'), alwaysShow: true, action: 'retry' };
      showItems([...failureItems(toServiceFailure(thrown)), retry]);
    }
    pick.busy = false;
  };
  if (load.loaded === undefined) {
    void loadAndShow();
  } else {
    showItems(summaryItems(texts, load.loaded));
  }
  return showPickList(pick, place, ([chosen]) => {
    if (chosen?.action !== 'retry') {
      return chosen?.action;
    }
    void loadAndShow();
    return undefined;
  });
}

function summaryItems(texts: SummaryTexts, { draft, facts }: SummarizedDraft): SummaryItem[] {
  const problem = tokenNameProblem(draft.name);
  const accept: SummaryItem = {
    icon: 'check',
    label: texts.accept,
    description: [
      l10n.t('"{0}"', draft.name),
      durationName(draft.duration),
      ...(draft.actorUrn === facts.caller ? [] : [l10n.t('Acts as {0}', draftedActorText(draft))]),
    ].join(' · '),
    action: 'accept',
  };
  return [
    // The name of a replaced token may be invalid for a new one; then it must be edited first.
    ...(problem === undefined && draft.actorUrn !== '' ? [accept] : []),
    separator(l10n.t('Edit')),
    // Whatever is typed, so that the list is never empty.
    ...editItems(draft, facts, problem).map((item) => Object.assign(item, { alwaysShow: true })),
  ];
}

/** @param problem Of the name. */
function editItems(draft: TokenDraft, facts: TokenCreationFacts, problem: string | undefined): readonly SummaryItem[] {
  return [
    {
      icon: 'tag',
      label: l10n.t('Name'),
      description: draft.name,
      detail: problem ?? '',
      isMissing: problem !== undefined,
      action: tokenNameStep(draft),
    },
    {
      icon: 'calendar',
      label: l10n.t('Expires after'),
      description: `${durationName(draft.duration)} · ${validUntilText(draft.duration)}`,
      action: tokenDurationStep(draft, facts),
    },
    ...(draft.keepsUser === true
      ? []
      : [
          {
            icon: 'account',
            label: l10n.t('Acts as'),
            description: draftedActorText(draft),
            detail: draft.actorUrn === '' ? l10n.t('Select a service account.') : '',
            isMissing: draft.actorUrn === '',
            action: tokenActorStep(draft, facts),
          },
        ]),
    ...(facts.takesDescription
      ? [
          {
            icon: 'note',
            label: l10n.t('Description'),
            description: draft.description || l10n.t('no description'),
            action: tokenDescriptionStep(draft),
          },
        ]
      : []),
  ];
}
