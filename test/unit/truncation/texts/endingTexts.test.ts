import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TruncationOutcome } from '../../../../src/truncation/outcome.ts';
import { problemText } from '../../../../src/truncation/problem.ts';
import type { TruncationRecord } from '../../../../src/truncation/sentTruncation.ts';
import { endingRemarks } from '../../../../src/truncation/texts/endingTexts.ts';
import { DELETE_BY_QUERY, LOST, NOW, RECORD, REINDEX, UNKNOWN_WORDS, endProblem } from '../samples.ts';

type Change = Partial<TruncationRecord>;

const BASELINE = { countedUpTo: 0, kept: 181 };
const SHORT = { kind: 'short', done: 12, total: 20 } as const;
const UNANSWERED = 'No response was received, so the deletion may or may not have started.';
const LATER = /Check again later\b/;

function unknown(ending: Omit<Extract<TruncationOutcome, { kind: 'unknown' }>, 'kind'>): TruncationOutcome {
  return { kind: 'unknown', ...ending };
}

function failed(
  reason: 'stopped' | 'neverBegan' | 'writesRefused' | 'endedEarly',
  rowsLeft?: number,
): Change['ending'] {
  return { kind: 'failed', reason, rowsLeft };
}

function ended(ending: Change['ending'], change: Change = {}): TruncationRecord {
  return { ...RECORD, baseline: BASELINE, ...change, ending };
}

suite('The end of a truncation', () => {
  for (const [ending, change, ...said] of [
    [failed('stopped', 8), { taskEnd: SHORT }, 'Stopped with 8 rows left to delete. Run the dry run again.'],
    // A write block, for example, stays.
    [
      failed('stopped', 20),
      { taskEnd: { ...SHORT, done: 0 } },
      'Stopped with 20 rows left to delete.',
      /^(?!.*\. Run the dry run again)/,
    ],
    [failed('stopped', 0), { taskEnd: SHORT }, 'No rows to delete are left. Check again later.'],
    [failed('neverBegan'), {}, 'The task ended without changing a row.', /run the dry run/],
    [failed('writesRefused'), {}, 'The cluster refuses writes, probably because its disk is full.', /Free up/],
    [failed('endedEarly'), { taskEnd: SHORT }, 'The task ended early, after 12 of 20 rows.', /Run the dry run again\./],
    [unknown({ reason: 'notCounted' }), {}, "The server doesn't report how the truncation ended.", LATER],
    [unknown({ reason: 'notCounted' }), { taskEnd: { kind: 'gone' } }, /^The server no longer knows this task:/],
    [
      unknown({ reason: 'notCounted' }),
      { taskEnd: { kind: 'whole', done: 20, total: 20 } },
      "Finished on the server; not checked. Check again later: the rows couldn't be counted.",
    ],
    [unknown({ reason: 'superseded' }), {}, /A later truncation of this index was sent/],
    [LOST, {}, UNANSWERED, /^(?!.*(?:truncate again|run it again|once more|start over))/i],
    [
      unknown({ reason: 'lost', answer: { status: 500, serverText: 'timed out' } }),
      {},
      'The deletion may or may not have started: the server reported an error (HTTP 500). Server response: timed out.',
      LATER,
    ],
    [
      unknown({ reason: 'lost', answer: { status: 500 } }),
      {},
      'The deletion may or may not have started: the server reported an error (HTTP 500).',
    ],
    [unknown({ reason: 'lostInTime' }), {}, 'No response was received in time, so the deletion has probably started.'],
    [
      unknown({ reason: 'rowsHidden', found: { kept: 3, toDelete: 1 } }),
      { report: REINDEX },
      'The reindex failed, and searches find only 4 rows now: the others are hidden, not deleted.',
      / Send an administrator the requests that bring them back, before /,
    ],
    [
      unknown({ reason: 'rowsHidden' }),
      { report: REINDEX },
      /may have hidden rows to keep, which couldn't be counted\./,
    ],
    [
      unknown({ reason: 'missing', missing: 'notCopied', found: { kept: 3 } }),
      {},
      'Searches find 3 of 181 rows to keep: the others are only in the old index.',
    ],
    [
      unknown({ reason: 'missing', missing: 'notCopied', found: { kept: 3 } }),
      { report: UNKNOWN_WORDS },
      'Searches find 3 of 181 rows to keep. Send an administrator the requests that bring them back,',
    ],
    [
      unknown({ reason: 'missing', missing: 'notCopied', found: { kept: 181 } }),
      {},
      'Searches find 181 of 181 rows to keep. Check again later.',
    ],
    [unknown({ reason: 'missing', found: { kept: 3 } }), {}, 'Searches find 3 of 181 rows to keep. Check again later.'],
    [
      unknown({ reason: 'missing', missing: 'copiesDisagree' }),
      {},
      'Replicas of this index disagree: searches find different numbers of rows. Send an administrator the request that refreshes them.',
    ],
  ] as const satisfies readonly (readonly [Change['ending'], Change, ...(string | RegExp)[]])[]) {
    test(`is told: ${said.map(String).join(' ')}`, () => {
      const text = problemText(endProblem(ended(ending, change)));
      for (const part of said) {
        assert.ok(typeof part === 'string' ? text.startsWith(part) : part.test(text), text);
      }
    });
  }
});

suite('Remarks about the end of a truncation', () => {
  const blocks = 'This extension deletes nothing from this index until searches find the rows to keep.';
  const neverAgain = 'The request is never sent again automatically.';
  const hidden = unknown({ reason: 'missing', hidesRows: true, missing: 'notCopied' });
  for (const [what, ending, change, remarks] of [
    ['one that runs', undefined, {}, []],
    [
      'a task that ended early',
      failed('stopped', 8),
      { taskEnd: SHORT },
      ['The task ended early, after 12 of 20 rows.'],
    ],
    [
      'a cancelled task',
      failed('stopped', 8),
      { taskEnd: { ...SHORT, cancelled: 'by user' } },
      ['The task was canceled on the server. Server response: by user.'],
    ],
    [
      'a task that is gone',
      failed('stopped', 8),
      { taskEnd: { kind: 'gone' } },
      ['The server no longer knows this task: it has ended, or its node was restarted.'],
    ],
    ['a reindex that hid rows', hidden, { report: REINDEX }, [blocks]],
    [
      'a delete by query after which rows are missing',
      unknown({ reason: 'missing', hidesRows: false, missing: 'notAvailable' }),
      { report: DELETE_BY_QUERY },
      ['If all parts of the index are available, another job may have deleted rows.'],
    ],
    ['a lost response', LOST, { taskId: undefined }, [neverAgain]],
  ] as readonly (readonly [string, Change['ending'], Change, readonly string[]])[]) {
    test(`are, for ${what}: ${remarks.join(' ') || 'none'}`, () =>
      assert.deepEqual(endingRemarks(ended(ending, change), NOW), remarks));
  }
});
