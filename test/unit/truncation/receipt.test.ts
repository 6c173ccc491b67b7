import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { truncationReceipt, receiptFileName } from '../../../src/truncation/receipt.ts';
import { SESSION_ID, type TruncationRecord } from '../../../src/truncation/record.ts';
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
  truncationReceipt(record, name, NOW, 'markdown');
const json = (record: TruncationRecord, name = 'Production'): Record<string, unknown> =>
  JSON.parse(truncationReceipt(record, name, NOW, 'json')) as Record<string, unknown>;

suite('A receipt', () => {
  test('contains plan, counts, server, user, times, task and result', () => {
    const { entityType, aspect, server, actor, cutoff, rowsToDelete, taskId, result, rowsDeleted, endedAt } =
      json(ENDED);
    assert.deepEqual(
      { entityType, aspect, server, actor, cutoff, rowsToDelete, taskId, result, rowsDeleted, endedAt },
      {
        entityType: 'dataset',
        aspect: 'datasetprofile',
        server: 'https://datahub.example.com',
        actor: 'urn:li:corpuser:jdoe',
        cutoff: new Date(RECORD.plan.endTimeMillis).toISOString(),
        rowsToDelete: RECORD.report.rows?.toDelete,
        taskId: RECORD.taskId,
        result: 'finished',
        rowsDeleted: 20,
        endedAt: new Date(RECORD.sentAt + MINUTE).toISOString(),
      },
    );
  });

  test('has the same content in Markdown', () => {
    const text = markdown(ENDED);
    assert.match(text, /^# Truncation of `dataset\/datasetprofile`\n\n- Entity type: `dataset`\n/);
    assert.match(text, /\n- Rows deleted: 20\n/);
    assert.match(text, /\n- Result: finished\n/);
    assert.match(text, /\n- Configured user: `urn:li:corpuser:jdoe`\n/);
  });

  test('has times and the ID of the task as they are needed elsewhere, in Markdown too', () => {
    const taskId = 'oTUltX4IQMOUUVeiohTt8A:12345';
    const text = markdown({ ...ENDED, taskId, plan: { ...ENDED.plan, endTimeMillis: Date.UTC(2026, 4, 26, 15, 20) } });
    assert.match(text, /\n- Cutoff \(inclusive\): 2026-05-26T15:20:00\.000Z\n/);
    assert.match(text, /\n- Task ID: `oTUltX4IQMOUUVeiohTt8A:12345`\n/);
    assert.ok(!text.includes('\\'), text);
  });

  test('names the sender only if the server confirmed it', () => {
    assert.ok(!('sentBy' in json(ENDED)) && !markdown(ENDED).includes('Sent by'));
    const { sentBy, actor } = json({ ...ENDED, callerUrn: 'urn:li:corpuser:admin' });
    assert.deepEqual([sentBy, actor], ['urn:li:corpuser:admin', 'urn:li:corpuser:jdoe']);
  });

  test('is unknown without a response in another window, and never being sent', () => {
    const { taskId: _, ...unanswered } = RECORD;
    assert.equal(json({ ...unanswered, sessionId: 'another window' })['result'], 'unknown');
    assert.equal(json({ ...unanswered, sessionId: SESSION_ID })['result'], 'sending');
  });

  test('mentions no deleted rows if they may still exist', () => {
    const lost = markdown({ ...RECORD, ending: LOST });
    assert.match(lost, /\n- Cutoff \(inclusive\): /);
    assert.doesNotMatch(lost, /Deleted rows/);
  });

  test('has the size before', () => {
    const { bytesBefore, bytesBeforePrecision } = json({ ...ENDED, sizePrecision: 'exact' });
    assert.deepEqual([bytesBefore, bytesBeforePrecision], [2_000_000, 'exact']);
    assert.match(
      markdown({ ...ENDED, sizePrecision: 'approximate' }),
      /\n- Size before in bytes: 2000000\n- Precision of that size: approximate\n/,
    );
    assert.ok(!('bytesBeforePrecision' in json(ENDED)));
  });

  test('leaves out unknown values', () => {
    const { actorUrn: _, ...old } = RECORD;
    assert.ok(!('actor' in json(old)) && !('endedAt' in json(old)));
    assert.ok(!markdown(old).includes('undefined'));
  });

  test('says when the end was seen if its time is unknown', () => {
    const { runTimeMillis: _, ...seen } = ENDED;
    const { endedAt, endSeenAt } = json(seen);
    assert.deepEqual([endedAt, endSeenAt], [undefined, new Date(NOW + 14 * 60 * MINUTE).toISOString()]);
    assert.ok(!('endSeenAt' in json(ENDED)));
    assert.match(markdown(seen), /\n- End first seen: /);
  });

  test('contains a failure, and an unknown outcome', () => {
    const taskEnd = { kind: 'short', done: 3, total: 20, cancelled: 'by user request' } as const;
    const stopped = { kind: 'failed', reason: 'stopped', rowsLeft: 17, failures: ['a', 'b'] } as const;
    const failed = json({ ...ENDED, taskEnd, ending: stopped });
    assert.deepEqual(
      [failed['result'], failed['failure'], failed['failures']],
      ['failed', 'canceled on the server: by user request; rows left to delete: 17', 'a; b'],
    );
    const answer = { status: 500, serverText: 'timed out' };
    const lost = json({ ...ENDED, ending: { kind: 'unknown', reason: 'lost', answer } });
    assert.deepEqual(
      [lost['result'], lost['failure']],
      ['unknown', 'the server reported an error: HTTP 500 timed out'],
    );
  });

  test('contains no secret, whatever the server responded', () => {
    const report = { ...RECORD.report, serverText: `Bearer ${CREDENTIAL}` };
    const record: TruncationRecord = {
      ...ENDED,
      report,
      taskEnd: { kind: 'short', cancelled: CREDENTIAL },
      ending: { kind: 'failed', reason: 'endedEarly', failures: [CREDENTIAL] },
    };
    for (const text of [markdown(record, CREDENTIAL), JSON.stringify(json(record, CREDENTIAL))]) {
      assert.ok(!text.replaceAll('\\', '').includes(CREDENTIAL.slice(0, 30)), text);
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

  test('gets a file name with index and date', () => {
    const day = new Date(RECORD.sentAt).toISOString().slice(0, 10);
    assert.equal(receiptFileName(RECORD), `truncation-dataset-datasetprofile-${day}.md`);
  });

  test('says what searches find, with both counts', () => {
    const baseline = { countedUpTo: RECORD.sentAt, kept: 181 };
    const clean = json({
      ...RECORD,
      baseline,
      ending: { ...FINISHED, readers: 'clean' },
      readers: { at: RECORD.sentAt, toDelete: 0, kept: 183 },
    });
    assert.deepEqual(
      [clean['searches'], clean['keptBefore'], clean['keptFound'], clean['deletedFound']],
      ['as planned', 181, 183, 0],
    );
    const hidden = json({
      ...RECORD,
      baseline,
      ending: { kind: 'unknown', reason: 'missing', hidesRows: true, missing: 'notRefreshed' },
      readers: { at: RECORD.sentAt, toDelete: 0, kept: 0 },
    });
    assert.equal(hidden['searches'], 'rows missing: the index is not refreshed');
  });
});

/** By CommonMark: a code span ends at the next run of as many backticks as it began with. */
function withoutCodeSpans(line: string): string {
  return line.replaceAll(/(?<!`)(?<fence>`+)(?!`).*?(?<!`)\k<fence>(?!`)/g, '');
}
