/** Views for the overview's page. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../../connections/connection.ts';
import {
  foreignIndexText,
  isForeignIndex,
  listHint,
  shortForeignIndexText,
  type IndexList,
  type ListedIndex,
} from '../../../indices/indexList.ts';
import { type IndexName, indexNameKey, indexNameOf } from '../../../indices/indexName.ts';
import type { IndexSizeGrowth } from '../../../indices/sizeHistory.ts';
import { aspectPurpose, holdsPipelineState, shownIndexName } from '../../../indices/timeseriesAspects.ts';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import { onlyAloneText } from '../../../truncation/texts/consequenceTexts.ts';
import { markOf, type TruncationRecord } from '../../../truncation/sentTruncation.ts';
import { longStatus, problemBeforeEnd, shortStatus } from '../../../truncation/texts/statusTexts.ts';
import { problemOf, problemText, problemView } from '../../../truncation/problem.ts';
import type { TaskWatch } from '../../../truncation/watching/watch.ts';
import { connectionView } from '../../kit/host/review.ts';
import type { OverviewTableRow, OverviewPageView } from '../protocol.ts';

type ListedIndices = Pick<
  IndexList,
  'failure' | 'indices' | 'isLoaded' | 'isLoading' | 'isUnsupported' | 'loadedAt' | 'needsIndexNames'
>;

interface OverviewRowFacts {
  readonly connection: Pick<Connection, 'baseUrl'>;
  /** Records of this connection, the latest first. */
  readonly records: readonly TruncationRecord[];
  readonly watch: Pick<TaskWatch, 'lastPoll'>;
  readonly growthOf: (target: IndexName) => IndexSizeGrowth | undefined;
  readonly now: number;
}

export function overviewPageView(
  connection: Connection,
  list: ListedIndices,
): Omit<OverviewPageView, 'job' | 'remembered' | 'rows'> {
  const hint = list.failure === undefined ? listHint(list) : undefined;
  return {
    connection: connectionView(connection),
    isLoading: list.isLoading,
    loadedAt: list.loadedAt,
    failure: list.failure && {
      headline: inPlainText(list.failure.headline),
      ...problemView(problemOf(list.failure)),
      hasDetails: true,
    },
    hint: hint === undefined ? undefined : { text: hint, canAdd: list.needsIndexNames },
    restore: { connectionId: connection.id },
  };
}

export function overviewTableRows(
  indices: ReadonlyMap<string, ListedIndex>,
  facts: OverviewRowFacts,
): readonly OverviewTableRow[] {
  const latest = latestTruncations(facts.records, facts.connection);
  return [...indices].map(([id, index]) => overviewTableRow(id, index, latest, facts));
}

/**
 * The last truncation of each index, by `indexNameKey`. Leaves out truncations that were sent to another server of the
 * connection.
 * @param records Records of this connection, the latest first.
 */
function latestTruncations(
  records: readonly TruncationRecord[],
  { baseUrl }: Pick<Connection, 'baseUrl'>,
): ReadonlyMap<string, TruncationRecord> {
  return new Map(
    records
      .filter((record) => record.baseUrl === baseUrl)
      .toReversed()
      .map((record) => [indexNameKey(record.plan), record]),
  );
}

function overviewTableRow(
  id: string,
  index: ListedIndex,
  latest: ReadonlyMap<string, TruncationRecord>,
  facts: OverviewRowFacts,
): OverviewTableRow {
  const { indexName, sizeBytes } = index;
  const target = indexNameOf(index);
  const shown = shownIndexName(index);
  const record = target && latest.get(indexNameKey(target));
  const note = indexRowNote(index);
  return {
    id,
    entityType: shown && inPlainText(shown.entityType),
    aspect: shown && inPlainText(shown.aspect),
    indexName: inPlainText(indexName),
    bytes: sizeBytes,
    note,
    canTruncate: target !== undefined,
    purpose: target && aspectPurpose(target),
    onlyAlone: target !== undefined && holdsPipelineState(target) ? onlyAloneText() : undefined,
    growth: target && facts.growthOf(target),
    truncation: record && truncationView(record, facts),
  };
}

function indexRowNote(index: ListedIndex): OverviewTableRow['note'] {
  if (isForeignIndex(index)) {
    return { text: shortForeignIndexText(), detail: foreignIndexText() };
  }
  const added = l10n.t('added by name');
  return index.isAdded ? { text: added, detail: added } : undefined;
}

function truncationView(
  record: TruncationRecord,
  { watch, now }: OverviewRowFacts,
): NonNullable<OverviewTableRow['truncation']> {
  const poll = watch.lastPoll(record.id);
  const problem = problemBeforeEnd(record, poll);
  return {
    recordId: record.id,
    sentAt: record.sentAt,
    result: shortStatus(record, poll, now),
    detail: inSentence(problem === undefined ? longStatus(record, poll, now) : problemText(problem)),
    mark: markOf(record, problem === undefined, now),
  };
}
