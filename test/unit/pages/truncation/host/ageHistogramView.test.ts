import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { NOTHING_COUNTED } from '../views.ts';
import type { FitGoal } from '../../../../../src/rowsByAge/fitGoal.ts';
import type { CutoffFitResult } from '../../../../../src/rowsByAge/fitSearch.ts';
import { ageHistogramOf } from '../../../../../src/rowsByAge/ageHistogram.ts';
import type { AgeHistogramState } from '../../../../../src/rowsByAge/ageHistogramSession.ts';
import { cutoffFitView, ageHistogramView } from '../../../../../src/pages/truncation/host/view.ts';
import { INDICES, START, countedIn, wholeCurve } from '../../../rowsByAge/ages.ts';
import { NOW } from '../../../truncation/samples.ts';

const CURVE = ageHistogramOf(wholeCurve(countedIn(INDICES.uniform)).counted, START);
const STATE: AgeHistogramState = { phase: 'complete', curve: CURVE, failing: undefined, fit: undefined };
const SAMPLE = { endTimeMillis: NOW, rows: 300, total: 400, at: NOW };
const ROWS: FitGoal = { kind: 'deleteRows', rows: 300 };
const BYTES: FitGoal = { kind: 'keepBytes', bytes: 5e9 };

suite('Rows by age on the page', () => {
  test('are the samples and the growth', () => {
    const { growth, ...view } = ageHistogramView(STATE, 20_000_000) ?? assert.fail();
    assert.deepEqual(view, {
      state: 'complete',
      samples: CURVE.samples,
      total: 20_000,
      ahead: 0,
      at: NOW,
      changedMeanwhile: false,
      failure: undefined,
    });
    assert.ok(growth?.bytesPerDay !== undefined && Math.abs(growth.bytesPerDay - 27_397) < 1_000);
  });

  test('are undefined until the user asks for them', () => {
    assert.equal(ageHistogramView({ ...STATE, phase: 'idle', curve: undefined }, undefined), undefined);
  });

  test('are empty at first, and have no growth before they are complete', () => {
    const first = ageHistogramView({ ...STATE, phase: 'loading', curve: undefined }, undefined);
    assert.deepEqual(first, NOTHING_COUNTED);
    const some = ageHistogramView({ ...STATE, phase: 'stopped', curve: { ...CURVE, isComplete: false } }, 1);
    assert.equal(some?.growth, undefined);
  });

  test('show a failure in one line, and that counts changed meanwhile', () => {
    const failing = { sentence: 'Refused.\nYes.', next: 'Ask.' };
    const view = ageHistogramView(
      { ...STATE, phase: 'failed', failing, curve: { ...CURVE, changedMeanwhile: true } },
      1,
    );
    assert.deepEqual(
      [view?.failure, view?.changedMeanwhile],
      [{ sentence: 'Refused. Yes.', next: 'Ask.', isSignedOut: undefined }, true],
    );
  });
});

suite('A fit on the page', () => {
  const sentence = (found: CutoffFitResult, goal: FitGoal = ROWS, bytes: number | undefined = 8e9): string =>
    cutoffFitView({ goal, found }, bytes).sentence;

  test('has no text while searching', () => {
    assert.deepEqual(cutoffFitView({ goal: ROWS, found: undefined }, 1), {
      state: 'solving',
      goal: ROWS,
      sentence: '',
    });
  });

  test('shows counted rows and estimated bytes', () => {
    const found: CutoffFitResult = { kind: 'solved', endTimeMillis: NOW, sample: SAMPLE, isTight: true };
    assert.equal(cutoffFitView({ goal: ROWS, found }, 8e9).state, 'solved');
    assert.equal(sentence(found), 'Cutoff filled in: 300 rows would be deleted, and about 2 GB kept.');
    assert.equal(
      cutoffFitView({ goal: ROWS, found: { ...found, sample: { ...SAMPLE, rows: 1 } } }, undefined).sentence,
      'Cutoff filled in: 1 row would be deleted.',
    );
    assert.match(sentence({ ...found, isTight: false }), /day would fit better\.$/);
  });

  test('says why there is none, for rows and for bytes', () => {
    const reasons = ['withinBound', 'notReachable', 'noRows', 'sizeUnknown', 'sizeApproximate', 'unknown'] as const;
    const texts = reasons.flatMap((why) => [ROWS, BYTES].map((goal) => sentence({ kind: 'unsolved', why }, goal)));
    assert.ok(
      texts.every((text) => /^[A-Z].*\.$/.test(text)),
      texts.join('\n'),
    );
    assert.equal(new Set(texts).size, 8);
    assert.equal(cutoffFitView({ goal: ROWS, found: { kind: 'unsolved', why: 'noRows' } }, 1).state, 'unsolved');
  });

  test('shows a failure', () => {
    const found = { kind: 'failed', failing: { sentence: 'Refused.' } } as const;
    assert.deepEqual(cutoffFitView({ goal: ROWS, found }, 1), { state: 'unsolved', goal: ROWS, sentence: 'Refused.' });
  });
});
