/** Finds the index for a command: the clicked one, a choice from a list, or one that is named. */
import * as l10n from '@vscode/l10n';
import { type IndexName, indexNameOf, indexNameProblem, indexNameText } from './indexName.ts';
import { type ConnectionRef, isConnectionRef } from '../connections/pickConnection.ts';
import type { Connection } from '../connections/connection.ts';
import { language } from '../language.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import {
  askAndStore,
  askText,
  createPickList,
  failureItems,
  runInputSteps,
  showPickItems,
  showPickList,
  singleStep,
  type InputStep,
  type PickItem,
} from '../ui/inputSteps.ts';
import { formatsOf } from '../ui/formats.ts';
import type { IndexLists } from './indexLists.ts';
import { asAddedIndex, type IndexList, type ListedIndex } from './indexList.ts';
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

interface IndexPickItem extends PickItem {
  /** `other`: an index that isn't listed. */
  readonly index?: ListedIndex | 'other';
}

/**
 * Picks an index whose rows are counted or deleted, which requires a name, or asks for the name of one that isn't listed.
 * @returns undefined if the user cancelled. @throws ServiceFailure for an unnamed index.
 */
export async function pickNamedIndex(
  indexLists: IndexLists,
  connection: Connection,
  clicked: unknown,
  title: string,
): Promise<IndexName | undefined> {
  const index = await pickIndex(indexLists, connection, clicked, title, { allowOther: true });
  const target = index && indexNameOf(index);
  if (index !== undefined && target === undefined) {
    throw new ServiceFailure(
      'badRequest',
      l10n.t("This index can't be truncated here: the server doesn't report its entity type and aspect."),
      { next: l10n.t('Select another index.') },
    );
  }
  return target;
}

/** Which indices are offered. */
interface OfferedIndices {
  readonly fits?: (index: ListedIndex) => boolean;
  /** One that isn't listed can be named. */
  readonly allowOther?: boolean;
}

/** @returns undefined if the user cancelled. */
export async function pickIndex(
  indexLists: IndexLists,
  connection: Connection,
  clicked: unknown,
  title: string,
  offered: OfferedIndices = {},
): Promise<ListedIndex | undefined> {
  if (isIndexReference(clicked) && clicked.connectionId === connection.id) {
    return clicked.index;
  }
  const list = indexLists.get(connection.id);
  const pick = createPickList<IndexPickItem>(l10n.t('Select a time series index'));
  pick.matchOnDescription = true;
  pick.busy = true;
  void list.ensureTried().then(() => {
    pick.busy = false;
    showPickItems(pick, indexPickItems(list, offered));
  });
  const answer = await showPickList(pick, singleStep(title), ([chosen]) => chosen?.index);
  if (answer.kind !== 'value') {
    return undefined;
  }
  const name = answer.value === 'other' ? await askIndexName(title) : undefined;
  return answer.value === 'other' ? name && asAddedIndex(name) : answer.value;
}

function indexPickItems(list: IndexList, { fits = () => true, allowOther = false }: OfferedIndices): IndexPickItem[] {
  const bySize = list.indices.filter(fits).toSorted((a, b) => (b.sizeBytes ?? -1) - (a.sizeBytes ?? -1));
  return [
    ...(list.failure === undefined ? [] : failureItems(list.failure)),
    ...bySize.flatMap((index): IndexPickItem[] => {
      const name = shownIndexName(index);
      const description = index.sizeBytes === undefined ? '' : formatsOf(language()).size(index.sizeBytes);
      return name === undefined ? [] : [{ label: indexNameText(name), description, index }];
    }),
    ...(allowOther
      ? [{ icon: 'edit', label: l10n.t('Another index…'), alwaysShow: true, index: 'other' as const }]
      : []),
  ];
}

/** Asks for an index that the server doesn't list. @returns undefined if the user cancelled. */
export async function askIndexName(title: string): Promise<IndexName | undefined> {
  const target = { entityType: '', aspect: '' };
  const step = (part: keyof IndexName, prompt: string, placeholder: string): InputStep => ({
    ask: (place) =>
      askAndStore(
        askText(place, { value: target[part], prompt, placeholder, problem: indexNameProblem }),
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
