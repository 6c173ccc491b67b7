import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../../../src/connections/connection.ts';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import type { FitGoal } from '../../../../src/rowsByAge/fitGoal.ts';
import { emptyDraft } from '../../../../src/truncation/plan.ts';
import type { TaskProgress } from '../../../../src/truncation/taskEnd.ts';
import { problemOf, type Problem } from '../../../../src/truncation/outcome.ts';
import type { DryRunReview, TruncationState } from '../../../../src/truncation/state.ts';
import { SESSION_ID } from '../../../../src/truncation/record.ts';
import { taskTexts } from '../../../../src/truncation/texts/taskTexts.ts';
import type { AgeHistogramState } from '../../../../src/rowsByAge/ageHistogramSession.ts';
import type { WizardPageView } from '../../../../src/wizard/protocol.ts';
import { wizardPageView, type WizardViewFacts } from '../../../../src/wizard/host/view.ts';
import {
  DAY,
  DRAFT,
  FAILED,
  FINISHED,
  LOST,
  MINUTE,
  NOTHING_TO_DELETE,
  NOW,
  PLAN,
  RECORD,
  REINDEX,
  REVIEW,
  STATES,
  TASK_ID,
  UNKNOWN_WORDS,
  exactly,
  type Place,
} from '../../truncation/samples.ts';
import { TASK } from '../views.ts';
import { formatsOf } from '../../../../src/ui/formats.ts';

const CONNECTION: Connection = {
  id: RECORD.connectionId,
  name: 'Production',
  baseUrl: 'https://datahub.example.com',
  actorUrn: 'urn:li:corpuser:jdoe',
  plainHttpConsent: false,
  createdAt: NOW,
};

function view(state: TruncationState, facts: Partial<WizardViewFacts> = {}): WizardPageView {
  return wizardPageView({
    state,
    connection: CONNECTION,
    indices: [],
    indexSize: exactly(undefined),
    forceFlagsKnown: true,
    isOnPostgres: false,
    record: undefined,
    recordId: RECORD.id,
    progress: undefined,
    trouble: undefined,
    canCheck: true,
    now: NOW,
    locale: 'en',
    timeZone: 'UTC',
    ...facts,
  });
}

function reviewed(review: Partial<DryRunReview>, draft = DRAFT): TruncationState {
  return { phase: 'reviewed', draft, review: { ...REVIEW, ...review } };
}

suite('The role of the connection', () => {
  test('is shown if it is worth a warning, and never guessed', () => {
    const told = (role: Connection['role']): unknown =>
      view(STATES.editing, { connection: { ...CONNECTION, ...(role === undefined ? {} : { role }) } }).connection.role;
    assert.deepEqual(told('production'), { kind: 'production', name: 'Production' });
    assert.deepEqual(told('readOnly'), { kind: 'readOnly', name: 'Read-only' });
    assert.deepEqual([told('development'), told(undefined)], [undefined, undefined]);
  });

  test('read-only allows the dry run, and explains the disabled button', () => {
    const connection: Connection = { ...CONNECTION, role: 'readOnly' };
    assert.equal(view(STATES.editing, { connection }).primary.enabled, view(STATES.editing).primary.enabled);
    const { primary } = view(reviewed({}), { connection });
    assert.deepEqual([primary.intent, primary.enabled], ['execute', false]);
    assert.match(primary.reason ?? '', /read-only/);
    assert.equal(view(reviewed({})).primary.reason, undefined);
    assert.equal(view(reviewed({ notice: 'tooOld' }), { connection }).primary.enabled, true);
  });
});

suite('A fitted cutoff', () => {
  const fitted = (goal: FitGoal, cutOff = PLAN.endTimeMillis): AgeHistogramState => ({
    phase: 'idle',
    curve: undefined,
    failing: undefined,
    fit: { goal, found: { kind: 'solved', endTimeMillis: cutOff, isTight: true } },
  });
  const days: FitGoal = { kind: 'keepDays', days: 90 };

  test('is mentioned as long as it is the cutoff', () => {
    assert.equal(view(STATES.editing, { rowsByAge: fitted(days, DRAFT.endTimeMillis) }).fit?.state, 'solved');
    assert.equal(view(STATES.editing, { rowsByAge: fitted(days, NOW - 200 * DAY) }).fit, undefined);
  });

  test("is mentioned with any cutoff if it can't be found", () => {
    const rowsByAge: AgeHistogramState = {
      ...fitted(days),
      fit: { goal: days, found: { kind: 'unsolved', why: 'noRows' } },
    };
    assert.equal(view(STATES.editing, { rowsByAge }).fit?.state, 'unsolved');
  });

  for (const [goal, notice] of [
    [{ kind: 'deleteRows', rows: 19 }, 'More rows than your limit.'],
    [{ kind: 'deleteRows', rows: 20 }, undefined],
    [{ kind: 'keepBytes', bytes: 900 }, 'More rows than your limit.'],
    [{ kind: 'keepBytes', bytes: 901 }, undefined],
    [days, undefined],
  ] as const) {
    test(`${JSON.stringify(goal)}: a review of 20 of 201 rows and 1,000 bytes ${notice === undefined ? 'keeps' : 'exceeds'} it`, () => {
      const report = { ...REVIEW.report, rows: { toDelete: 20, total: 201 } };
      const noticeOf = (facts: Partial<WizardViewFacts>): string | undefined =>
        view(reviewed({ report }), { indexSize: exactly(1_000), ...facts }).report?.notice;
      assert.equal(noticeOf({ rowsByAge: fitted(goal) }), notice);
      assert.equal(noticeOf({ rowsByAge: fitted(goal, PLAN.endTimeMillis - DAY) }), undefined, 'of another cut-off');
      assert.equal(noticeOf({ rowsByAge: fitted(goal), record: RECORD }), undefined, 'once it was sent');
    });
  }

  test('is less important than the reason for another review', () => {
    const rowsByAge = fitted({ kind: 'deleteRows', rows: 1 });
    assert.match(view(reviewed({ notice: 'grew' }), { rowsByAge }).report?.notice ?? '', /grew/);
  });
});

suite('The primary button', () => {
  const buttons: Readonly<Record<Place, WizardPageView['primary']>> = {
    editing: { intent: 'dryRun', label: 'Dry Run', enabled: true, reason: undefined },
    dryRunning: { intent: 'dryRun', label: 'Dry Run', enabled: false, reason: undefined },
    reviewed: { intent: 'execute', label: 'Delete 20 Rows…', enabled: true, reason: undefined },
    confirming: { intent: 'execute', label: 'Delete 20 Rows…', enabled: false, reason: undefined },
    recounting: { intent: 'execute', label: 'Delete 20 Rows…', enabled: false, reason: undefined },
    recounted: { intent: 'execute', label: 'Delete 20 Rows…', enabled: false, reason: undefined },
    sent: { intent: 'execute', label: 'Delete 20 Rows…', enabled: false, reason: undefined },
    running: { intent: 'startOver', label: 'New Truncation', enabled: true, reason: undefined },
    finished: { intent: 'startOver', label: 'New Truncation', enabled: true, reason: undefined },
    failed: { intent: 'startOver', label: 'Start Over', enabled: true, reason: undefined },
  };
  for (const [place, primary] of Object.entries(buttons) as [Place, WizardPageView['primary']][]) {
    test(`${place}: ${primary.label}${primary.enabled ? '' : ', not yet'}`, () => {
      assert.deepEqual(view(STATES[place]).primary, primary);
      assert.equal(view(STATES[place]).canCancel, place === 'dryRunning');
    });

    test(`${place}: does nothing without a connection`, () =>
      assert.equal(view(STATES[place], { connection: undefined }).primary.enabled, false));
  }

  test('groups digits as in the display language', () => {
    assert.equal(view(reviewed({ report: REINDEX })).primary.label, 'Delete 134,517 Rows…');
    assert.equal(view(reviewed({ report: REINDEX }), { locale: 'de' }).primary.label, 'Delete 134.517 Rows…');
  });

  test('asks for another dry run if no rows would go, or the last one is too old', () => {
    const again = { intent: 'dryRun', label: 'Dry Run Again', enabled: true, reason: undefined };
    assert.deepEqual(view(reviewed({ report: NOTHING_TO_DELETE })).primary, again);
    assert.deepEqual(view(reviewed({ notice: 'tooOld' })).primary, again);
  });

  test('executes from an unreadable report, since a question about it follows', () => {
    assert.deepEqual(view(reviewed({ report: UNKNOWN_WORDS })).primary, {
      intent: 'execute',
      label: 'Delete Rows…',
      enabled: true,
      reason: undefined,
    });
  });

  test('is disabled without a valid plan', () => {
    const { primary, problems } = view({ phase: 'editing', draft: { ...DRAFT, aspect: '*', batchSize: '0' } });
    assert.equal(primary.enabled, false);
    assert.deepEqual(Object.keys(problems), ['aspect', 'batchSize']);
  });

  for (const [kind, endTimeMillis] of [
    ['last24Hours', NOW - DAY + 1],
    ['future', NOW + MINUTE],
  ] as const) {
    test(`needs a confirmation of a cutoff in ${kind}, but not for the dry run`, () => {
      const draft = { ...DRAFT, endTimeMillis };
      const state = reviewed({ plan: { ...PLAN, endTimeMillis } }, draft);
      assert.equal(view(state).caution?.kind, kind);
      assert.equal(view(state).primary.enabled, false);
      assert.equal(view({ ...state, draft: { ...draft, cautionAccepted: true } }).primary.enabled, true);
      assert.equal(view({ phase: 'editing', draft }).primary.enabled, true);
    });
  }

  test('needs no confirmation of an older cutoff', () => assert.equal(view(STATES.reviewed).caution, undefined));
});

suite('The proposed cutoff', () => {
  test('is two years for a named index that holds state, and undefined for others', () => {
    const named = (entityType: string, aspect: string): unknown =>
      view({ phase: 'editing', draft: { ...emptyDraft(entityType, aspect) } }).proposal?.days;
    assert.equal(named('datajob', 'datahubingestioncheckpoint'), 730);
    assert.deepEqual([named('dataset', 'operation'), named('', '')], [undefined, undefined]);
  });
});

suite('The report', () => {
  test("shows rows, strategy and the server's text", () => {
    const { report } = view(STATES.reviewed);
    assert.deepEqual(
      {
        rowsToDelete: report?.rowsToDelete,
        rowsTotal: report?.rowsTotal,
        percent: report?.percent?.toFixed(2),
        strategy: report?.strategy,
        at: report?.at,
      },
      { rowsToDelete: 20, rowsTotal: 201, percent: '9.95', strategy: 'Delete by query', at: NOW },
    );
    assert.equal(report?.serverText, REVIEW.report.serverText);
    assert.equal(report.strategyIsRisky, false);
    assert.equal(report.notice, undefined);
  });

  test('has no counts if they are unknown', () => {
    const { report } = view(reviewed({ report: UNKNOWN_WORDS }));
    assert.ok(report !== undefined && report.rowsToDelete === undefined && report.percent === undefined);
  });

  test('exists from the review on', () => {
    for (const [place, state] of Object.entries(STATES)) {
      assert.equal(view(state).report !== undefined, place !== 'editing' && place !== 'dryRunning', place);
    }
  });

  test('offers delete by query instead of a reindex if the server supports it and nothing was sent', () => {
    const offered = (state: TruncationState, forceFlagsKnown = true): boolean | undefined =>
      view(state, { forceFlagsKnown }).report?.canForceDeleteByQuery;
    const review = { ...REVIEW, plan: { ...PLAN, strategy: 'server' as const }, report: REINDEX };
    assert.equal(offered(reviewed(review)), true);
    const refused = { ...STATES.failed, review, taskId: undefined };
    assert.equal(offered(refused), true);
    assert.equal(
      offered({
        ...refused,
        ending: { kind: 'unknown', failing: { sentence: 'The reindex failed.' }, hidesRows: true },
      }),
      false,
      'it would take rows from an index whose others are hidden',
    );
    assert.equal(offered({ ...refused, ending: LOST }), false, 'the server may be deleting');
    assert.equal(offered({ ...STATES.failed, review }), false, 'the task broke off');
    assert.equal(offered(reviewed(review), false), false);
    assert.equal(offered(STATES.reviewed), false);
    assert.equal(offered(reviewed({ ...review, plan: { ...PLAN, strategy: 'deleteByQuery' } })), false);
    assert.equal(offered({ ...STATES.running, review }), false);
    assert.equal(view(reviewed(review)).report?.strategyIsRisky, true);
  });

  test('estimates the size of the rows to delete', () => {
    const estimate = (facts: Partial<WizardViewFacts>, report = REVIEW.report): unknown =>
      view(reviewed({ report }), facts).report?.sizeToDelete;
    assert.deepEqual(estimate({ indexSize: exactly(2_010_000_000) }), {
      bytes: 'about 200 MB',
      ofAll: 'of 2 GB',
    });
    assert.deepEqual(estimate({ indexSize: exactly(8_100_000_000) }, REINDEX), {
      bytes: 'about 8 GB',
      ofAll: 'of 8.1 GB',
    });
    assert.equal(estimate({}), undefined, 'the size is not known');
    assert.equal(estimate({ indexSize: exactly(1_000) }, UNKNOWN_WORDS), undefined, 'the rows are not known');
    assert.equal(estimate({ indexSize: exactly(1_000), record: RECORD }), undefined, 'it was sent');
    const wrong = { bytes: 1_000, precision: 'approximate' } as const;
    assert.equal(estimate({ indexSize: wrong }), undefined, 'the size may be wrong');
  });

  test('says why it needs another review', () => {
    const notices = (['grew', 'strategy', 'unreadable', 'tooOld'] as const).map(
      (notice) => view(reviewed({ notice })).report?.notice ?? '',
    );
    assert.equal(new Set(notices).size, 4);
    assert.ok(notices.slice(0, 3).every((text) => text.startsWith('Nothing was deleted')));
  });
});

suite('The strategy', () => {
  test("can be chosen if the server supports it and doesn't always delete by query", () => {
    const canChoose = (facts: Partial<WizardViewFacts>): boolean => view(STATES.editing, facts).canChooseStrategy;
    assert.equal(canChoose({}), true);
    assert.equal(canChoose({ forceFlagsKnown: false }), false);
    assert.equal(canChoose({ isOnPostgres: true }), false);
  });
});

suite('A failure', () => {
  const failing = { sentence: 'Nobody listens.', next: 'Check the address.' };

  test('is shown before a review, at a review and at the end', () => {
    assert.deepEqual(view({ ...STATES.editing, failing }).failure, { ...failing, isSignedOut: undefined });
    assert.deepEqual(view({ ...STATES.reviewed, failing }).failure, { ...failing, isSignedOut: undefined });
    assert.deepEqual(view(STATES.failed).failure, {
      sentence: 'The task ended with failures.',
      next: 'Look.',
      isSignedOut: undefined,
    });
    assert.deepEqual(view({ ...STATES.failed, ending: LOST }).failure, {
      sentence: 'The answer was lost.',
      next: undefined,
      isSignedOut: undefined,
    });
  });

  test('offers a sign-in if one is missing', () => {
    const signedOut = problemOf(new ServiceFailure('signedOut', 'Nobody is signed in.'));
    assert.equal(view({ ...STATES.editing, failing: signedOut }).failure?.isSignedOut, true);
    assert.equal(view({ ...STATES.reviewed, failing: signedOut }).failure?.isSignedOut, true);
    const other = problemOf(new ServiceFailure('refused', 'Not allowed.'));
    assert.equal(view({ ...STATES.editing, failing: other }).failure?.isSignedOut, undefined);
  });

  test('of a task is shown once, as part of the task', () => {
    const { failure, task } = view(STATES.failed, { record: { ...RECORD, ending: FAILED } });
    assert.equal(failure, undefined);
    assert.equal(task?.sentence, 'The task ended with failures.');
  });

  test('is undefined if nothing failed', () => {
    for (const state of [STATES.editing, STATES.reviewed, STATES.running, STATES.finished]) {
      assert.equal(view(state).failure, undefined);
    }
  });
});

suite('The task', () => {
  test('is running, with ID, share and size before', () => {
    assert.deepEqual(
      view(STATES.running, { record: RECORD, progress: { counts: 'deleted', done: 5, total: 20 } }).task,
      {
        ...TASK,
        id: TASK_ID,
        state: 'running',
        canCheck: true,
        sentence: 'Deleting: 5 of 20 rows.',
        percent: 25,
        failures: [],
        requests: ['cancel', 'throttle'],
        sizeBefore: '8.1 GB',
        startedAt: NOW,
      },
    );
  });

  test("says why it can't be watched, and offers a sign-in only if that may help", () => {
    const told = (trouble?: Problem): unknown => {
      const { task } = view(STATES.running, { record: RECORD, ...(trouble && { trouble }) });
      return [task?.sentence, task?.isTrouble, task?.isSignedOut];
    };
    const sentence = 'Sign in.';
    assert.deepEqual(told(), ['Running on the server…', false, undefined]);
    assert.deepEqual(told({ sentence }), [sentence, true, undefined]);
    assert.deepEqual(told({ sentence, isSignedOut: true }), [sentence, true, true]);
  });

  test('shows the counts of the last look as long as another may change something', () => {
    const { taskId: _, ...sent } = RECORD;
    const record = { ...sent, baseline: { countedUpTo: NOW, kept: 181 }, sessionId: 'another window' };
    const lastLook = { at: NOW, count: { at: NOW, toDelete: 12, kept: 181 } };
    const { task } = view(STATES.sent, { record, lastLook });
    assert.equal(
      task?.lastLook?.replaceAll('\u202F', ' '),
      'Counted at 12:00:00 PM. Rows to delete: 12 (before: 20). Rows to keep: 181 (before: 181).',
    );
    const later = view(STATES.sent, { record, lastLook: { ...lastLook, at: NOW + 1_000 }, now: NOW + 1_000 }).task;
    assert.notEqual(later?.lastLook, task?.lastLook, 'the same count, a second later');
    assert.equal(view(STATES.sent, { record }).task?.lastLook, undefined);
    assert.equal(view(STATES.sent, { record, lastLook, canCheck: false }).task?.lastLook, undefined);
    const ended = { ...record, ending: LOST, readers: lastLook.count };
    assert.equal(
      view(STATES.failed, { record: ended }).task?.lastLook,
      task?.lastLook,
      'what was stored, after a reload',
    );
  });

  test('shows no share while unknown, and never more than 100 %', () => {
    for (const [progress, percent] of [
      [undefined, undefined],
      [{ counts: 'deleted', done: 5, total: undefined }, undefined],
      [{ counts: 'deleted', done: 0, total: 0 }, undefined],
      [{ counts: 'deleted', done: 30, total: 20 }, 100],
    ] as const) {
      assert.equal(view(STATES.running, { record: RECORD, progress }).task?.percent, percent);
    }
  });

  test('is finished, with the next step and without the size at the end', () => {
    const { task } = view(STATES.finished, {
      record: { ...RECORD, ending: FINISHED, endedAt: NOW + DAY, runTimeMillis: MINUTE, sizeAfter: 10 },
      progress: { counts: 'deleted', done: 1, total: 2 },
    });
    assert.deepEqual([task?.state, task?.percent, task?.endedAt], ['finished', 100, RECORD.sentAt + MINUTE]);
    assert.match(task?.next ?? '', /^The index may keep its size/);
  });

  test('is finished, with a later size and the request that frees space', () => {
    const ended = { ...RECORD, ending: FINISHED, endedAt: NOW + MINUTE };
    const later = { ...ended, laterSize: { bytes: 5_000_000, at: NOW + DAY } };
    const { task } = view(STATES.finished, { record: later, indexName: 'dataset_operationaspect_v1' });
    assert.deepEqual(task?.laterSize, { size: '5 MB', at: NOW + DAY });
    assert.equal(task?.merge?.request, 'POST /dataset_operationaspect_v1/_forcemerge?only_expunge_deletes=true');
    const { task: before } = view(STATES.finished, { record: ended });
    assert.equal(before?.laterSize, undefined);
    assert.match(before?.merge?.request ?? '', /^POST \/<index>\//);
    assert.equal(view(STATES.running, { record: RECORD }).task?.merge, undefined);
  });

  test('shows the size before as "about" if the server may have reported a wrong one', () => {
    const record = { ...RECORD, sizePrecision: 'approximate' } as const;
    assert.equal(view(STATES.running, { record }).task?.sizeBefore, 'about 8.1 GB');
  });

  test('is finished without a time if that is unknown', () => {
    const { task } = view(STATES.finished, { record: { ...RECORD, ending: FINISHED, endedAt: NOW + DAY } });
    assert.equal(task?.endedAt, undefined);
  });

  test("is failed, with the server's failures", () => {
    const { task } = view(STATES.failed, { record: { ...RECORD, ending: FAILED } });
    assert.deepEqual([task?.state, task?.failures, task?.next], ['failed', ['shard 3: no space'], 'Look.']);
  });

  test('without a response is running while this window waits, and unknown elsewhere or later', () => {
    const { taskId: _, ...sent } = RECORD;
    const record = { ...sent, sessionId: SESSION_ID };
    const elsewhere = view(STATES.sent, { record: { ...sent, sessionId: 'another window' } }).task;
    assert.deepEqual([elsewhere?.state, elsewhere?.sentence], ['unknown', taskTexts.unanswered().sentence]);
    assert.equal(view(STATES.sent, { record }).task?.state, 'running');
    const lost = view(STATES.sent, { record, now: NOW + 4 * MINUTE }).task;
    assert.deepEqual([lost?.state, lost?.id], ['unknown', undefined]);
  });

  test('is restored after a reload', () => {
    assert.deepEqual(view(STATES.running, { record: RECORD }).restore, {
      connectionId: CONNECTION.id,
      recordId: RECORD.id,
    });
    assert.deepEqual(
      view(STATES.editing).restore,
      { connectionId: CONNECTION.id, recordId: RECORD.id },
      'known before anything is sent',
    );
  });
});

suite('The connection', () => {
  test('shows name, address and user', () => {
    assert.deepEqual(view(STATES.editing).connection, {
      name: 'Production',
      baseUrl: 'https://datahub.example.com',
      actor: 'jdoe',
      warning: undefined,
      role: undefined,
    });
  });

  test('warns about unencrypted HTTP, except on loopback', () => {
    const plain = { ...CONNECTION, baseUrl: 'http://10.0.0.7:8080', plainHttpConsent: true };
    assert.match(view(STATES.editing, { connection: plain }).connection.warning ?? '', /isn't encrypted/);
    assert.equal(
      view(STATES.editing, { connection: { ...CONNECTION, baseUrl: 'http://localhost:8080' } }).connection.warning,
      undefined,
    );
  });

  test('says that it was removed', () =>
    assert.match(view(STATES.editing, { connection: undefined }).connection.warning ?? '', /was removed/));
});

test('The view passes on the indices, the size and the support of flags', () => {
  const indices = [{ entityType: 'dataset', aspect: 'operation', size: '8.1 GB' }];
  const shown = view(STATES.editing, { indices, indexSize: exactly(8_100_000_000), forceFlagsKnown: false });
  assert.deepEqual([shown.indices, shown.indexSize, shown.forceFlagsKnown], [indices, '8.1 GB', false]);
  assert.equal(view(STATES.editing).indexSize, undefined);
});

suite('Foreign text', () => {
  const odd = `\u202Edne eht\u202C\u001B[31m\u0007${'\n'.repeat(60)}at last ${'x'.repeat(400)}`;
  const shown = 'dne eht [31m at last xxx';
  const connection = { ...CONNECTION, name: odd, actorUrn: `urn:li:corpuser:${odd}` };
  const ending = { kind: 'failed', failing: { sentence: odd, next: odd }, failures: [odd, odd] } as const;

  test('is one line without control characters, everywhere on the page', () => {
    const views = [
      view(reviewed({ report: { ...UNKNOWN_WORDS, serverText: odd } }), { connection }),
      view({ ...STATES.failed, ending }, { connection }),
      view({ ...STATES.failed, ending }, { connection, record: { ...RECORD, taskId: odd, ending } }),
      view(STATES.running, { connection, record: RECORD, trouble: ending.failing }),
    ];
    assert.ok(views.some(({ report }) => report?.serverText.startsWith(shown)));
    assert.ok(views.some(({ failure }) => failure?.sentence.startsWith(shown) && failure.next?.startsWith(shown)));
    assert.ok(
      views.some(
        ({ task }) => task?.failures.every((failure) => failure.startsWith(shown)) && task.id?.startsWith(shown),
      ),
    );
    assert.equal(views.filter(({ task }) => task?.sentence.startsWith(shown)).length, 2);
    // Everything sent to the page, without the escapes of JSON.
    assert.doesNotMatch(JSON.stringify(views), /\\[nrtbfu]|[\p{Cc}\u202A-\u202E]/u);
    assert.ok(
      views.every((one) =>
        [one.report?.serverText, one.connection.name, one.task?.id, ...(one.task?.failures ?? [])].every(
          (text = '') => text.length <= 300,
        ),
      ),
    );
  });

  test("is no suggestion if it can't be an index", () => {
    const size = '1 GB';
    const indices = [
      { entityType: 'dataset', aspect: 'operation', size },
      { entityType: '*', aspect: '*', size },
      { entityType: 'dataset', aspect: odd, size },
    ];
    assert.deepEqual(view(STATES.editing, { indices }).indices, indices.slice(0, 1));
  });
});

suite("The view's texts", () => {
  test('are in the display language', (context) => {
    l10n.config({ contents: { 'Delete {0} Rows…': '{0} Zeilen löschen …' } });
    context.after(() => l10n.config({ contents: {} }));
    assert.equal(
      view(reviewed({}), { locale: 'de' }).primary.label,
      `${formatsOf('de').number(REVIEW.report.rows?.toDelete ?? 0)} Zeilen löschen …`,
    );
  });
});

suite('A size that the server may report wrong', () => {
  const shown = view(STATES.editing, { indexSize: { bytes: 8_100_000_000, precision: 'approximate' } });

  test('is shown as "about", with the reason', () => {
    assert.equal(shown.indexSize, 'about 8.1 GB');
    assert.match(shown.sizeNote ?? '', /wrong sizes above 2\.1 GB/);
    const negative = view(STATES.editing, { indexSize: { bytes: undefined, precision: 'approximate' } });
    assert.deepEqual([negative.indexSize, negative.sizeNote], [undefined, shown.sizeNote]);
  });

  test("can't be a limit, and the field says why", () => {
    assert.match(shown.sizeLimitRefusal ?? '', /^Can't limit by size/);
    const exact = view(STATES.editing, { indexSize: exactly(8_100_000_000) });
    assert.deepEqual([exact.sizeNote, exact.sizeLimitRefusal], [undefined, undefined]);
  });

  test('is not used to check a review against a limit', () => {
    const fit = {
      goal: { kind: 'keepBytes', bytes: 1 },
      found: { kind: 'solved', endTimeMillis: PLAN.endTimeMillis, isTight: true },
    } as const;
    const rowsByAge = { phase: 'idle', curve: undefined, failing: undefined, fit } as const;
    const noticeOf = (precision: 'exact' | 'approximate'): unknown =>
      view(STATES.reviewed, { rowsByAge, indexSize: { bytes: 1_000, precision } }).report?.notice;
    assert.deepEqual([noticeOf('exact'), noticeOf('approximate')], ['More rows than your limit.', undefined]);
  });
});

suite('A review beside the report', () => {
  const reindex = reviewed({ report: REINDEX });

  test('says what space a reindex needs', () => {
    assert.equal(
      view(reindex, { indexSize: exactly(10e9) }).report?.spaceNeeded,
      "The copy needs about 80 MB of disk space for a while. How much is free isn't known.",
    );
    assert.match(view(reindex).report?.spaceNeeded ?? '', /^The copy needs disk space/);
  });

  test('needs no space for a delete by query, nor after sending', () => {
    assert.equal(view(reviewed({}), { indexSize: exactly(10e9) }).report?.spaceNeeded, undefined);
    assert.equal(view(STATES.running, { indexSize: exactly(10e9), record: RECORD }).report?.spaceNeeded, undefined);
  });

  test('says the purpose of the rows, and that there is no other copy', () => {
    const { aspectLines = [] } = view(reviewed({})).report ?? {};
    assert.equal(aspectLines.length, 3);
    assert.match(aspectLines[0] ?? '', /Stats tab/);
    assert.match(aspectLines[1] ?? '', /before Aug 23, 2026, 12:00\sPM/);
    assert.match(aspectLines[2] ?? '', /no second copy/);
  });

  test('shows other activity with a report only, until it was sent', () => {
    const serverNotes = ['The server is in maintenance mode.'];
    assert.deepEqual(view(reindex, { serverNotes }).serverNotes, serverNotes);
    assert.equal(view(STATES.editing, { serverNotes }).serverNotes, undefined);
    assert.equal(view(STATES.running, { serverNotes, record: RECORD }).serverNotes, undefined);
  });

  test('shows the rate of a running task once known', () => {
    const progressAt = (at: number, since = at): TaskProgress => {
      const seen = { at, since, hasMoved: true, isReported: true };
      return { counts: 'deleted', done: 10, total: 20, seen };
    };
    const now = NOW + 3 * MINUTE;
    const pace = (progress: TaskProgress, facts: Partial<WizardViewFacts> = {}): string | undefined =>
      view(STATES.running, { record: RECORD, progress, now, ...facts }).task?.pace;
    assert.equal(pace(progressAt(now)), 'About 3 rows a minute, about 3 min left.');
    assert.match(pace(progressAt(now, NOW + MINUTE)) ?? '', /^No progress for 2 min\./);
    assert.equal(pace(progressAt(NOW)), undefined);
    assert.equal(pace(progressAt(now), { trouble: { sentence: 'Down.' } }), undefined);
    assert.equal(pace(progressAt(now), { record: { ...RECORD, ending: FINISHED } }), undefined);
  });
});
