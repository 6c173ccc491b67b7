import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as fc from 'fast-check';
import { emptyDraft } from '../../../../src/truncation/plan.ts';
import {
  cutOffBefore,
  cutOffInputFor,
  cutOffMillis,
  CUT_OFF_KINDS,
  EMPTY_CUT_OFF,
  movedCutOff,
  parsePageState,
  proposedCutOff,
  typedDays,
  withKind,
  type CutOffInput,
} from '../../../../src/wizard/page/cutOffInput.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const NOON = Date.UTC(2026, 4, 23, 12, 0);
const DATED: CutOffInput = { ...EMPTY_CUT_OFF, kind: 'dateTime', date: '2026-05-23', time: '12:00' };

before(() => {
  process.env['TZ'] = 'UTC';
});

suite('Typed days', () => {
  test('mean a cutoff so long before now', () => {
    assert.equal(cutOffMillis(typedDays('30', NOW)), NOW - 30 * DAY);
    assert.equal(cutOffMillis(typedDays(' 36,500 ', NOW)), NOW - 36_500 * DAY);
  });

  test('mean none while they are invalid, and are kept as typed', () => {
    for (const text of ['', '0', '-1', '1.5', 'many', '36501']) {
      const input = typedDays(text, NOW);
      assert.equal(cutOffMillis(input), undefined);
      assert.equal(input.days, text);
    }
  });
});

suite('The way to say the cutoff', () => {
  test('changes without changing the cutoff, from days to a date and back', () => {
    const dated = withKind('dateTime', cutOffBefore(90, NOW), NOW);
    assert.deepEqual(dated, { ...DATED, date: '2026-08-23', time: '12:00', isTyped: true });
    assert.deepEqual(withKind('days', dated, NOW), { ...cutOffBefore(90, NOW), isTyped: true });
  });

  test('by a limit means none before it was found', () => {
    for (const kind of ['keepBytes', 'deleteRows'] as const) {
      assert.equal(cutOffMillis(withKind(kind, cutOffBefore(90, NOW), NOW)), undefined);
    }
  });

  test('never means something that was not entered', () => {
    for (const kind of CUT_OFF_KINDS) {
      assert.equal(cutOffMillis(withKind(kind, EMPTY_CUT_OFF, NOW)), undefined);
    }
  });
});

suite('A cutoff chosen in the chart', () => {
  test('is a whole number of days, at least one', () => {
    assert.deepEqual(movedCutOff(NOW - 89.6 * DAY, EMPTY_CUT_OFF, NOW), cutOffBefore(90, NOW));
    assert.deepEqual(movedCutOff(NOW + DAY, EMPTY_CUT_OFF, NOW), cutOffBefore(1, NOW));
    assert.deepEqual(movedCutOff(NOW - 40_000 * DAY, EMPTY_CUT_OFF, NOW), cutOffBefore(36_500, NOW));
  });

  test('is that time if the user entered a date', () => assert.deepEqual(movedCutOff(NOON, DATED, NOW), DATED));

  test('replaces a limit', () => assert.equal(movedCutOff(NOON, withKind('keepBytes', DATED, NOW), NOW).kind, 'days'));
});

suite("The input for the host's draft", () => {
  test('stays while it means the same time, or is half-typed', () => {
    const input = cutOffBefore(180, NOW);
    assert.equal(cutOffInputFor(NOW - 180 * DAY, input, false, NOW), input);
    const halfTyped = { ...DATED, time: '' };
    assert.equal(cutOffInputFor(undefined, halfTyped, false, NOW), halfTyped);
  });

  test('is a date otherwise', () => {
    assert.deepEqual(cutOffInputFor(NOON, EMPTY_CUT_OFF, false, NOW), DATED);
    assert.deepEqual(cutOffInputFor(NOON, cutOffBefore(90, NOW), false, NOW), DATED);
    assert.deepEqual(cutOffInputFor(undefined, DATED, false, NOW), EMPTY_CUT_OFF);
  });

  test('is a date once the days would mean another day', () => {
    const input = cutOffBefore(90, NOW);
    const cutOff = NOW - 90 * DAY;
    assert.equal(cutOffInputFor(cutOff, input, false, NOW + DAY - 60_000), input);
    assert.equal(cutOffInputFor(cutOff, input, false, NOW + DAY).kind, 'dateTime');
    assert.equal(cutOffMillis(cutOffInputFor(cutOff, input, false, NOW + DAY)), cutOff);
  });

  test('keeps a limit whose cutoff was found, and no other', () => {
    const limit = { ...EMPTY_CUT_OFF, kind: 'deleteRows', limit: '1,000' } as const;
    assert.deepEqual(cutOffInputFor(NOON, limit, true, NOW), { ...limit, date: '2026-05-23', time: '12:00' });
    assert.deepEqual(cutOffInputFor(NOON, limit, false, NOW), DATED);
  });
});

suite('A proposed cutoff', () => {
  const proposal = { proposal: { days: 730, reason: '' } };
  const none = { proposal: undefined };
  const twoYears = cutOffBefore(730, NOW);
  const typed = { ...DATED, isTyped: true } as const;

  test('is filled in when the page opens and when the user names the index', () => {
    assert.deepEqual(proposedCutOff(undefined, none, EMPTY_CUT_OFF, NOW), cutOffBefore(90, NOW));
    assert.deepEqual(proposedCutOff(undefined, proposal, EMPTY_CUT_OFF, NOW), twoYears);
    assert.deepEqual(proposedCutOff(none, proposal, EMPTY_CUT_OFF, NOW), twoYears);
  });

  test('replaces a suggestion or a chart position for another index, but nothing typed', () => {
    assert.deepEqual(proposedCutOff(none, proposal, cutOffBefore(30, NOW), NOW), twoYears);
    assert.deepEqual(proposedCutOff(none, proposal, DATED, NOW), twoYears);
    for (const input of [typed, { ...typed, time: '' }, typedDays('30', NOW), typedDays('3x', NOW)]) {
      assert.equal(proposedCutOff(none, proposal, input, NOW), undefined);
    }
    assert.equal(proposedCutOff(none, proposal, withKind('keepBytes', DATED, NOW), NOW), undefined);
  });

  test('is filled in only once, also after a reload', () => {
    assert.equal(proposedCutOff(proposal, proposal, EMPTY_CUT_OFF, NOW), undefined);
    assert.equal(proposedCutOff(none, none, EMPTY_CUT_OFF, NOW), undefined);
    assert.equal(proposedCutOff(undefined, proposal, typed, NOW), undefined);
    assert.equal(proposedCutOff(undefined, proposal, typedDays('', NOW), NOW), undefined);
  });
});

suite('The stored state of the page', () => {
  const anyText = fc.string({ maxLength: 20 });
  const anyInput: fc.Arbitrary<CutOffInput> = fc.record(
    {
      kind: fc.constantFrom(...CUT_OFF_KINDS),
      days: anyText,
      limit: anyText,
      date: anyText,
      time: anyText,
      isTyped: fc.constantFrom(true, undefined),
    },
    { noNullPrototype: true },
  );

  test('is read as it was stored', () => {
    fc.assert(
      fc.property(anyInput, (cutOff) => {
        const draft = { ...emptyDraft('dataset'), endTimeMillis: 5 };
        const kept = { draft, cutOff, advancedOpen: true, indexFields: 'unfolded' } as const;
        assert.deepEqual(parsePageState(JSON.parse(JSON.stringify(kept))), kept);
      }),
    );
  });

  test('of version 0.1.0 keeps its date, its preset and what was half typed', () => {
    const cutOffOf = (cutOff: unknown): CutOffInput | undefined =>
      parsePageState({ draft: emptyDraft('dataset'), cutOff })?.cutOff;
    assert.deepEqual(cutOffOf({ date: '2026-05-23', time: '12:00', preset: 30 }), {
      ...DATED,
      kind: 'days',
      days: '30',
      isTyped: undefined,
    });
    assert.deepEqual(cutOffOf({ date: '2026-05-23', time: '12:00' }), { ...DATED, isTyped: undefined });
    assert.deepEqual(cutOffOf({ date: '2026-05-23', time: '', isTyped: true }), { ...DATED, time: '', isTyped: true });
  });

  test('folds the index fields if an older page stored it, or their state is unknown', () => {
    const kept = { draft: { ...emptyDraft('dataset'), endTimeMillis: 5 }, cutOff: EMPTY_CUT_OFF, advancedOpen: false };
    assert.equal(parsePageState(kept)?.indexFields, 'folded');
    assert.equal(parsePageState({ ...kept, indexFields: 'gone' })?.indexFields, 'folded');
    assert.equal(parsePageState({ ...kept, indexFields: 'needed' })?.indexFields, 'needed');
  });

  test('keeps an incomplete cutoff incomplete', () => {
    const kept = { draft: emptyDraft('dataset'), cutOff: EMPTY_CUT_OFF, advancedOpen: false };
    assert.equal(parsePageState(JSON.parse(JSON.stringify(kept)))?.draft.endTimeMillis, undefined);
  });

  test('of another shape is ignored without an error', () => {
    fc.assert(fc.property(fc.anything(), (data) => assert.equal(parsePageState(data), undefined)));
    assert.equal(parsePageState({ draft: emptyDraft(), cutOff: { date: 1, time: '' } }), undefined);
    assert.equal(parsePageState({ draft: { ...emptyDraft(), strategy: 'drop' }, cutOff: EMPTY_CUT_OFF }), undefined);
  });
});
