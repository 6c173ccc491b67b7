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

suite('The texts of the cut-off', () => {
  before(() => {
    process.env['TZ'] = 'UTC';
  });

  const noon = Date.UTC(2026, 4, 23, 12, 0);

  test('stay as they are while they mean the same, with the preset that filled them', () => {
    const atHand = { date: '2026-05-23', time: '12:00', preset: 180 };
    assert.equal(cutOffTextFor(noon, atHand), atHand);
    const halfTyped = { date: '2026-05-23', time: '' };
    assert.equal(cutOffTextFor(undefined, halfTyped), halfTyped);
  });

  test('follow the draft of the host otherwise', () => {
    assert.deepEqual(cutOffTextFor(noon, EMPTY_CUT_OFF), { date: '2026-05-23', time: '12:00' });
    assert.deepEqual(cutOffTextFor(undefined, { date: '2026-05-23', time: '12:00' }), EMPTY_CUT_OFF);
    assert.equal(cutOffMillis(cutOffTextFor(noon, EMPTY_CUT_OFF)), noon);
  });
});

suite('A proposed cut-off', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const proposal = { proposal: { days: 730, reason: '' } };
  const none = { proposal: undefined };
  const twoYears = { date: '2024-11-21', time: '12:00', preset: 730 };
  const typed = { date: '2026-05-23', time: '12:00', isTyped: true } as const;

  test('is filled in where there is none yet, when the page opens and when the index is named', () => {
    assert.deepEqual(proposedCutOff(undefined, proposal, EMPTY_CUT_OFF, now), twoYears);
    assert.deepEqual(proposedCutOff(none, proposal, EMPTY_CUT_OFF, now), twoYears);
  });

  test('replaces a preset or a place in the chart that was chosen for another index, and nothing that was typed', () => {
    const chosen = { date: '2026-05-23', time: '12:00' };
    assert.deepEqual(proposedCutOff(none, proposal, { ...chosen, preset: 30 }, now), twoYears);
    assert.deepEqual(proposedCutOff(none, proposal, chosen, now), twoYears);
    assert.equal(proposedCutOff(none, proposal, typed, now), undefined);
    assert.equal(proposedCutOff(none, proposal, { ...typed, time: '' }, now), undefined);
  });

  test('is filled in once: what is chosen instead stays, in a reloaded window too', () => {
    assert.equal(proposedCutOff(proposal, proposal, EMPTY_CUT_OFF, now), undefined);
    assert.equal(proposedCutOff(proposal, proposal, { ...typed, preset: 365 }, now), undefined);
    assert.equal(proposedCutOff(undefined, proposal, { ...typed, preset: 365 }, now), undefined);
  });

  test('is none for other indices', () => {
    assert.equal(proposedCutOff(undefined, none, EMPTY_CUT_OFF, now), undefined);
    assert.equal(proposedCutOff(proposal, none, EMPTY_CUT_OFF, now), undefined);
  });
});

suite('The memory of the page', () => {
  test('comes back as it was kept', () => {
    const draft = { ...emptyDraft('dataset'), endTimeMillis: 5 };
    const kept = {
      draft,
      cutOff: { date: '2026-05-23', time: '', preset: 30 },
      advancedOpen: true,
      indexFields: 'unfolded',
    };
    assert.deepEqual(parsePageState(JSON.parse(JSON.stringify(kept))), kept);
    const typed = { ...kept, cutOff: { date: '2026-05-23', time: '', isTyped: true } };
    assert.deepEqual(parsePageState(JSON.parse(JSON.stringify(typed))), typed);
  });

  test('of an older page, or with fields in no known place, has the fields of the index folded', () => {
    const kept = { draft: { ...emptyDraft('dataset'), endTimeMillis: 5 }, cutOff: EMPTY_CUT_OFF, advancedOpen: false };
    assert.equal(parsePageState(kept)?.indexFields, 'folded');
    assert.equal(parsePageState({ ...kept, indexFields: 'gone' })?.indexFields, 'folded');
    assert.equal(parsePageState({ ...kept, indexFields: 'needed' })?.indexFields, 'needed');
  });

  test('of an incomplete cut-off comes back without one', () => {
    const kept = { draft: emptyDraft('dataset'), cutOff: EMPTY_CUT_OFF, advancedOpen: false };
    assert.equal(parsePageState(JSON.parse(JSON.stringify(kept)))?.draft.endTimeMillis, undefined);
  });

  test('of another shape is no memory, and never an error', () => {
    fc.assert(fc.property(fc.anything(), (data) => assert.equal(parsePageState(data), undefined)));
    assert.equal(parsePageState({ draft: emptyDraft(), cutOff: { date: 1, time: '' } }), undefined);
    assert.equal(parsePageState({ draft: { ...emptyDraft(), strategy: 'drop' }, cutOff: EMPTY_CUT_OFF }), undefined);
  });
});
