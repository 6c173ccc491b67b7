import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../../../../src/connections/connection.ts';
import { ServiceFailure } from '../../../../../src/service/failure/failure.ts';
import { emptyDraft, type PlanDraft } from '../../../../../src/truncation/plan.ts';
import { problemOf, type Problem } from '../../../../../src/truncation/outcome.ts';
import { SESSION_ID } from '../../../../../src/truncation/record.ts';
import { judgementTexts } from '../../../../../src/truncation/texts/judgementTexts.ts';
import { taskTexts } from '../../../../../src/truncation/texts/taskTexts.ts';
import type { WizardPageView } from '../../../../../src/pages/truncation/protocol.ts';
import { type WizardViewFacts } from '../../../../../src/pages/truncation/host/view.ts';
import {
  DAY,
  DRAFT,
  FAILED,
  FINISHED,
  LOST,
  MINUTE,
  NOTHING_TO_DELETE,
  NOW,
  RECORD,
  REINDEX,
  REVIEW,
  STATES,
  TASK_ID,
  UNKNOWN_WORDS,
  exactly,
  type Place,
} from '../../../truncation/samples.ts';
import { TASK } from '../views.ts';
import { formatsOf } from '../../../../../src/ui/formats.ts';
import { CONNECTION, reviewed, wizardViewOf } from './wizardViews.ts';

suite('The role of the connection', () => {
  test('is shown if it is worth a warning, and never guessed', () => {
    const told = (role: Connection['role']): unknown =>
      wizardViewOf(STATES.editing, { connection: { ...CONNECTION, role } }).connection.role;
    assert.deepEqual(told('production'), { kind: 'production', name: 'Production' });
    assert.deepEqual(told('readOnly'), { kind: 'readOnly', name: 'Read-only' });
    assert.deepEqual([told('development'), told('developmentChosen')], [undefined, undefined]);
  });

  test('read-only allows the dry run, and explains the disabled button', () => {
    const connection: Connection = { ...CONNECTION, role: 'readOnly' };
    assert.equal(
      wizardViewOf(STATES.editing, { connection }).primary.enabled,
      wizardViewOf(STATES.editing).primary.enabled,
    );
    const { primary } = wizardViewOf(reviewed({}), { connection });
    assert.deepEqual([primary.intent, primary.enabled], ['execute', false]);
    assert.match(primary.reason ?? '', /read-only/);
    assert.equal(wizardViewOf(reviewed({})).primary.reason, undefined);
    assert.equal(wizardViewOf(reviewed({ notice: 'tooOld' }), { connection }).primary.enabled, true);
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
      assert.deepEqual(wizardViewOf(STATES[place]).primary, primary);
      assert.equal(wizardViewOf(STATES[place]).canCancel, place === 'dryRunning');
    });

    test(`${place}: does nothing without a connection`, () =>
      assert.equal(wizardViewOf(STATES[place], { connection: undefined }).primary.enabled, false));
  }

  test('groups digits as in the display language', () => {
    assert.equal(wizardViewOf(reviewed({ report: REINDEX })).primary.label, 'Delete 134,517 Rows…');
    assert.equal(wizardViewOf(reviewed({ report: REINDEX }), { locale: 'de' }).primary.label, 'Delete 134.517 Rows…');
  });

  test('asks for another dry run if no rows would go, or the last one is too old', () => {
    const again = { intent: 'dryRun', label: 'Dry Run Again', enabled: true, reason: undefined };
    assert.deepEqual(wizardViewOf(reviewed({ report: NOTHING_TO_DELETE })).primary, again);
    assert.deepEqual(wizardViewOf(reviewed({ notice: 'tooOld' })).primary, again);
  });

  test('asks for another dry run after the connection changed, whose figures stay with the reason', () => {
    const failing = { sentence: 'The sign-in has changed since the dry run.' };
    const { plan, report, at } = REVIEW;
    const view = wizardViewOf({
      phase: 'editing',
      draft: DRAFT,
      failing,
      outdated: { plan, report, at, reason: failing },
    });
    assert.deepEqual(view.primary, { intent: 'dryRun', label: 'Dry Run Again', enabled: true, reason: undefined });
    assert.equal(view.failure, undefined, 'nothing failed');
    assert.deepEqual(
      [view.report?.outdated, view.report?.rowsToDelete, view.report?.notice, view.report?.canForceDeleteByQuery],
      [failing.sentence, report.rows?.toDelete, undefined, false],
    );
    assert.equal(wizardViewOf({ phase: 'editing', draft: DRAFT, failing }).failure?.sentence, failing.sentence);
  });

  test('keeps outdated figures during another dry run, and shows its failure above them', () => {
    const { plan, report, at } = REVIEW;
    const outdated = { plan, report, at, reason: { sentence: 'The sign-in has changed since the dry run.' } };
    const counting = wizardViewOf({ ...STATES.dryRunning, outdated });
    assert.deepEqual(counting.primary, {
      intent: 'dryRun',
      label: 'Dry Run Again',
      enabled: false,
      reason: undefined,
    });
    assert.equal(counting.report?.outdated, outdated.reason.sentence);
    const failing = { sentence: 'The server is busy.' };
    const failed = wizardViewOf({ phase: 'editing', draft: DRAFT, failing, outdated });
    assert.deepEqual(
      [failed.failure?.sentence, failed.report?.outdated, failed.report?.rowsToDelete, failed.primary.label],
      [failing.sentence, outdated.reason.sentence, report.rows?.toDelete, 'Dry Run Again'],
    );
  });

  test('comes after one sign-in button while the connection of outdated figures is signed out', () => {
    const { plan, report, at } = REVIEW;
    const reason = { sentence: 'The sign-in has changed since the dry run.' };
    const signInButtons = (failing: Problem, isSignedOut: boolean): unknown => {
      const view = wizardViewOf(
        { phase: 'editing', draft: DRAFT, failing, outdated: { plan, report, at, reason } },
        { isSignedOut },
      );
      return [view.report?.isSignedOut, view.failure?.isSignedOut];
    };
    assert.deepEqual(signInButtons(reason, true), [true, undefined]);
    assert.deepEqual(signInButtons(reason, false), [undefined, undefined]);
    assert.deepEqual(signInButtons({ sentence: 'Signed out.', isSignedOut: true }, true), [undefined, true]);
    assert.equal(wizardViewOf(STATES.reviewed, { isSignedOut: true }).report?.isSignedOut, undefined);
  });

  test('executes from an unreadable report, since a question about it follows', () => {
    assert.deepEqual(wizardViewOf(reviewed({ report: UNKNOWN_WORDS })).primary, {
      intent: 'execute',
      label: 'Delete Rows…',
      enabled: true,
      reason: undefined,
    });
  });

  test('is disabled without a valid plan', () => {
    const { primary, problems } = wizardViewOf({ phase: 'editing', draft: { ...DRAFT, aspect: '*', batchSize: '0' } });
    assert.equal(primary.enabled, false);
    assert.deepEqual(Object.keys(problems), ['aspect', 'batchSize']);
  });

  test('needs each caution accepted, but not for the dry run', () => {
    const cautions = [{ kind: 'last24Hours' }, { kind: 'noRowStays' }] as const;
    const isEnabled = (...acceptedCautions: PlanDraft['acceptedCautions']): boolean =>
      wizardViewOf(reviewed({}, { ...DRAFT, acceptedCautions }), { cautions }).primary.enabled;
    assert.deepEqual(
      wizardViewOf(STATES.reviewed, { cautions }).cautions.map(({ kind }) => kind),
      ['last24Hours', 'noRowStays'],
    );
    assert.deepEqual(
      [isEnabled(), isEnabled('last24Hours'), isEnabled('noRowStays', 'last24Hours')],
      [false, false, true],
    );
    assert.equal(wizardViewOf({ phase: 'editing', draft: DRAFT }, { cautions }).primary.enabled, true);
  });
});

test('A dry run without any row says that the spelling may be wrong, where a server takes any', () => {
  const state = reviewed({ report: { ...REVIEW.report, rows: { toDelete: 0, total: 0 } } });
  assert.match(wizardViewOf(state, { isOnPostgres: true }).report?.notice ?? '', /misspelled\.$/);
  assert.equal(wizardViewOf(state).report?.notice, undefined);
  assert.equal(wizardViewOf(STATES.reviewed, { isOnPostgres: true }).report?.notice, undefined);
});

suite('The proposed cutoff', () => {
  test('is two years for a named index that holds state, and undefined for others', () => {
    const named = (entityType: string, aspect: string): unknown =>
      wizardViewOf({ phase: 'editing', draft: { ...emptyDraft(entityType, aspect) } }).proposal?.days;
    assert.equal(named('datajob', 'datahubingestioncheckpoint'), 730);
    assert.deepEqual([named('dataset', 'operation'), named('', '')], [undefined, undefined]);
  });
});

suite('The strategy', () => {
  test("can be chosen if the server supports it and doesn't always delete by query", () => {
    const canChoose = (facts: Partial<WizardViewFacts>): boolean =>
      wizardViewOf(STATES.editing, facts).canChooseStrategy;
    assert.equal(canChoose({}), true);
    assert.equal(canChoose({ forceFlagsKnown: false }), false);
    assert.equal(canChoose({ isOnPostgres: true }), false);
  });
});

suite('A failure', () => {
  const failing = { sentence: 'Nobody listens.', next: 'Check the address.' };

  test('is shown before a review, at a review and at the end', () => {
    assert.deepEqual(wizardViewOf({ ...STATES.editing, failing }).failure, { ...failing, isSignedOut: undefined });
    assert.deepEqual(wizardViewOf({ ...STATES.reviewed, failing }).failure, { ...failing, isSignedOut: undefined });
    assert.deepEqual(wizardViewOf(STATES.failed).failure, { ...judgementTexts.neverBegan(), isSignedOut: undefined });
    assert.deepEqual(wizardViewOf({ ...STATES.failed, ending: LOST }).failure, {
      ...taskTexts.lost(),
      isSignedOut: undefined,
    });
    const refused = { kind: 'failed', reason: 'refused', failing, failures: [] } as const;
    assert.deepEqual(wizardViewOf({ ...STATES.failed, ending: refused }).failure, {
      ...failing,
      isSignedOut: undefined,
    });
  });

  test('offers a sign-in if one is missing', () => {
    const signedOut = problemOf(new ServiceFailure('signedOut', 'Nobody is signed in.'));
    assert.equal(wizardViewOf({ ...STATES.editing, failing: signedOut }).failure?.isSignedOut, true);
    assert.equal(wizardViewOf({ ...STATES.reviewed, failing: signedOut }).failure?.isSignedOut, true);
    const other = problemOf(new ServiceFailure('refused', 'Not allowed.'));
    assert.equal(wizardViewOf({ ...STATES.editing, failing: other }).failure?.isSignedOut, undefined);
  });

  test('of a task is shown once, as part of the task', () => {
    const { failure, task } = wizardViewOf(STATES.failed, { record: { ...RECORD, ending: FAILED } });
    assert.equal(failure, undefined);
    assert.equal(task?.sentence, judgementTexts.neverBegan().sentence);
  });

  test('is undefined if nothing failed', () => {
    for (const state of [STATES.editing, STATES.reviewed, STATES.running, STATES.finished]) {
      assert.equal(wizardViewOf(state).failure, undefined);
    }
  });
});

suite('A failure of counting rows by age', () => {
  const refusal = { sentence: "The server refused: you aren't allowed to truncate time series indices." };
  const rowsByAge = { phase: 'failed', curve: undefined, fit: undefined } as const;

  test('is said once if the dry run failed alike', () => {
    const view = wizardViewOf(
      { ...STATES.editing, failing: refusal },
      { rowsByAge: { ...rowsByAge, failing: refusal } },
    );
    assert.equal(view.failure?.sentence, refusal.sentence);
    assert.deepEqual([view.rowsByAge?.state, view.rowsByAge?.failure], ['failed', undefined]);
  });

  test('is said beside another one, and alone', () => {
    for (const state of [{ ...STATES.editing, failing: { sentence: 'The server is busy.' } }, STATES.editing]) {
      const view = wizardViewOf(state, { rowsByAge: { ...rowsByAge, failing: refusal } });
      assert.equal(view.rowsByAge?.failure?.sentence, refusal.sentence);
    }
  });
});

suite('The task', () => {
  test('is running, with ID, share and size before', () => {
    assert.deepEqual(
      wizardViewOf(STATES.running, { record: RECORD, progress: { counts: 'deleted', done: 5, total: 20 } }).task,
      {
        ...TASK,
        id: TASK_ID,
        state: 'running',
        canCheck: true,
        sentence: 'Deleting: 5 of 20 rows.',
        percent: 25,
        failures: [],
        requests: ['cancel'],
        pace: "Running for 1 sec. It can't be stopped from here.",
        sizeBefore: '8.1 GB',
        startedAt: NOW,
      },
    );
  });

  test("says why it can't be watched, and offers a sign-in only if that may help", () => {
    const told = (trouble?: Problem): unknown => {
      const { task } = wizardViewOf(STATES.running, { record: RECORD, ...(trouble && { watchProblem: trouble }) });
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
    const { task } = wizardViewOf(STATES.sent, { record, lastPoll: lastLook });
    assert.equal(
      task?.lastLook?.replaceAll('\u202F', ' '),
      'Counted at 12:00:00 PM. Rows to delete: 12 (before: 20). Rows to keep: 181 (before: 181).',
    );
    const later = wizardViewOf(STATES.sent, {
      record,
      lastPoll: { ...lastLook, at: NOW + 1_000 },
      now: NOW + 1_000,
    }).task;
    assert.notEqual(later?.lastLook, task?.lastLook, 'the same count, a second later');
    assert.equal(wizardViewOf(STATES.sent, { record }).task?.lastLook, undefined);
    assert.equal(wizardViewOf(STATES.sent, { record, lastPoll: lastLook, canCheck: false }).task?.lastLook, undefined);
    const ended = { ...record, ending: LOST, readers: lastLook.count };
    assert.equal(
      wizardViewOf(STATES.failed, { record: ended }).task?.lastLook,
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
      assert.equal(wizardViewOf(STATES.running, { record: RECORD, progress }).task?.percent, percent);
    }
  });

  test('is finished, with the next step and without the size at the end', () => {
    const { task } = wizardViewOf(STATES.finished, {
      record: { ...RECORD, ending: FINISHED, endedAt: NOW + DAY, runTimeMillis: MINUTE },
      progress: { counts: 'deleted', done: 1, total: 2 },
    });
    assert.deepEqual([task?.state, task?.percent, task?.endedAt], ['finished', 100, RECORD.sentAt + MINUTE]);
    assert.match(task?.next ?? '', /The index may keep its size/);
  });

  test('is finished, with the request that frees space', () => {
    const ended = { ...RECORD, ending: FINISHED, endedAt: NOW + MINUTE };
    const { task } = wizardViewOf(STATES.finished, { record: ended, indexName: 'dataset_operationaspect_v1' });
    assert.equal(task?.merge?.request, 'POST /dataset_operationaspect_v1/_forcemerge?only_expunge_deletes=true');
    const { task: before } = wizardViewOf(STATES.finished, { record: ended });
    assert.match(before?.merge?.request ?? '', /^POST \/<index>\//);
    assert.equal(wizardViewOf(STATES.running, { record: RECORD }).task?.merge, undefined);
  });

  test('shows the size before as "about" if the server may have reported a wrong one', () => {
    const record = { ...RECORD, sizePrecision: 'approximate' } as const;
    assert.equal(wizardViewOf(STATES.running, { record }).task?.sizeBefore, 'about 8.1 GB');
  });

  test('is finished without a time if that is unknown', () => {
    const { task } = wizardViewOf(STATES.finished, { record: { ...RECORD, ending: FINISHED, endedAt: NOW + DAY } });
    assert.equal(task?.endedAt, undefined);
  });

  test("is failed, with the server's failures", () => {
    const { task } = wizardViewOf(STATES.failed, { record: { ...RECORD, ending: FAILED } });
    assert.deepEqual(
      [task?.state, task?.failures, task?.next],
      ['failed', ['shard 3: no space'], judgementTexts.neverBegan().next],
    );
  });

  test('without a response is running while this window waits, and unknown elsewhere or later', () => {
    const { taskId: _, ...sent } = RECORD;
    const record = { ...sent, sessionId: SESSION_ID };
    const elsewhere = wizardViewOf(STATES.sent, { record: { ...sent, sessionId: 'another window' } }).task;
    assert.deepEqual([elsewhere?.state, elsewhere?.sentence], ['unknown', taskTexts.unanswered().sentence]);
    assert.equal(wizardViewOf(STATES.sent, { record }).task?.state, 'running');
    const lost = wizardViewOf(STATES.sent, { record, now: NOW + 4 * MINUTE }).task;
    assert.deepEqual([lost?.state, lost?.id], ['unknown', undefined]);
  });

  test('is restored after a reload', () => {
    assert.deepEqual(wizardViewOf(STATES.running, { record: RECORD }).restore, {
      connectionId: CONNECTION.id,
      recordId: RECORD.id,
    });
    assert.deepEqual(
      wizardViewOf(STATES.editing).restore,
      { connectionId: CONNECTION.id, recordId: RECORD.id },
      'known before anything is sent',
    );
  });
});

suite('The connection', () => {
  test('shows name, address and user', () => {
    assert.deepEqual(wizardViewOf(STATES.editing).connection, {
      name: 'Production',
      baseUrl: 'https://datahub.example.com',
      actor: 'jdoe',
      warning: undefined,
      role: undefined,
    });
  });

  test('warns about unencrypted HTTP, except on loopback', () => {
    const plain = { ...CONNECTION, baseUrl: 'http://10.0.0.7:8080', plainHttpOrigin: 'http://10.0.0.7:8080' };
    assert.match(wizardViewOf(STATES.editing, { connection: plain }).connection.warning ?? '', /isn't encrypted/);
    assert.equal(
      wizardViewOf(STATES.editing, { connection: { ...CONNECTION, baseUrl: 'http://localhost:8080' } }).connection
        .warning,
      undefined,
    );
  });

  test('says that it was removed', () =>
    assert.match(wizardViewOf(STATES.editing, { connection: undefined }).connection.warning ?? '', /was removed/));
});

test('The view passes on the indices, the size and the support of flags', () => {
  const indices = [{ entityType: 'dataset', aspect: 'operation', size: '8.1 GB' }];
  const shown = wizardViewOf(STATES.editing, { indices, indexSize: exactly(8_100_000_000), forceFlagsKnown: false });
  assert.deepEqual([shown.indices, shown.indexSize, shown.forceFlagsKnown], [indices, '8.1 GB', false]);
  assert.equal(wizardViewOf(STATES.editing).indexSize, undefined);
});

suite('Foreign text on the wizard page', () => {
  const odd = `\u202Edne eht\u202C\u001B[31m\u0007${'\n'.repeat(60)}at last ${'x'.repeat(400)}`;
  const shown = 'dne eht [31m at last xxx';
  const connection = { ...CONNECTION, name: odd, actorUrn: `urn:li:corpuser:${odd}` };
  const failing = { sentence: odd, next: odd };
  const ending = { kind: 'failed', reason: 'refused', failing, failures: [odd, odd] } as const;

  test('is one line without control characters, everywhere', () => {
    const views = [
      wizardViewOf(reviewed({ report: { ...UNKNOWN_WORDS, serverText: odd } }), { connection }),
      wizardViewOf({ ...STATES.failed, ending }, { connection }),
      wizardViewOf({ ...STATES.failed, ending }, { connection, record: { ...RECORD, taskId: odd, ending } }),
      wizardViewOf(STATES.running, { connection, record: RECORD, watchProblem: failing }),
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
    assert.deepEqual(wizardViewOf(STATES.editing, { indices }).indices, indices.slice(0, 1));
  });
});

suite("The view's texts", () => {
  test('are in the display language', (context) => {
    l10n.config({ contents: { 'Delete {0} Rows…': '{0} Zeilen löschen …' } });
    context.after(() => l10n.config({ contents: {} }));
    assert.equal(
      wizardViewOf(reviewed({}), { locale: 'de' }).primary.label,
      `${formatsOf('de').number(REVIEW.report.rows?.toDelete ?? 0)} Zeilen löschen …`,
    );
  });
});
