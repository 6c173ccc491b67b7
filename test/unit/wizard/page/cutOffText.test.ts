import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import * as fc from 'fast-check';
import { emptyDraft } from '../../../../src/truncation/plan.ts';
import {
  cutOffMillis,
  cutOffTextFor,
  EMPTY_CUT_OFF,
  parsePageState,
  proposedCutOff,
} from '../../../../src/wizard/page/cutOffText.ts';

suite('Texts of the cutoff inputs', () => {
  before(() => {
    process.env['TZ'] = 'UTC';
  });

  const noon = Date.UTC(2026, 4, 23, 12, 0);

  test('stay while they mean the same time, and keep their preset', () => {
    const atHand = { date: '2026-05-23', time: '12:00', preset: 180 };
    assert.equal(cutOffTextFor(noon, atHand), atHand);
    const halfTyped = { date: '2026-05-23', time: '' };
    assert.equal(cutOffTextFor(undefined, halfTyped), halfTyped);
  });

  test("follow the host's draft otherwise", () => {
    assert.deepEqual(cutOffTextFor(noon, EMPTY_CUT_OFF), { date: '2026-05-23', time: '12:00' });
    assert.deepEqual(cutOffTextFor(undefined, { date: '2026-05-23', time: '12:00' }), EMPTY_CUT_OFF);
    assert.equal(cutOffMillis(cutOffTextFor(noon, EMPTY_CUT_OFF)), noon);
  });
});

suite('A proposed cutoff', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const proposal = { proposal: { days: 730, reason: '' } };
  const none = { proposal: undefined };
  const twoYears = { date: '2024-11-21', time: '12:00', preset: 730 };
  const typed = { date: '2026-05-23', time: '12:00', isTyped: true } as const;

  test('fills an empty cutoff when the page opens and when the user names the index', () => {
    assert.deepEqual(proposedCutOff(undefined, proposal, EMPTY_CUT_OFF, now), twoYears);
    assert.deepEqual(proposedCutOff(none, proposal, EMPTY_CUT_OFF, now), twoYears);
  });

  test('replaces a preset or a chart position for another index, but never a typed date', () => {
    const chosen = { date: '2026-05-23', time: '12:00' };
    assert.deepEqual(proposedCutOff(none, proposal, { ...chosen, preset: 30 }, now), twoYears);
    assert.deepEqual(proposedCutOff(none, proposal, chosen, now), twoYears);
    assert.equal(proposedCutOff(none, proposal, typed, now), undefined);
    assert.equal(proposedCutOff(none, proposal, { ...typed, time: '' }, now), undefined);
  });

  test('is filled in only once, also after a reload', () => {
    assert.equal(proposedCutOff(proposal, proposal, EMPTY_CUT_OFF, now), undefined);
    assert.equal(proposedCutOff(proposal, proposal, { ...typed, preset: 365 }, now), undefined);
    assert.equal(proposedCutOff(undefined, proposal, { ...typed, preset: 365 }, now), undefined);
  });

  test('does not exist for other indices', () => {
    assert.equal(proposedCutOff(undefined, none, EMPTY_CUT_OFF, now), undefined);
    assert.equal(proposedCutOff(proposal, none, EMPTY_CUT_OFF, now), undefined);
  });
});

suite('The stored state of the page', () => {
  test('is read as it was stored', () => {
    const draft = { ...emptyDraft('dataset'), endTimeMillis: 5 };
    const kept = {
      draft,
      cutOff: { date: '2026-05-23', time: '', preset: 30, isTyped: undefined },
      advancedOpen: true,
      indexFields: 'unfolded',
    };
    assert.deepEqual(parsePageState(JSON.parse(JSON.stringify(kept))), kept);
    const typed = { ...kept, cutOff: { date: '2026-05-23', time: '', preset: undefined, isTyped: true } };
    assert.deepEqual(parsePageState(JSON.parse(JSON.stringify(typed))), typed);
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
