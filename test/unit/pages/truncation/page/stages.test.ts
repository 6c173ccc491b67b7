import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TruncationPageModel } from '../../../../../src/pages/truncation/page/frame.ts';
import { STAGES } from '../../../../../src/pages/truncation/page/stages.ts';
import type { TruncationRecord } from '../../../../../src/truncation/sentTruncation.ts';
import { sentState } from '../../../../../src/truncation/state.ts';
import { FAILED, FINISHED, MINUTE, NOW, RECORD, UNANSWERED } from '../../../truncation/samples.ts';
import { pageViewOf } from '../pageViews.ts';

/** Texts of the buttons that a template draws, in their order. */
function buttonsIn(drawn: unknown): readonly unknown[] {
  if (typeof drawn !== 'object' || drawn === null || !('strings' in drawn) || !('values' in drawn)) {
    return [];
  }
  const { strings, values } = drawn as { readonly strings: readonly string[]; readonly values: readonly unknown[] };
  return strings[0]?.startsWith('<button') ? [values.at(-1)] : values.flatMap(buttonsIn);
}

const UNCHECKED = { ...FINISHED, readers: 'notChecked' } as const;

for (const [what, record, isOffered] of [
  ['that finished', { ...RECORD, ending: FINISHED }, true],
  ['that finished and was not checked', { ...RECORD, ending: UNCHECKED }, true],
  ['that failed', { ...RECORD, ending: FAILED }, false],
  ['without a response', UNANSWERED, false],
  ['that runs', RECORD, false],
] as readonly (readonly [string, TruncationRecord, boolean])[]) {
  test(`A truncation ${what} ${isOffered ? 'can' : "can't"} be automated`, () => {
    // The buttons are the same while it can't be watched.
    for (const problem of [undefined, { sentence: 'Down.' }]) {
      const view = pageViewOf(sentState(record), { lastPoll: { at: NOW, problem }, now: NOW + 4 * MINUTE });
      const drawn = STAGES.outcome({ view, send: () => undefined } as unknown as TruncationPageModel);
      assert.equal(buttonsIn(drawn).includes('Automate…'), isOffered);
    }
  });
}
