import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { MOST_DAYS } from '../../../../src/truncation/cutoff.ts';
import { MAX_ITEMS } from '../../../../src/truncation/jobState.ts';
import { parsedAs } from '../../../../src/json.ts';
import { OVERVIEW_PAGE_MESSAGE, parsePanelState } from '../../../../src/pages/overview/protocol.ts';

test("A panel's state restores the overview's connection after a reload", () => {
  const restore = { connectionId: 'a6f1d4de' };
  assert.deepEqual(parsePanelState({ filter: 'x', sorting: 7, restore }), restore);
  for (const damaged of [undefined, 'x', {}, { restore: {} }, { restore: { connectionId: 7 } }]) {
    assert.equal(parsePanelState(damaged), undefined);
  }
});

const DRY_RUN = { type: 'dryRun', ids: ['dataset_operationaspect_v1'], days: 90 } as const;
const REMEMBER = { ...DRY_RUN, type: 'remember' } as const;
const TICK = { type: 'tick', place: MAX_ITEMS - 1, isTicked: false, at: 1_700_000_000_000, cautions: ['noRowStays'] };
const BARE = ['refresh', 'addIndex', 'signIn', 'copyDetails', 'dryRunAgain', 'cancel', 'execute', 'stop', 'startOver'];
const TOO_MANY = Array.from({ length: MAX_ITEMS + 1 }, String);

suite('A message of the page', () => {
  test('is an intent, as the user ticked or pressed it, with nothing more in it', () => {
    for (const intent of [
      { type: 'ready', timeZone: 'UTC' },
      ...[...BARE, 'automate', 'receipt'].map((type) => ({ type })),
      { type: 'truncate', id: 'dataset_v1' },
      { type: 'showTruncation', recordId: '6f1f0a52.0' },
      REMEMBER,
      { ...REMEMBER, ids: [] },
      DRY_RUN,
      { ...DRY_RUN, days: MOST_DAYS },
      TICK,
    ]) {
      assert.deepEqual(parsedAs(OVERVIEW_PAGE_MESSAGE, intent), intent);
      const more = { ...intent, command: 'workbench.action.quit' };
      assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, more), undefined, `${intent.type} with more in it`);
    }
  });

  for (const [what, intent] of [
    ['no time zone', { type: 'ready' }],
    ['no index to truncate', { type: 'truncate' }],
    ['an index that is no text', { type: 'truncate', id: 7 }],
    ['a name that is too long', { type: 'truncate', id: 'x'.repeat(2_000) }],
    ['more ticks than a job can have', { ...REMEMBER, ids: TOO_MANY }],
    ['no index', { ...DRY_RUN, ids: [] }],
    ['more indices than a job can have', { ...DRY_RUN, ids: TOO_MANY }],
    ['no age', { type: 'dryRun', ids: DRY_RUN.ids }],
    ['a fraction of a day', { ...DRY_RUN, days: 1.5 }],
    ['the last day', { ...DRY_RUN, days: 0 }],
    ['more days than a century', { ...DRY_RUN, days: MOST_DAYS + 1 }],
    ['its own cutoff', { ...DRY_RUN, endTimeMillis: 1 }],
    ['its own request body', { type: 'execute', plan: { endTimeMillis: 1 } }],
    ['its own confirmation', { type: 'execute', confirmed: true }],
    ['an invalid place', { ...TICK, place: -1 }],
    ['a tick of no dry run', { ...TICK, at: undefined }],
    ['a tick of an unknown caution', { ...TICK, cautions: ['all'] }],
    ['an unknown type', { type: 'command', id: 'x' }],
    ['a type of every object', { type: '__proto__', id: 'x' }],
  ] as const)
    test(`is ignored with ${what}`, () => assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, intent), undefined));

  test('is ignored if it is anything else', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, data), undefined);
        assert.equal(parsePanelState(data), undefined);
      }),
    ));
});
