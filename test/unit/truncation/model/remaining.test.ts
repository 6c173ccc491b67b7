import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { mayHideRows, rateOf, remaining } from '../../../../src/truncation/model/remaining.ts';
import { rateText } from '../../../../src/truncation/model/texts.ts';
import type { DryRunReport } from '../../../../src/truncation/model/dryRun.ts';

function report(toDelete: number, total: number, strategy: DryRunReport['strategy'] = 'deleteByQuery'): DryRunReport {
  return { serverText: '', rows: { toDelete, total }, strategy, isReport: true };
}

suite('What a new count says of a task that the server cannot tell of', () => {
  test('a delete by query is over when nothing is left to delete', () => {
    assert.deepEqual(remaining(report(90, 100), report(40, 50), undefined), {
      isOver: false,
      progress: { counts: 'deleted', done: 50, total: 90 },
    });
    assert.equal(remaining(report(90, 100), report(0, 10), undefined).isOver, true);
  });

  test('an empty new index is no reindex that ended: the rows that stay must be back first', () => {
    const planned = report(90, 100, 'reindex');
    assert.deepEqual(remaining(planned, report(0, 0), 0), {
      isOver: false,
      progress: { counts: 'copied', done: 0, total: 10 },
    });
    assert.deepEqual(remaining(planned, report(0, 7), 7), {
      isOver: false,
      progress: { counts: 'copied', done: 7, total: 10 },
    });
    assert.equal(remaining(planned, report(0, 10), 10).isOver, true);
    assert.equal(remaining(planned, report(0, 12), 10).isOver, true, 'rows were written meanwhile');
  });

  test('rows that were written since are not those that should stay', () => {
    const planned = report(90, 100, 'reindex');
    assert.deepEqual(remaining(planned, report(0, 12), 9), {
      isOver: false,
      progress: { counts: 'copied', done: 9, total: 10 },
    });
    assert.deepEqual(
      remaining(planned, report(0, 12), undefined),
      { isOver: false, progress: undefined },
      'they could not be told apart',
    );
  });

  test('a server that says reindex and deletes in place is told by what it deletes', () => {
    assert.deepEqual(remaining(report(90, 100, 'reindex'), report(40, 50), undefined).progress, {
      counts: 'deleted',
      done: 50,
      total: 90,
    });
  });

  test('words that are not understood prove nothing', () => {
    const unknown: DryRunReport = { serverText: 'hm', rows: undefined, strategy: 'unknown', isReport: false };
    assert.deepEqual(remaining(report(90, 100), unknown, undefined), { isOver: false, progress: undefined });
    assert.equal(remaining({ ...unknown, strategy: 'reindex' }, report(0, 0), 0).isOver, false);
    assert.deepEqual(remaining(unknown, report(7, 100), undefined), { isOver: false, progress: undefined });
    assert.equal(remaining(unknown, report(0, 93), undefined).isOver, false, 'it may have been a reindex');
    assert.equal(
      remaining({ ...unknown, strategy: 'deleteByQuery' }, report(0, 93), undefined).isOver,
      true,
      'nothing left is nothing left',
    );
    assert.equal(remaining({ ...unknown, strategy: 'deleteByQuery' }, report(1, 93), undefined).isOver, false);
    assert.equal(remaining(report(90, 100, 'unknown'), report(0, 3, 'unknown'), 3).isOver, false);
  });

  test('progress never runs backwards below nothing or beyond its total', () => {
    const rows = fc.tuple(fc.nat(1_000), fc.nat(1_000)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(rows, rows, fc.constantFrom('reindex', 'deleteByQuery', 'unknown'), ([d, t], [d2, t2], strategy) => {
        const { progress } = remaining(report(d, t, strategy), report(d2, t2, strategy), t2);
        assert.ok(
          progress !== undefined &&
            progress.total !== undefined &&
            progress.done >= 0 &&
            progress.done <= progress.total,
        );
      }),
    );
  });
});

suite('How fast rows go, and how long the rest takes', () => {
  const progress = { counts: 'deleted', done: 6_000, total: 30_000 } as const;

  test('by what is done since it was sent', () => {
    assert.deepEqual(rateOf(progress, 0, 60_000), { rowsPerMinute: 6_000, remainingMillis: 240_000 });
    assert.equal(rateOf({ ...progress, done: 30_000 }, 0, 60_000)?.remainingMillis, 0);
  });

  test('is not told in the first moments, of nothing done, or of an unknown whole', () => {
    assert.equal(rateOf(progress, 0, 1_000), undefined);
    assert.equal(rateOf(progress, 60_000, 0), undefined, 'the clock was set back');
    assert.equal(rateOf({ ...progress, done: 0 }, 0, 60_000), undefined);
    assert.equal(rateOf({ ...progress, total: undefined }, 0, 60_000), undefined);
    assert.equal(rateOf(undefined, 0, 60_000), undefined);
  });

  test('in words: rows a minute, then minutes, then hours', () => {
    assert.equal(rateText(progress, 0, 60_000), 'About 6,000 rows a minute, about 4 min left.');
    assert.equal(rateText({ ...progress, done: 29_999 }, 0, 60_000), 'About 29,999 rows a minute, about 1 min left.');
    assert.equal(rateText({ ...progress, total: 3_000_000 }, 0, 60_000), 'About 6,000 rows a minute, about 9 hr left.');
  });
});

suite('Rows may be hidden from readers', () => {
  const notCounted: DryRunReport = { serverText: 'hm', rows: undefined, strategy: 'unknown', isReport: false };

  for (const [what, planned, now, mayHide] of [
    ['where fewer are seen than should stay', report(90, 100, 'reindex'), report(0, 9), true],
    ['unless as many are seen as should stay', report(90, 100, 'reindex'), report(0, 10), false],
    ['unless more are seen than should stay', report(90, 100, 'reindex'), report(40, 50), false],
    ['where it is not known how they are deleted', report(90, 100, 'unknown'), report(0, 9), true],
    ['unless they are deleted by query', report(90, 100, 'deleteByQuery'), report(0, 9), false],
    ['unless nothing was counted before', { ...notCounted, strategy: 'reindex' }, report(0, 9), false],
    ['unless nothing could be counted since', report(90, 100, 'reindex'), notCounted, false],
  ] as const) {
    test(what, () => assert.equal(mayHideRows(planned, now), mayHide));
  }
});
