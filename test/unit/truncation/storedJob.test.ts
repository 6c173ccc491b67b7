import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { jobFrom, shownTruncations, whyNotSend, type Job } from '../../../src/truncation/storedJob.ts';
import type { JobFact, PlannedFact } from '../../../src/truncation/jobFacts.ts';
import { blockingReason, statusOf } from '../../../src/truncation/sentTruncation.ts';
import { journalOf } from './journals.ts';
import { DELETE_BY_QUERY, FAILED, FINISHED, LOST, MINUTE, NOW, PLAN, RECORD, REINDEX, TASK_ID } from './samples.ts';

const REF = { connectionId: RECORD.connectionId, id: RECORD.id.split('.')[0] ?? '' };
const OPERATION = { ...PLAN, aspect: 'operation' };
const PLANNED: PlannedFact = {
  kind: 'planned',
  at: NOW,
  baseUrl: RECORD.baseUrl,
  items: [{ plan: PLAN }, { plan: OPERATION }],
};
const DRY_RUN = { kind: 'dryRun', item: 0, at: NOW, report: DELETE_BY_QUERY } as const;
const SENT = { kind: 'sent', item: 0, at: NOW } as const;
const TASK = { kind: 'task', item: 0, at: NOW, taskId: TASK_ID } as const;
const ENDED = { kind: 'ended', item: 0, at: NOW, ending: FINISHED } as const;

function stored<T>(value: T): unknown {
  return JSON.parse(JSON.stringify(value));
}

function jobOf(...lines: readonly (JobFact | undefined | object)[]): Job {
  return (
    jobFrom(
      REF,
      stored(PLANNED),
      lines.map((line) => line && stored(line)),
    ) ?? assert.fail('no job')
  );
}

suite('The state of a job', () => {
  const records = {
    'that was just sent': { ...RECORD, taskId: undefined },
    'that runs': RECORD,
    'that finished': { ...RECORD, ending: FINISHED, endedAt: NOW + MINUTE, runTimeMillis: 1.5 },
    'that failed': { ...RECORD, ending: FAILED, endedAt: NOW + MINUTE },
    'with a lost response': { ...RECORD, taskId: undefined, ending: LOST, endedAt: NOW + MINUTE },
    'of which all is known': {
      ...RECORD,
      plan: { ...PLAN, timeoutSeconds: 60, strategy: 'reindex' } as const,
      actorUrn: 'urn:li:corpuser:a',
      callerUrn: 'urn:li:corpuser:b',
      baseline: { countedUpTo: NOW, kept: 181 },
    },
  };
  for (const [which, record] of Object.entries(records)) {
    test(`has a truncation ${which} as it was`, () => {
      const [planned, ...facts] = journalOf(record);
      const job = jobFrom(REF, stored(planned), facts.map(stored)) ?? assert.fail();
      assert.deepEqual(stored(shownTruncations(job)), [stored(record)]);
    });
  }

  test('is planned before anything is sent, with what the user confirmed', () => {
    const { items, confirmedAt, baseUrl } = jobOf();
    assert.deepEqual([confirmedAt, baseUrl], [NOW, RECORD.baseUrl]);
    assert.deepEqual(
      items.map(({ plan, status }) => [plan.aspect, status]),
      [
        [PLAN.aspect, 'planned'],
        ['operation', 'planned'],
      ],
    );
  });

  test('has no truncation that the gate or the server refused', () => {
    for (const kind of ['notSent', 'refused'] as const) {
      const job = jobOf(DRY_RUN, SENT, { kind, item: 0, at: NOW });
      assert.deepEqual(shownTruncations(job), []);
    }
  });

  test('has the task after an end that was withdrawn', () => {
    const [truncation] = shownTruncations(jobOf(DRY_RUN, SENT, TASK, ENDED, { kind: 'counted', item: 0, at: NOW }));
    assert.deepEqual([truncation?.taskId, truncation?.ending], [TASK_ID, undefined]);
  });

  for (const [what, first] of [
    ['nothing', undefined],
    ['a string', 'several'],
    ['another kind', { ...PLANNED, kind: 'sent' }],
    ['no item', { ...PLANNED, items: [] }],
    ['more items than a job has', { ...PLANNED, items: Array.from({ length: 26 }, () => ({ plan: PLAN })) }],
    ['an item without a cutoff', { ...PLANNED, items: [{ plan: { ...PLAN, endTimeMillis: undefined } }] }],
    ['an unknown strategy', { ...PLANNED, items: [{ plan: { ...PLAN, strategy: 'drop' } }] }],
  ] as const) {
    test(`is unknown if the first line is ${what}`, () => assert.equal(jobFrom(REF, first, []), undefined));
  }
});

suite('A line that can’t be read', () => {
  const lines: Readonly<Record<string, unknown>> = {
    'is torn': undefined,
    'is of an unknown kind': { kind: 'paused', item: 0, at: NOW },
    'has no time': { kind: 'sent', item: 0 },
    'is about an item that the job doesn’t have': { ...SENT, item: 7 },
    'has an end for no known reason': { ...ENDED, ending: { ...FAILED, reason: 'bewitched' } },
    'has an unknown end': { ...ENDED, ending: { kind: 'exploded' } },
    'has an unknown strategy of the server': { ...DRY_RUN, report: { ...REINDEX, strategy: 'drop' } },
  };
  for (const [what, line] of Object.entries(lines)) {
    test(`because it ${what} counts as sent, unknown, for each item that isn't over`, () => {
      const job = jobOf(line as object);
      assert.deepEqual(
        shownTruncations(job).map((record) => [record.plan.aspect, statusOf(record, NOW), blockingReason(record)]),
        [
          [PLAN.aspect, 'unknown', 'underWay'],
          ['operation', 'unknown', 'underWay'],
        ],
      );
      assert.equal(whyNotSend(jobOf(line as object, SENT), 0), 'unreadable');
    });
  }

  test('does not hide an end that was found out since, nor a task', () => {
    const [truncation] = shownTruncations(jobOf(DRY_RUN, undefined, ENDED));
    assert.equal(truncation?.ending?.kind, 'finished');
    assert.equal(blockingReason(truncation ?? assert.fail()), undefined);
  });

  test('spoils no item that is over, and no other fact', () => {
    const job = jobOf(DRY_RUN, SENT, undefined, TASK, ENDED, { kind: 'notSent', item: 1, at: NOW });
    assert.deepEqual(
      shownTruncations(job).map(({ taskId, ending }) => [taskId, ending?.kind]),
      [[TASK_ID, 'finished']],
    );
  });

  test('leaves what is known of a count, by which it may be judged', () => {
    const [truncation] = shownTruncations(jobOf(DRY_RUN, undefined));
    assert.deepEqual(truncation?.report.strategy, 'deleteByQuery');
  });
});

suite('An item', () => {
  test('may be sent only while nobody has dismissed it', () => {
    const dismissed = { kind: 'dismissed', item: 0, at: NOW } as const;
    assert.equal(whyNotSend(jobOf(DRY_RUN, SENT), 0), undefined);
    assert.equal(whyNotSend(jobOf(DRY_RUN), 0), 'dismissed', 'before it is written');
    assert.equal(whyNotSend(jobOf(DRY_RUN, SENT, dismissed), 0), 'dismissed');
    assert.equal(whyNotSend(jobOf(DRY_RUN, SENT, { ...dismissed, item: 1 }), 0), undefined);
    assert.equal(whyNotSend(jobOf(dismissed, DRY_RUN, SENT), 0), 'dismissed');
    assert.deepEqual(shownTruncations(jobOf(DRY_RUN, SENT, dismissed)), []);
  });
});

suite('Whatever the lines of a journal are', () => {
  const anyFact = fc.oneof(
    fc.constantFrom<JobFact[]>(
      DRY_RUN,
      SENT,
      TASK,
      ENDED,
      { ...SENT, item: 1 },
      { kind: 'counted', item: 0, at: NOW, writesRefused: true },
      { kind: 'unknown', item: 0, at: NOW, ending: { kind: 'unknown', reason: 'lost' } },
    ),
    fc.constantFrom('sent').map(() => ({ kind: 'later', at: NOW })),
  );

  test('nothing that may have acted is forgotten', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 12 }), fc.nat(12), (lines, torn) => {
        const whole = jobOf(...lines);
        const spoiled = jobOf(...lines.map((line, place) => (place === torn ? undefined : line)));
        const shown = new Set(shownTruncations(spoiled).map(({ id }) => id));
        for (const { id } of shownTruncations(whole)) {
          assert.ok(shown.has(id), id);
        }
      }),
    );
  });
});
