import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as fc from 'fast-check';
import { emptyDraft } from '../../../../../src/truncation/plan.ts';
import {
  currentDays,
  cutoffBefore,
  cutoffInputFor,
  cutoffMillis,
  CUTOFF_KINDS,
  draftCutoff,
  EMPTY_CUTOFF,
  movedCutoff,
  parsePageState,
  proposedCutoff,
  typedDays,
  withKind,
  withoutStaleLimit,
  type CutoffInput,
} from '../../../../../src/pages/truncation/page/cutoffInput.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 12);
const NOON = Date.UTC(2026, 4, 23, 12, 0);
const DATED: CutoffInput = { ...EMPTY_CUTOFF, kind: 'dateTime', date: '2026-05-23', time: '12:00' };

before(() => {
  process.env['TZ'] = 'UTC';
});

suite('Typed days', () => {
  test('mean a cutoff so long before now', () => {
    assert.equal(cutoffMillis(typedDays('30', NOW)), NOW - 30 * DAY);
    assert.equal(cutoffMillis(typedDays(' 36,500 ', NOW)), NOW - 36_500 * DAY);
  });

  test('mean none while they are invalid, and are kept as typed', () => {
    for (const text of ['', '0', '-1', '1.5', 'many', '36501']) {
      const input = typedDays(text, NOW);
      assert.equal(cutoffMillis(input), undefined);
      assert.equal(input.days, text);
    }
  });
});

suite('The way to say the cutoff', () => {
  test('changes without changing the cutoff, and back to what was entered', () => {
    const days = cutoffBefore(90, NOW);
    const dated = withKind('dateTime', days, NOW);
    assert.deepEqual([dated.date, dated.time, dated.isTyped], ['2026-08-23', '12:00', true]);
    assert.deepEqual(withKind('days', dated, NOW), days);
    const limit = { ...withKind('deleteRows', days, NOW), limit: '1000' };
    assert.deepEqual(withKind('days', limit, NOW), days);
  });

  test('from a date to days never deletes newer rows than before', () => {
    for (const [date, age] of [
      ['2026-10-25', 28],
      ['2026-11-21', 1],
    ] as const) {
      const days = withKind('days', { ...DATED, date, time: '08:30' }, NOW);
      assert.equal(days.days, String(age));
      assert.equal(days.isTyped, true);
    }
  });

  test('by a limit means none before it was found', () => {
    for (const kind of ['keepBytes', 'deleteRows'] as const) {
      assert.equal(cutoffMillis(withKind(kind, cutoffBefore(90, NOW), NOW)), undefined);
    }
  });

  test('never means something that was not entered', () => {
    for (const kind of CUTOFF_KINDS) {
      assert.equal(cutoffMillis(withKind(kind, EMPTY_CUTOFF, NOW)), undefined);
    }
  });
});

suite('A cutoff chosen in the chart', () => {
  test('is a whole number of days, at least one', () => {
    assert.deepEqual(movedCutoff(NOW - 89.6 * DAY, EMPTY_CUTOFF, NOW), cutoffBefore(90, NOW));
    assert.deepEqual(movedCutoff(NOW + DAY, EMPTY_CUTOFF, NOW), cutoffBefore(1, NOW));
    assert.deepEqual(movedCutoff(NOW - 40_000 * DAY, EMPTY_CUTOFF, NOW), cutoffBefore(36_500, NOW));
  });

  test('is that time if the user entered a date', () => assert.deepEqual(movedCutoff(NOON, DATED, NOW), DATED));

  test('replaces a limit', () => assert.equal(movedCutoff(NOON, withKind('keepBytes', DATED, NOW), NOW).kind, 'days'));
});

suite("The input for the host's draft", () => {
  const draftOf = (endTimeMillis: number | undefined, ageInDays?: number) => ({ endTimeMillis, ageInDays });
  const found = { state: 'solved', goal: { kind: 'deleteRows', rows: 1_000 } } as const;
  const limit = { ...EMPTY_CUTOFF, kind: 'deleteRows', limit: '1,000' } as const;

  test('stays while it means the same time, or is half-typed', () => {
    const input = cutoffBefore(180, NOW);
    assert.equal(cutoffInputFor(draftOf(NOW - 180 * DAY), input, undefined, NOW), input);
    const halfTyped = { ...DATED, time: '' };
    assert.equal(cutoffInputFor(draftOf(undefined), halfTyped, undefined, NOW), halfTyped);
  });

  test('is in days if the user said it so, and a date otherwise', () => {
    assert.deepEqual(cutoffInputFor(draftOf(NOW - 90 * DAY, 90), EMPTY_CUTOFF, undefined, NOW), cutoffBefore(90, NOW));
    assert.deepEqual(cutoffInputFor(draftOf(NOON), EMPTY_CUTOFF, undefined, NOW), DATED);
    assert.deepEqual(cutoffInputFor(draftOf(NOON), cutoffBefore(90, NOW), undefined, NOW), DATED);
    assert.deepEqual(cutoffInputFor(draftOf(undefined), DATED, undefined, NOW), EMPTY_CUTOFF);
  });

  test('is a date once the days would mean another day', () => {
    const input = cutoffBefore(90, NOW);
    const draft = draftOf(NOW - 90 * DAY, 90);
    assert.equal(cutoffInputFor(draft, input, undefined, NOW + DAY - 60_000), input);
    const later = cutoffInputFor(draft, input, undefined, NOW + DAY);
    assert.deepEqual([later.kind, cutoffMillis(later)], ['dateTime', draft.endTimeMillis]);
  });

  test('keeps a limit whose cutoff was found, and no other', () => {
    const dated = { ...limit, date: '2026-05-23', time: '12:00' };
    assert.deepEqual(cutoffInputFor(draftOf(NOON), limit, found, NOW), dated);
    const bytes = { state: 'solved', goal: { kind: 'keepBytes', bytes: 5 } } as const;
    for (const fit of [undefined, { ...found, state: 'solving' } as const, bytes]) {
      assert.deepEqual(cutoffInputFor(draftOf(NOON), limit, fit, NOW), DATED);
      assert.deepEqual(cutoffInputFor(draftOf(NOON), dated, fit, NOW), DATED, 'after a reload');
      assert.deepEqual(withoutStaleLimit(dated, fit), DATED, 'after the index was changed');
    }
    assert.equal(withoutStaleLimit(dated, found), dated);
    assert.equal(withoutStaleLimit(limit, undefined), limit, 'not yet found');
  });
});

suite('Days', () => {
  test('mean those before now when the plan is used', () => {
    const input = cutoffBefore(90, NOW);
    assert.deepEqual(currentDays(input, NOW + 3 * DAY), cutoffBefore(90, NOW + 3 * DAY));
    assert.equal(currentDays({ ...input, days: 'many' }, NOW), undefined);
    assert.equal(currentDays(DATED, NOW), undefined);
  });

  test('are part of the draft, and no other way to say it is', () => {
    assert.deepEqual(draftCutoff(cutoffBefore(90, NOW)), { endTimeMillis: NOW - 90 * DAY, ageInDays: 90 });
    assert.deepEqual(draftCutoff(DATED), { endTimeMillis: NOON, ageInDays: undefined });
    assert.deepEqual(draftCutoff(typedDays('x', NOW)), { endTimeMillis: undefined, ageInDays: undefined });
  });
});

suite('A proposed cutoff', () => {
  const proposal = { proposal: { days: 730, reason: '' } };
  const none = { proposal: undefined };
  const twoYears = cutoffBefore(730, NOW);
  const typed = { ...DATED, isTyped: true } as const;

  test('is filled in when the user names the index', () =>
    assert.deepEqual(proposedCutoff(none, proposal, EMPTY_CUTOFF, NOW), twoYears));

  test('is part of the draft that a page opens with', () => {
    assert.equal(proposedCutoff(undefined, none, EMPTY_CUTOFF, NOW), undefined);
    assert.equal(proposedCutoff(undefined, proposal, EMPTY_CUTOFF, NOW), undefined);
  });

  test('replaces a suggestion or a chart position for another index, but nothing typed', () => {
    assert.deepEqual(proposedCutoff(none, proposal, cutoffBefore(30, NOW), NOW), twoYears);
    assert.deepEqual(proposedCutoff(none, proposal, DATED, NOW), twoYears);
    for (const input of [typed, { ...typed, time: '' }, typedDays('30', NOW), typedDays('3x', NOW)]) {
      assert.equal(proposedCutoff(none, proposal, input, NOW), undefined);
    }
    assert.equal(proposedCutoff(none, proposal, withKind('keepBytes', DATED, NOW), NOW), undefined);
  });

  test('is filled in only once, also after a reload', () => {
    assert.equal(proposedCutoff(proposal, proposal, EMPTY_CUTOFF, NOW), undefined);
    assert.equal(proposedCutoff(none, none, EMPTY_CUTOFF, NOW), undefined);
    assert.equal(proposedCutoff(undefined, proposal, typed, NOW), undefined);
    assert.equal(proposedCutoff(undefined, proposal, typedDays('', NOW), NOW), undefined);
  });
});

suite('The stored state of the page', () => {
  const anyText = fc.string({ maxLength: 20 });
  const anyInput: fc.Arbitrary<CutoffInput> = fc.record(
    {
      kind: fc.constantFrom(...CUTOFF_KINDS),
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
      fc.property(anyInput, (cutoff) => {
        const draft = { ...emptyDraft('dataset'), endTimeMillis: 5 };
        const kept = { draft, cutoff, advancedOpen: true, indexFields: 'unfolded' } as const;
        assert.deepEqual(parsePageState(JSON.parse(JSON.stringify(kept))), kept);
      }),
    );
  });

  test('of version 0.1.0 keeps its date, its preset and what was half typed', () => {
    const cutoffOf = (cutoff: unknown): CutoffInput | undefined =>
      parsePageState({ draft: emptyDraft('dataset'), cutOff: cutoff })?.cutoff;
    assert.deepEqual(cutoffOf({ date: '2026-05-23', time: '12:00', preset: 30 }), {
      ...DATED,
      kind: 'days',
      days: '30',
      isTyped: undefined,
    });
    assert.deepEqual(cutoffOf({ date: '2026-05-23', time: '12:00' }), { ...DATED, isTyped: undefined });
    assert.deepEqual(cutoffOf({ date: '2026-05-23', time: '', isTyped: true }), { ...DATED, time: '', isTyped: true });
  });

  test('folds the index fields if an older page stored it, or their state is unknown', () => {
    const kept = { draft: { ...emptyDraft('dataset'), endTimeMillis: 5 }, cutoff: EMPTY_CUTOFF, advancedOpen: false };
    assert.equal(parsePageState(kept)?.indexFields, 'folded');
    assert.equal(parsePageState({ ...kept, indexFields: 'gone' })?.indexFields, 'folded');
    assert.equal(parsePageState({ ...kept, indexFields: 'needed' })?.indexFields, 'needed');
  });

  test('keeps an incomplete cutoff incomplete', () => {
    const kept = { draft: emptyDraft('dataset'), cutoff: EMPTY_CUTOFF, advancedOpen: false };
    assert.equal(parsePageState(JSON.parse(JSON.stringify(kept)))?.draft.endTimeMillis, undefined);
  });

  test('of another shape is ignored without an error', () => {
    fc.assert(fc.property(fc.anything(), (data) => assert.equal(parsePageState(data), undefined)));
    assert.equal(parsePageState({ draft: emptyDraft(), cutoff: { date: 1, time: '' } }), undefined);
    assert.equal(parsePageState({ draft: { ...emptyDraft(), strategy: 'drop' }, cutoff: EMPTY_CUTOFF }), undefined);
  });
});
