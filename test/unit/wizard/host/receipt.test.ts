import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { receipt, receiptFileName } from '../../../../src/wizard/host/receipt.ts';
import { SESSION_ID } from '../../../../src/truncation/record.ts';
import type { TruncationRecord } from '../../../../src/truncation/record.ts';
import { CREDENTIAL } from '../../service/clients.ts';
import { FINISHED, LOST, MINUTE, NOW, RECORD } from '../../truncation/samples.ts';

const ENDED: TruncationRecord = {
  ...RECORD,
  baseUrl: 'https://datahub.example.com',
  actorUrn: 'urn:li:corpuser:jdoe',
  ending: FINISHED,
  endedAt: NOW + 14 * 60 * MINUTE,
  runTimeMillis: MINUTE,
  sizeBefore: 2_000_000,
  sizeAfter: 1_500_000,
};

const markdown = (record: TruncationRecord, name = 'Production'): string => receipt(record, name, NOW, 'markdown');
const json = (record: TruncationRecord, name = 'Production'): Record<string, unknown> =>
  JSON.parse(receipt(record, name, NOW, 'json')) as Record<string, unknown>;

suite('A receipt', () => {
  test('holds plan, counts, server, person, times, task and result', () => {
    const { entityType, aspect, server, actor, cutOff, rowsToDelete, taskId, result, rowsDeleted, endedAt } =
      json(ENDED);
    assert.deepEqual(
      { entityType, aspect, server, actor, cutOff, rowsToDelete, taskId, result, rowsDeleted, endedAt },
      {
        entityType: 'dataset',
        aspect: 'datasetprofile',
        server: 'https://datahub.example.com',
        actor: 'urn:li:corpuser:jdoe',
        cutOff: new Date(RECORD.plan.endTimeMillis).toISOString(),
        rowsToDelete: RECORD.report.rows?.toDelete,
        taskId: RECORD.taskId,
        result: 'finished',
        rowsDeleted: 20,
        endedAt: new Date(RECORD.sentAt + MINUTE).toISOString(),
      },
    );
  });

  test('says the same in Markdown', () => {
    const text = markdown(ENDED);
    assert.match(text, /^# Truncation of dataset\/datasetprofile\n\n\| \| \|\n\|---\|---\|\n/);
    assert.match(text, /\n\| Rows deleted \| 20 \|\n/);
    assert.match(text, /\n\| Result \| finished \|\n/);
    assert.match(text, /\n\| Configured user \| urn\\:li\\:corpuser\\:jdoe \|\n/);
  });

  test('names who sent it only where the server said so: the connection may name somebody else', () => {
    assert.ok(!('sentBy' in json(ENDED)) && !markdown(ENDED).includes('Sent by'));
    const { sentBy, actor } = json({ ...ENDED, callerUrn: 'urn:li:corpuser:admin' });
    assert.deepEqual([sentBy, actor], ['urn:li:corpuser:admin', 'urn:li:corpuser:jdoe']);
  });

  test('calls unknown what another window sent and has no answer, and never says that it is being sent', () => {
    const { taskId: _, ...unanswered } = RECORD;
    assert.equal(json({ ...unanswered, sessionId: 'another window' })['result'], 'unknown');
    assert.equal(json({ ...unanswered, sessionId: SESSION_ID })['result'], 'sending');
  });

  test('of what may not have been deleted speaks of no deleted rows', () => {
    const lost = markdown({ ...RECORD, ending: LOST });
    assert.match(lost, /\n\| Cut-off \(inclusive\) \| /);
    assert.doesNotMatch(lost, /Deleted rows/);
  });

  test('has the size before, and a lower one only with the time at which it was read; never one of the end', () => {
    const { bytesBefore, bytesBeforePrecision, bytesLater, bytesLaterAt, ...rest } = json({
      ...ENDED,
      sizePrecision: 'exact',
      laterSize: { bytes: 1_400_000, at: NOW + MINUTE },
    });
    assert.deepEqual(
      [bytesBefore, bytesBeforePrecision, bytesLater, bytesLaterAt],
      [2_000_000, 'exact', 1_400_000, new Date(NOW + MINUTE).toISOString()],
    );
    assert.ok(!JSON.stringify([rest, json(ENDED)]).includes('1500000'), 'what an older version read at the end');
    assert.match(
      markdown({ ...ENDED, sizePrecision: 'approximate' }),
      /\n\| Size before in bytes \| 2000000 \|\n\| Precision of that size \| approximate \|\n/,
    );
    assert.ok(!('bytesBeforePrecision' in json(ENDED)));
  });

  test('leaves out what is not known', () => {
    const { actorUrn: _, baseUrl: __, ...old } = RECORD;
    assert.ok(!('actor' in json(old)) && !('endedAt' in json(old)) && !('bytesLater' in json(old)));
    assert.ok(!markdown(old).includes('undefined'));
  });

  test('tells when the end was seen where nobody knows when it was', () => {
    const { runTimeMillis: _, ...seen } = ENDED;
    const { endedAt, endSeenAt } = json(seen);
    assert.deepEqual([endedAt, endSeenAt], [undefined, new Date(NOW + 14 * 60 * MINUTE).toISOString()]);
    assert.ok(!('endSeenAt' in json(ENDED)));
    assert.match(markdown(seen), /\n\| Seen to have ended \| /);
  });

  test('tells a failure, and an outcome that is unknown', () => {
    const failing = { sentence: 'The task ended with failures.' };
    const failed = json({ ...ENDED, ending: { kind: 'failed', failing, failures: ['a', 'b'] } });
    assert.deepEqual([failed['result'], failed['failure'], failed['failures']], ['failed', failing.sentence, 'a; b']);
    assert.equal(json({ ...ENDED, ending: { kind: 'unknown', failing } })['result'], 'unknown');
  });

  test('holds nothing secret, whatever the server said', () => {
    const report = { ...RECORD.report, serverText: `Bearer ${CREDENTIAL}` };
    const record: TruncationRecord = {
      ...ENDED,
      report,
      ending: { kind: 'failed', failing: { sentence: CREDENTIAL }, failures: [CREDENTIAL] },
    };
    for (const text of [markdown(record, CREDENTIAL), JSON.stringify(json(record, CREDENTIAL))]) {
      assert.ok(!text.replaceAll('\\', '').includes(CREDENTIAL.slice(0, 30)), text);
    }
  });

  test("other people's words stay words: no row, cell, link, picture or heading is made of them", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const plain = markdown(ENDED).split('\n');
        const lines = markdown(ENDED, `${name}| x |\n| # [a](command:b) ![c](https://d) <img>`).split('\n');
        assert.equal(lines.length, plain.length);
        const cells = (line: string): number => line.replace(/\\./g, '').split('|').length;
        assert.deepEqual(lines.map(cells), plain.map(cells));
        assert.ok(lines.every((line) => !/(?<!\\)[[<`]/.test(line)));
      }),
    );
  });

  test('is proposed under a name that says what and when', () => {
    const day = new Date(RECORD.sentAt).toISOString().slice(0, 10);
    assert.equal(receiptFileName(RECORD), `truncation-dataset-datasetprofile-${day}.md`);
  });

  test('says what searches were seen to find, and both counts', () => {
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
    const failing = { sentence: 'Searches find 0 of 181 rows.' };
    const hidden = json({
      ...RECORD,
      baseline,
      ending: { kind: 'unknown', failing, hidesRows: true, missing: 'notRefreshed' },
      readers: { at: RECORD.sentAt, toDelete: 0, kept: 0 },
    });
    assert.equal(hidden['searches'], 'rows missing: the index is not refreshed');
  });
});
