import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TruncationFacts } from '../../../../../src/pages/truncation/host/view.ts';
import type { DryRunReportView } from '../../../../../src/pages/truncation/protocol.ts';
import { problemText } from '../../../../../src/truncation/problem.ts';
import { lossText, unrecoverable } from '../../../../../src/truncation/texts/consequenceTexts.ts';
import { taskTexts } from '../../../../../src/truncation/texts/taskTexts.ts';
import { parseDryRun } from '../../../../../src/truncation/dryRun.ts';
import type { TruncationState } from '../../../../../src/truncation/state.ts';
import {
  CONNECTION,
  DAY,
  MINUTE,
  NOTHING_TO_DELETE,
  NOW,
  PLAN,
  REINDEX,
  REVIEW,
  STATES,
  UNKNOWN_WORDS,
  dryRunText,
} from '../../../truncation/samples.ts';
import { detailOf, pageViewOf, reviewed } from '../pageViews.ts';

const plain = (text: string | undefined): string => (text ?? '').replaceAll('\u202F', ' ');

function reportOf(state: TruncationState, facts: Partial<TruncationFacts> = {}): DryRunReportView {
  return pageViewOf(state, facts).report ?? assert.fail('no report');
}

suite('The report', () => {
  test('has the rows, their share, the strategy and the time', () => {
    const { rows, strategy, at, notice } = reportOf(STATES.reviewed);
    assert.deepEqual([rows?.toDelete, rows?.total, rows?.percent.toFixed(2)], [20, 201, '9.95']);
    assert.deepEqual([strategy, at, notice], ['Delete by query', NOW, undefined]);
    assert.equal(reportOf(reviewed({ report: UNKNOWN_WORDS })).rows, undefined);
  });

  for (const [report, heading] of [
    [REINDEX, 'Delete 134,517 of 135,600 rows?'],
    [parseDryRun(dryRunText(1, 1)), 'Delete 1 of 1 row?'],
    [NOTHING_TO_DELETE, 'No rows to delete'],
    [UNKNOWN_WORDS, 'Delete an unknown number of rows?'],
  ] as const) {
    test(`asks: ${heading}`, () => assert.equal(reportOf(reviewed({ report })).heading, heading));
  }

  for (const [endTimeMillis, timeZone, scope] of [
    [PLAN.endTimeMillis, 'UTC', 'Rows dated up to Aug 23, 2026, 12:00 PM UTC (90 days ago), as jdoe.'],
    [PLAN.endTimeMillis, 'Europe/Berlin', 'Rows dated up to Aug 23, 2026, 2:00 PM GMT+2 (90 days ago), as jdoe.'],
    [PLAN.endTimeMillis - 9 * MINUTE, 'UTC', 'Rows dated up to Aug 23, 2026, 11:51 AM UTC (90 days ago), as jdoe.'],
    [NOW + DAY, 'UTC', 'Rows dated up to Nov 22, 2026, 12:00 PM UTC, as jdoe.'],
  ] as const) {
    test(`says which rows, and who deletes: ${scope}`, () => {
      const plan = { ...PLAN, endTimeMillis };
      assert.equal(plain(reportOf(reviewed({ plan }), { timeZone }).scope), scope);
    });
  }

  test('says what is lost, and names a snapshot on production', () => {
    for (const role of ['development', 'production'] as const) {
      const expected = `${lossText(PLAN, 'UTC')} ${unrecoverable(role === 'production')}`;
      assert.equal(reportOf(STATES.reviewed, { connection: { ...CONNECTION, role } }).consequences, expected);
    }
  });

  test('warns of nothing where no row would be deleted', () => {
    const state = reviewed({ report: NOTHING_TO_DELETE });
    const { consequences: lost, rows } = reportOf(state, { indexSize: 2_010_000_000 });
    assert.deepEqual([lost, rows?.size], [undefined, undefined]);
    const cautions = [{ kind: 'noRowStays' }] as const;
    assert.deepEqual(pageViewOf(state, { cautions }).cautions, []);
    assert.equal(pageViewOf(STATES.reviewed, { cautions }).cautions.length, 1);
  });

  test('exists from the review until the truncation is sent', () => {
    for (const [place, state] of Object.entries(STATES)) {
      const isThere = ['reviewed', 'confirming', 'recounting', 'recounted'].includes(place);
      assert.equal(pageViewOf(state).report !== undefined, isThere, place);
    }
  });

  for (const [indexSize, report, expected] of [
    [2_010_000_000, REVIEW.report, { toDelete: 'about 200 MB', ofAll: 'of 2 GB' }],
    [undefined, REVIEW.report, undefined],
    [1_000, UNKNOWN_WORDS, undefined],
  ] as const) {
    test(`estimates ${expected?.toDelete ?? 'nothing'} from ${JSON.stringify([indexSize, report.rows])}`, () =>
      assert.deepEqual(reportOf(reviewed({ report }), { indexSize }).rows?.size, expected));
  }

  test("has the plan and the server's words under its details", () => {
    const plan = { ...PLAN, timeoutSeconds: 60 };
    const { details } = reportOf(reviewed({ plan, report: REINDEX }), { indexSize: 10e9 });
    assert.equal(plain(detailOf({ details }, 'Cutoff')), 'Aug 23, 2026, 12:00 PM UTC (2026-08-23 12:00 UTC)');
    assert.deepEqual(
      details.slice(-4).map(({ name, value, quoted }) => [name, plain(value ?? quoted)]),
      [
        ['Batch size', '10,000'],
        ['Timeout in seconds', '60'],
        ['Response to the dry run', REINDEX.serverText],
        ['Dry run time', 'Nov 21, 2026, 12:00:00 PM UTC'],
      ],
    );
    assert.match(detailOf({ details }, 'Strategy') ?? '', /^Reindex\. .*\.$/);
    assert.equal(detailOf(reportOf(STATES.reviewed), 'Timeout in seconds'), 'No timeout');
  });
});

suite('A notice of the report', () => {
  test('does not call an index empty whose rows a reindex may have hidden', () => {
    const empty = reviewed({ report: parseDryRun(dryRunText(0, 0)) });
    const blocking = taskTexts.blockedBy('unreadable');
    const { heading, notice } = reportOf(empty, { blocking });
    assert.equal(heading, 'Searches find no rows');
    assert.equal(notice, problemText(blocking));
    assert.equal(reportOf(empty).notice, undefined);
    const indexName = `dataset_datasetprofileaspect_v1_${Date.UTC(2026, 10, 1)}`;
    for (const [release, may] of [
      [undefined, /which may have hidden its rows or left them in the old index\. .* refresh the index, or /],
      ['v1.6.0.16', /which may have hidden its rows or left them in the old index\. .* refresh the index, or /],
      ['v0.14.0', /which may have left its rows in the old index\. (?!.*refresh)/],
    ] as const) {
      const told = reportOf(empty, { indexName, release }).notice ?? '';
      assert.match(told, /^This index was created by a reindex on Nov 1, 2026, /);
      assert.match(told, may);
    }
    assert.equal(reportOf(STATES.reviewed, { blocking, indexName }).notice, undefined);
  });

  test('says why another review is needed', () => {
    const notices = (['grew', 'shrank', 'changed', 'nothingLeft'] as const).map(
      (notice) => reportOf(reviewed({ notice })).notice ?? '',
    );
    assert.equal(new Set(notices).size, 4);
    assert.ok(notices.every((text) => text.startsWith('Nothing was deleted')));
    assert.equal(reportOf(reviewed({ notice: 'tooOld' })).notice, 'This dry run is out of date. Run it again.');
  });
});
