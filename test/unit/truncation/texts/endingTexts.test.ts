import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TruncationOutcome } from '../../../../src/truncation/outcome.ts';
import type { TruncationRecord } from '../../../../src/truncation/record.ts';
import { judgementTexts } from '../../../../src/truncation/texts/judgementTexts.ts';
import { taskTexts } from '../../../../src/truncation/texts/taskTexts.ts';
import { endProblem, RECORD, REINDEX } from '../samples.ts';

type Unknown = Extract<TruncationOutcome, { readonly kind: 'unknown' }>;

const BASELINE = { countedUpTo: 0, kept: 181 };

function said(ending: Omit<Unknown, 'kind'>, change: Partial<TruncationRecord> = {}): string {
  const { sentence, next } = endProblem({
    ...RECORD,
    baseline: BASELINE,
    ...change,
    ending: { kind: 'unknown', ...ending },
  });
  return `${sentence} ${next}`;
}

suite('An unknown end', () => {
  test('says what the task said last', () => {
    const reason = 'notCounted';
    assert.match(said({ reason }), /^The server doesn't report how the truncation ended\./);
    assert.match(said({ reason }, { taskEnd: { kind: 'gone' } }), /^The server no longer knows this task:/);
    assert.match(
      said({ reason }, { taskEnd: { kind: 'whole', done: 20, total: 20 } }),
      /^Finished on the server; not checked\. Check again later: the rows couldn't be counted\./,
    );
  });

  test('says how many rows are left or found, as they were counted last', () => {
    const found = { kept: 181, toDelete: 7 };
    assert.match(said({ reason: 'lost', found }), /may or may not have started\. .*\(7 rows left to delete\)/);
    const answer = { status: 500, serverText: 'timed out' };
    assert.match(said({ reason: 'lost', answer }), /reported an error \(HTTP 500: timed out\)\. Check again later/);
    assert.match(
      said({ reason: 'rowsHidden', found: { kept: 3, toDelete: 1 } }, { report: REINDEX }),
      /only 4 rows now/,
    );
    for (const [missing, kept, text] of [
      ['notCopied', 3, /^Searches find 3 of 181 rows to keep: the others are only in the old index\./],
      ['notCopied', 181, /^Searches find 181 of 181 rows to keep\. Check again later\.$/],
      [undefined, 3, /^Searches find 3 of 181 rows to keep\. Check again later\.$/],
    ] as const) {
      assert.match(said({ reason: 'missing', missing, found: { kept } }), text);
    }
  });

  test('has the same words wherever they come from', () => {
    const { sentence, next } = judgementTexts.copiesDisagree();
    assert.equal(said({ reason: 'missing', missing: 'copiesDisagree' }), `${sentence} ${next}`);
    const lost = taskTexts.lostInTime();
    assert.equal(said({ reason: 'lostInTime' }), `${lost.sentence} ${lost.next}`);
  });
});
