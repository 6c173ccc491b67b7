/** Finds the index for a command: the clicked one, a choice from a list, or one that is named. */
import * as l10n from '@vscode/l10n';
import { type IndexName, indexNameOf, indexNameProblem, indexNameText } from './indexName.ts';
import { type ConnectionRef, isConnectionRef, pickConnection } from '../connections/pickConnection.ts';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { language } from '../language.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import {
  askAndStore,
  askText,
  createPickList,
  failureItems,
  runInputSteps,
  showInput,
  showPickItems,
  singleStep,
  type InputStep,
  type PickItem,
} from '../ui/inputSteps.ts';
import { formatsOf } from '../ui/formats.ts';
import type { IndexLists } from './indexLists.ts';
import type { IndexList, ListedIndex } from './indexList.ts';
import { shownIndexName } from './timeseriesAspects.ts';

/** Passed from the tree to commands. */
export interface IndexReference extends ConnectionRef {
  readonly index: ListedIndex;
}

function isIndexReference(clicked: unknown): clicked is IndexReference {
  return (
    isConnectionRef(clicked) &&
    'index' in clicked &&
    typeof clicked.index === 'object' &&
    clicked.index !== null &&
    'indexName' in clicked.index
  );
}

interface PickIndexParts {
  readonly store: ConnectionStore;
  readonly indexLists: IndexLists;
}

interface PickedIndex {
  readonly connection: Connection;
  /** Undefined: another index, to be named. */
  readonly index: ListedIndex | undefined;
}

interface IndexPickItem extends PickItem {
  readonly index?: ListedIndex;
  readonly isOther?: true;
}

/**
 * Picks an index for a change to its rows, which requires a name, or asks for the name of another one.
 * @param allowOther Offers to name an unlisted index.
 * @returns undefined if the user cancelled. @throws ServiceFailure also for an unnamed index.
 */
export async function pickNamedIndex(
  parts: PickIndexParts,
  clicked: unknown,
  title: string,
  allowOther: boolean,
): Promise<{ readonly connection: Connection; readonly target: IndexName } | undefined> {
  const picked = await pickIndex(parts, clicked, title, allowOther);
  if (picked === undefined) {
    return undefined;
  }
  const { connection, index } = picked;
  const target = index === undefined ? await askIndexName(title) : indexNameOf(index);
  if (index !== undefined && target === undefined) {
    throw new ServiceFailure(
      'badRequest',
      l10n.t("This index can't be truncated here: the server doesn't report its entity type and aspect."),
      { next: l10n.t('Select another index.') },
    );
  }
  return target && { connection, target };
}

/**
 * @param allowOther Offers to name an unlisted index.
 * @param fits Selects the indices to offer.
 * @returns undefined if the user cancelled. @throws ServiceFailure if the indices can't be listed.
 */
export async function pickIndex(
  parts: PickIndexParts,
  clicked: unknown,
  title: string,
  allowOther: boolean,
  fits: (index: ListedIndex) => boolean = () => true,
): Promise<PickedIndex | undefined> {
  const clickedOn = isIndexReference(clicked) ? parts.store.get(clicked.connectionId) : undefined;
  if (isIndexReference(clicked) && clickedOn !== undefined) {
    return { connection: clickedOn, index: clicked.index };
  }
  const connection = await pickConnection(parts.store, clicked, title);
  if (connection === undefined) {
    return undefined;
  }
  const list = parts.indexLists.get(connection.id);
  const pick = createPickList<IndexPickItem>(l10n.t('Select a time series index'));
  pick.matchOnDescription = true;
  pick.busy = true;
  let hidden = false;
  const answer = await showInput<ListedIndex | undefined>(pick, singleStep(title), (done) => {
    void list.ensureTried().then(() => {
      if (!hidden) {
        pick.busy = false;
        showPickItems(pick, indexPickItems(list, allowOther, fits));
      }
    });
    return [
      pick.onDidHide(() => (hidden = true)),
      pick.onDidAccept(() => {
        const [chosen] = pick.selectedItems;
        if (chosen?.index !== undefined || chosen?.isOther) {
          done({ kind: 'value', value: chosen.index });
        }
      }),
    ];
  });
  return answer.kind === 'value' ? { connection, index: answer.value } : undefined;
}

function indexPickItems(list: IndexList, allowOther: boolean, fits: (index: ListedIndex) => boolean): IndexPickItem[] {
  const offered = list.indices.filter(fits);
  const bySize = offered.toSorted((a, b) => (b.sizeBytes ?? -1) - (a.sizeBytes ?? -1));
  return [
    ...(list.failure === undefined ? [] : failureItems(list.failure)),
    ...bySize.flatMap((index): IndexPickItem[] => {
      const name = shownIndexName(index);
      const description = index.sizeBytes === undefined ? '' : formatsOf(language()).size(index.sizeBytes);
      return name === undefined ? [] : [{ label: indexNameText(name), description, index }];
    }),
    ...(allowOther
      ? [{ icon: 'edit', label: l10n.t('Another index…'), alwaysShow: true, isOther: true as const }]
      : []),
  ];
}

/** Asks for an index that the server doesn't list. @returns undefined if the user cancelled. */
export async function askIndexName(title: string): Promise<IndexName | undefined> {
  const target = { entityType: '', aspect: '' };
  const step = (part: keyof IndexName, prompt: string, placeholder: string): InputStep => ({
    ask: (place) =>
      askAndStore(
        askText(place, { value: target[part], prompt, placeholder, problem: (text) => indexNameProblem(text, part) }),
        (text) => (target[part] = text.trim()),
      ),
  });
  const isNamed = await runInputSteps(title, [
    step(
      'entityType',
      l10n.t('Entity type, as the server spells it (usually lowercase).'),
      l10n.t('for example dataset'),
    ),
    step(
      'aspect',
      l10n.t('Aspect, as the server spells it (usually lowercase).'),
      l10n.t('for example datasetprofile'),
    ),
  ]);
  return isNamed ? target : undefined;
}
