import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import { jobReceipt } from '../../../src/truncation/receipt.ts';
import { editing, sentState } from '../../../src/truncation/state.ts';
import { receiptFacts } from '../../receiptFacts.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';
import { CREDENTIAL } from '../service/clients.ts';
import { FINISHED, LOST, MINUTE, NOW, RECORD } from './samples.ts';

const ENDED: TruncationRecord = {
  ...RECORD,
  baseUrl: 'https://datahub.example.com',
  actorUrn: 'urn:li:corpuser:jdoe',
  ending: FINISHED,
  endedAt: NOW + 14 * 60 * MINUTE,
  runTimeMillis: MINUTE,
  sizeBefore: 2_000_000,
};

const markdown = (record: TruncationRecord, name = 'Production'): string =>
  jobReceipt([{ record, state: sentState(record), status: 'finished' }], name, NOW);
const facts = (record: TruncationRecord): Readonly<Record<string, string>> => receiptFacts(markdown(record));

suite('A receipt', () => {
  test('is a list below the name of the index, of plan, counts, server, user, times, task and result', () => {
    assert.match(markdown(ENDED), /^# Truncation of `dataset\/datasetprofile`\n\n- Entity type: `dataset`\n/);
    assert.partialDeepStrictEqual(facts(ENDED), {
      'Entity type': 'dataset',
      Aspect: 'datasetprofile',
      Server: 'https://datahub.example.com',
      'Configured user': 'urn:li:corpuser:jdoe',
      'Cutoff (inclusive)': new Date(RECORD.plan.endTimeMillis).toISOString(),
      'Rows to delete': String(RECORD.report.rows?.toDelete),
      'Task ID': RECORD.taskId,
      Result: 'finished',
      'Rows deleted': '20',
      'Size before in bytes': '2000000',
      Ended: new Date(RECORD.sentAt + MINUTE).toISOString(),
    });
  });

  test('names the sender only if the server confirmed it', () => {
    assert.ok(!('Sent by' in facts(ENDED)));
    const sent = facts({ ...ENDED, callerUrn: 'urn:li:corpuser:admin' });
    assert.deepEqual([sent['Sent by'], sent['Configured user']], ['urn:li:corpuser:admin', 'urn:li:corpuser:jdoe']);
  });

  test('leaves out unknown values, and deleted rows that may still exist', () => {
    const { actorUrn: _, ...old } = RECORD;
    const lost = facts({ ...old, ending: LOST });
    assert.deepEqual(
      ['Configured user', 'Ended', 'Rows deleted'].filter((name) => name in lost),
      [],
    );
    assert.ok(!markdown(old).includes('undefined'));
  });

  test('says when the end was seen if its time is unknown', () => {
    const { runTimeMillis: _, ...seen } = ENDED;
    const ended = facts(seen);
    assert.deepEqual(
      [ended['Ended'], ended['End first seen']],
      [undefined, new Date(NOW + 14 * 60 * MINUTE).toISOString()],
    );
    assert.ok(!('End first seen' in facts(ENDED)));
  });

  test('contains why it failed or is unknown, in the words of the journal', () => {
    const taskEnd = { kind: 'short', done: 3, total: 20, cancelled: 'by user request' } as const;
    const stopped = { kind: 'failed', reason: 'stopped', rowsLeft: 17 } as const;
    assert.partialDeepStrictEqual(facts({ ...ENDED, taskEnd, ending: stopped }), {
      Result: 'failed',
      Reason: 'stopped',
      'End of the task': 'short',
      'Rows that the task handled': '3',
      'Rows that the task found': '20',
      'Canceled on the server': 'by user request',
    });
    const answer = { status: 500, serverText: 'timed out' };
    assert.partialDeepStrictEqual(facts({ ...ENDED, ending: { kind: 'unknown', reason: 'lost', answer } }), {
      Result: 'unknown',
      Reason: 'lost',
      'Server error': 'HTTP 500 timed out',
    });
  });

  test('contains no secret, whatever the server responded', () => {
    const report = { ...RECORD.report, serverText: `Bearer ${CREDENTIAL}, password=correct-horse` };
    const record: TruncationRecord = {
      ...ENDED,
      report,
      taskEnd: { kind: 'short', cancelled: CREDENTIAL },
      ending: { kind: 'failed', reason: 'endedEarly' },
    };
    const text = markdown(record, CREDENTIAL);
    for (const secret of [CREDENTIAL.slice(0, 30), 'correct-horse']) {
      assert.ok(!text.replaceAll('\\', '').includes(secret), text);
    }
  });

  test('keeps foreign text as text: it becomes no line, link, picture or heading', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('`', ' ', 'a') }), (name, ticks) => {
        const plain = markdown(ENDED).split('\n');
        const lines = markdown(ENDED, `${ticks}${name}\n- x\n# [a](command:b) ![c](https://d) <img>${ticks}`).split(
          '\n',
        );
        assert.equal(lines.length, plain.length);
        assert.deepEqual(lines.map(withoutCodeSpans), plain.map(withoutCodeSpans));
      }),
    );
  });

  test('says what searches find, with both counts', () => {
    const baseline = { countedUpTo: RECORD.sentAt, kept: 181 };
    const readers = { at: RECORD.sentAt, toDelete: 0, kept: 183 };
    assert.partialDeepStrictEqual(facts({ ...RECORD, baseline, ending: { ...FINISHED, readers: 'clean' }, readers }), {
      Reason: 'clean',
      'Rows to keep before': '181',
      'Rows to keep that searches find': '183',
      'Rows to delete that searches find': '0',
    });
    const ending = { kind: 'unknown', reason: 'missing', hidesRows: true, missing: 'notRefreshed' } as const;
    const hidden = facts({ ...RECORD, baseline, ending, readers: { ...readers, kept: 0 } });
    assert.equal(hidden['Reason'], 'missing, notRefreshed');
  });
});

const SENT = {
  record: { ...RECORD, ending: FINISHED },
  state: editing(emptyDraft('dataset', 'operation')),
  status: 'finished',
} as const;
const UNSENT = { record: undefined, state: editing(emptyDraft('chart', 'usage')), status: 'notSent' } as const;
const REFUSED = {
  record: undefined,
  state: {
    phase: 'failed',
    draft: emptyDraft('chart', 'profile'),
    review: { plan: RECORD.plan, access: '', report: RECORD.report, at: 0, monotonicAt: 0 },
    failing: { sentence: 'Not # today' },
  },
  status: 'failed',
} as const;

suite('The receipt of a job', () => {
  test('has the receipt of each truncation, the same as of one alone, and names what was not sent', () => {
    const text = jobReceipt([SENT, SENT, UNSENT], 'Staging', NOW);
    const alone = jobReceipt([SENT], 'Staging', NOW);
    assert.equal(text, `${alone}\n${alone}\n# Not sent\n\n- \`chart/usage\`\n\n# Total\n\n- Rows deleted: 40\n`);
  });

  test('says nothing of unsent ones if there are none', () =>
    assert.ok(!jobReceipt([SENT], 'Staging', NOW).includes('Not sent')));

  test('lists what the server refused, with its reason, and not as unsent', () => {
    assert.equal(
      jobReceipt([REFUSED, UNSENT], 'Staging', NOW),
      '# Refused\n\n- `chart/profile`: `Not # today`\n\n# Not sent\n\n- `chart/usage`\n\n# Total\n\n- Rows deleted: 0\n',
    );
  });

  test('has the least total while one runs', () => {
    const running = { ...SENT, record: { ...RECORD, ending: undefined }, status: 'running' } as const;
    assert.match(jobReceipt([SENT, running], 'Staging', NOW), /- Rows deleted: at least 20\n$/);
  });
});

/** By CommonMark: a code span ends at the next run of as many backticks as it began with. */
function withoutCodeSpans(line: string): string {
  return line.replaceAll(/(?<!`)(?<fence>`+)(?!`).*?(?<!`)\k<fence>(?!`)/g, '');
}
