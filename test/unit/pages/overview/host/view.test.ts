import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BARE_ROW, PROFILE } from '../rows.ts';
import { indicesById, type ListedIndex } from '../../../../../src/indices/indexList.ts';
import { ServiceFailure } from '../../../../../src/service/failure/failure.ts';
import { overviewTableRows, overviewPageView } from '../../../../../src/pages/overview/host/view.ts';
import type { OverviewTableRow, OverviewPageView } from '../../../../../src/pages/overview/protocol.ts';
import { CONNECTION, DAY, DELETE_BY_QUERY, FAILED, FINISHED, NOW, PLAN, RECORD } from '../../../truncation/samples.ts';

type ListedIndices = Parameters<typeof overviewPageView>[1];
type RowFacts = Parameters<typeof overviewTableRows>[1];

const LIST: ListedIndices = {
  failure: undefined,
  indices: [PROFILE],
  isLoaded: true,
  isLoading: false,
  isUnsupported: false,
  loadedAt: NOW,
  needsIndexNames: false,
};

function rowsOf(indices: readonly ListedIndex[], facts: Partial<RowFacts> = {}): readonly OverviewTableRow[] {
  return overviewTableRows(indicesById(indices), {
    connection: CONNECTION,
    records: [],
    watch: { lastPoll: () => undefined },
    growthOf: () => undefined,
    now: NOW,
    ...facts,
  });
}

function viewOf(list: Partial<ListedIndices>): Omit<OverviewPageView, 'job' | 'remembered' | 'rows'> {
  return overviewPageView(CONNECTION, { ...LIST, ...list });
}

suite('A row of the overview', () => {
  test('is an index with its size, and can be truncated', () => {
    assert.deepEqual(rowsOf([PROFILE]), [
      {
        ...BARE_ROW,
        id: PROFILE.indexName,
        entityType: 'dataset',
        aspect: 'datasetProfile',
        indexName: PROFILE.indexName,
        bytes: 8_100_000_000,
        canTruncate: true,
        purpose:
          'Feeds the Stats tab and the column statistics of datasets: old profiles disappear from the Stats tab.',
      },
    ]);
  });

  test('can only be truncated alone if it holds state, and says why', () => {
    const checkpoint = { ...PROFILE, entityType: 'datajob', aspect: 'datahubingestioncheckpoint' };
    const [row] = rowsOf([checkpoint]);
    assert.equal(row?.canTruncate, true);
    assert.match(row.onlyAlone ?? '', /state of ingestion pipelines.* alone/);
    const [profile, other] = rowsOf([PROFILE, { ...PROFILE, aspect: 'quality' }]);
    assert.deepEqual([profile?.onlyAlone, other?.onlyAlone, other?.purpose], [undefined, undefined, undefined]);
  });

  test("without names can't be truncated; one without a size can", () => {
    const { entityType, aspect, sizeBytes, ...nameless } = PROFILE;
    assert.equal(`${entityType}/${aspect}`, 'dataset/datasetprofile');
    const [row] = rowsOf([{ ...nameless, entityType: undefined, aspect: undefined, sizeBytes }]);
    assert.equal(row?.canTruncate, false);
    assert.ok(row.entityType === undefined);
    assert.deepEqual(row.note, {
      text: 'may belong to another installation',
      detail: "May belong to another installation: its name doesn't match those of this server's indices.",
    });
    const [total] = rowsOf([{ ...nameless, entityType: undefined, aspect: undefined, sizeBytes, isTotal: true }]);
    assert.ok(total !== undefined && total.note === undefined, 'all indices together');
    const [sizeless] = rowsOf([{ ...PROFILE, sizeBytes: undefined, isAdded: true }]);
    assert.ok(sizeless?.canTruncate === true && sizeless.bytes === undefined);
    assert.equal(sizeless.note?.text, 'added by name');
  });

  test('shows the last truncation, in any spelling', () => {
    const earlier = { ...RECORD, sentAt: NOW - DAY, ending: FAILED };
    const latest = { ...RECORD, plan: { ...PLAN, aspect: 'datasetProfile' }, ending: FINISHED };
    const other = { ...RECORD, plan: { ...PLAN, aspect: 'operation' }, ending: FAILED };
    const [row] = rowsOf([PROFILE], { records: [latest, other, earlier] });
    assert.deepEqual(row?.truncation, {
      recordId: RECORD.id,
      sentAt: NOW,
      result: '20 rows deleted',
      detail: 'Finished: 20 rows deleted.',
      mark: 'done',
    });
    const [failed] = rowsOf([PROFILE], { records: [earlier] });
    assert.equal(failed?.truncation?.mark, 'failed');
    const [running] = rowsOf([PROFILE], {
      records: [{ ...RECORD, report: DELETE_BY_QUERY }],
      watch: { lastPoll: () => ({ at: NOW, progress: { done: 5, total: 20, counts: 'deleted' } }) },
    });
    assert.equal(running?.truncation?.result, '25%');
    assert.equal(running.truncation.mark, 'running');
  });

  test('shows why a truncation cannot be watched', () => {
    const problem = { sentence: "Can't reach datahub.example.com.", next: 'Check the network.' };
    const watch = { lastPoll: () => ({ at: NOW, problem }) };
    const [row] = rowsOf([PROFILE], { records: [{ ...RECORD, taskEnd: { kind: 'whole' } }], watch });
    assert.deepEqual(row?.truncation && [row.truncation.result, row.truncation.detail, row.truncation.mark], [
      'status unavailable',
      "Can't reach datahub.example.com. Check the network.",
      'warning',
    ]);
    const [ended] = rowsOf([PROFILE], { records: [{ ...RECORD, ending: FINISHED }], watch });
    assert.deepEqual([ended?.truncation?.result, ended?.truncation?.mark], ['20 rows deleted', 'done']);
  });

  test('shows no truncation that was sent to another server', () => {
    const here = { ...RECORD, baseUrl: CONNECTION.baseUrl, sentAt: NOW - DAY, ending: FAILED };
    const elsewhere = { ...RECORD, baseUrl: 'https://elsewhere.example', ending: FINISHED };
    assert.equal(rowsOf([PROFILE], { records: [elsewhere] })[0]?.truncation, undefined);
    assert.equal(rowsOf([PROFILE], { records: [elsewhere, here] })[0]?.truncation?.sentAt, NOW - DAY);
  });

  test("shows the server's names as harmless text", () => {
    const [row] = rowsOf([{ ...PROFILE, indexName: 'a\u202Eb\nc' }]);
    assert.equal(row?.indexName, 'a b c');
  });
});

suite('Around the table, the page', () => {
  test('shows the connection, and when the sizes were loaded', () => {
    assert.deepEqual(viewOf({}), {
      connection: { name: 'Production', baseUrl: 'https://datahub.example.com', role: undefined },
      isLoading: false,
      loadedAt: NOW,
      failure: undefined,
      hint: undefined,
      restore: { connectionId: CONNECTION.id },
    });
  });

  test('says why loading sizes failed, and the next step', () => {
    const signedOut = new ServiceFailure('signedOut', 'This server requires an access token.', { next: 'Sign in.' });
    assert.deepEqual(viewOf({ failure: signedOut }).failure, {
      headline: signedOut.headline,
      sentence: 'This server requires an access token.',
      next: 'Sign in.',
      isSignedOut: true,
      hasDetails: true,
    });
    assert.equal(viewOf({ failure: new ServiceFailure('timedOut', 'Too slow.') }).failure?.isSignedOut, undefined);
  });

  test('says what is missing, and offers to add indices', () => {
    assert.equal(viewOf({ indices: [] }).hint?.text, 'This server has no time series indices yet.');
    assert.deepEqual(viewOf({ indices: [], needsIndexNames: true, isUnsupported: true }).hint, {
      text: "This server doesn't list its indices. Add them by name.",
      canAdd: true,
    });
    assert.equal(
      viewOf({ needsIndexNames: true }).hint?.text,
      'This server only reports a total. Add indices by name.',
    );
    assert.equal(viewOf({ indices: [], isLoaded: false, loadedAt: undefined }).hint, undefined);
    assert.equal(viewOf({ indices: [], failure: new ServiceFailure('timedOut', 'Too slow.') }).hint, undefined);
  });
});
