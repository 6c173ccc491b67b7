import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Connection } from '../../../../../src/connections/connection.ts';
import { ageHistogramOf, type RowsByAgeState } from '../../../../../src/rowsByAge/ageHistogram.ts';
import { ServiceFailure } from '../../../../../src/service/failure/failure.ts';
import type { TruncationRecord } from '../../../../../src/truncation/sentTruncation.ts';
import { sentState, type TruncationState } from '../../../../../src/truncation/state.ts';
import type { PlanDraft } from '../../../../../src/truncation/plan.ts';
import { problemOf } from '../../../../../src/truncation/problem.ts';
import { taskTexts } from '../../../../../src/truncation/texts/taskTexts.ts';
import { requestFailure, truncationTabTitle } from '../../../../../src/pages/truncation/host/view.ts';
import type { TruncationPageView } from '../../../../../src/pages/truncation/protocol.ts';
import { INDICES, countedIn, wholeCurve } from '../../../rowsByAge/ages.ts';
import {
  CONNECTION,
  DRAFT,
  FAILED,
  NOTHING_TO_DELETE,
  NOW,
  RECORD,
  REINDEX,
  REVIEW,
  STATES,
  UNKNOWN_WORDS,
  endProblem,
  type Place,
} from '../../../truncation/samples.ts';
import { pageViewOf, reviewed } from '../pageViews.ts';

test('The tab of a truncation names index and connection, and how it stands once it was sent', () => {
  const titleOf = (state: TruncationState, isNamedByUser = false): string =>
    truncationTabTitle({ connection: CONNECTION, state, isNamedByUser, now: NOW });
  const form = 'Truncate dataset/datasetProfile (Production)';
  assert.equal(titleOf(STATES.recounted), form);
  assert.equal(titleOf(STATES.editing, true), 'Truncate dataset/datasetprofile (Production)');
  assert.equal(titleOf(STATES.running), `${form} · running`);
  assert.equal(titleOf(STATES.finished), `${form} · 20 rows deleted`);
  assert.equal(titleOf(STATES.failed), `${form} · failed`);
});

suite('The primary button', () => {
  const deleting = { intent: 'execute', label: 'Delete 20 Rows…', enabled: false, reason: undefined } as const;
  const close = { intent: 'close', label: 'Close', enabled: true, reason: undefined } as const;
  const buttons: Readonly<Record<Place, TruncationPageView['primary']>> = {
    editing: { intent: 'dryRun', label: 'Dry Run', enabled: true, reason: undefined },
    dryRunning: { intent: 'dryRun', label: 'Dry Run', enabled: false, reason: undefined },
    reviewed: { ...deleting, enabled: true },
    confirming: deleting,
    recounting: deleting,
    recounted: deleting,
    sent: close,
    running: close,
    finished: close,
    failed: close,
  };
  for (const [place, primary] of Object.entries(buttons) as [Place, TruncationPageView['primary']][]) {
    test(`${place}: ${primary.label}${primary.enabled ? '' : ', not yet'}`, () =>
      assert.deepEqual(pageViewOf(STATES[place]).primary, primary));
  }

  test('goes back to the overview while that is open', () =>
    assert.equal(pageViewOf(STATES.running, { isOverviewOpen: true }).primary.label, 'Back to Overview'));

  for (const [what, review, label] of [
    ['groups digits', { report: REINDEX }, 'Delete 134,517 Rows…'],
    ['executes from an unreadable report, which has a caution', { report: UNKNOWN_WORDS }, 'Delete Rows…'],
    ['goes back if no rows would be deleted', { report: NOTHING_TO_DELETE }, 'Back'],
    ['asks for another dry run if the last one is too old', { notice: 'tooOld' }, 'Dry Run Again'],
  ] as const) {
    test(what, () => {
      const { primary } = pageViewOf(reviewed(review));
      assert.deepEqual([primary.label, primary.enabled], [label, true]);
    });
  }

  test('of a read-only connection makes dry runs, and says why it deletes nothing', () => {
    const connection: Connection = { ...CONNECTION, role: 'readOnly' };
    assert.equal(pageViewOf(STATES.editing, { connection }).primary.enabled, true);
    const { primary } = pageViewOf(reviewed({}), { connection });
    assert.deepEqual([primary.intent, primary.enabled], ['execute', false]);
    assert.match(primary.reason ?? '', /read-only/);
    assert.equal(pageViewOf(reviewed({ notice: 'tooOld' }), { connection }).primary.enabled, true);
  });

  test('needs each caution of a review accepted', () => {
    const cautions = [{ kind: 'reindex' }, { kind: 'noRowStays' }] as const;
    const isEnabled = (...acceptedCautions: PlanDraft['acceptedCautions']): boolean =>
      pageViewOf(reviewed({}, { ...DRAFT, acceptedCautions }), { cautions }).primary.enabled;
    assert.deepEqual([isEnabled(), isEnabled('reindex'), isEnabled('noRowStays', 'reindex')], [false, false, true]);
    const shownIn = (state: TruncationPageView['cautions']): unknown => state.map(({ kind }) => kind);
    assert.deepEqual(shownIn(pageViewOf(STATES.reviewed, { cautions }).cautions), ['reindex', 'noRowStays']);
    assert.deepEqual(shownIn(pageViewOf(STATES.editing, { cautions }).cautions), []);
    assert.deepEqual(shownIn(pageViewOf(STATES.running, { cautions }).cautions), []);
  });
});

suite('The page', () => {
  test('names the index as the user spelled it where the server lists no names', () => {
    const nameOf = (isNamedByUser: boolean): string => pageViewOf(STATES.editing, { isNamedByUser }).indexName;
    assert.deepEqual([true, false].map(nameOf), ['dataset/datasetprofile', 'dataset/datasetProfile']);
  });

  test('offers a strategy if the server is known to support it', () => {
    const canChoose = (forceFlagsKnown: boolean): boolean =>
      pageViewOf(STATES.editing, { forceFlagsKnown }).canChooseStrategy;
    assert.deepEqual([canChoose(true), canChoose(false)], [true, false]);
  });
});

suite('The connection', () => {
  test('shows name, address and user, and a role that is worth a warning', () => {
    const told = (role: Connection['role']): unknown =>
      pageViewOf(STATES.editing, { connection: { ...CONNECTION, role } }).connection;
    const shown = { name: 'Production', baseUrl: 'https://datahub.example.com', actor: 'jdoe', warning: undefined };
    assert.deepEqual(told('production'), { ...shown, role: { kind: 'production', name: 'Production' } });
    assert.deepEqual(told('readOnly'), { ...shown, role: { kind: 'readOnly', name: 'Read-only' } });
    assert.deepEqual(told('development'), { ...shown, role: undefined });
  });

  test('warns about unencrypted HTTP, except on loopback', () => {
    const warningOf = (connection: Connection): string =>
      pageViewOf(STATES.editing, { connection }).connection.warning ?? '';
    const plain = { baseUrl: 'http://10.0.0.7:8080', plainHttpOrigin: 'http://10.0.0.7:8080' };
    assert.match(warningOf({ ...CONNECTION, ...plain }), /isn't encrypted/);
    assert.equal(warningOf({ ...CONNECTION, baseUrl: 'http://localhost:8080' }), '');
  });
});

suite('A failure', () => {
  const failing = { sentence: 'Nobody listens.', next: 'Check the address.' };
  for (const [what, state, shown] of [
    ['before a review', { ...STATES.editing, failing }, failing],
    ['at a review', { ...STATES.reviewed, failing }, failing],
    ['after a refusal', { phase: 'failed', draft: DRAFT, review: REVIEW, failing }, failing],
  ] as const) {
    test(`is shown ${what}`, () =>
      assert.deepEqual(pageViewOf(state).failure, { ...shown, isSignedOut: undefined, hasDetails: false }));
  }

  test('offers its details only if it has some, which stay in the host', () => {
    const thrown = problemOf(new ServiceFailure('refused', 'Not allowed.'));
    for (const [one, hasDetails] of [
      [taskTexts.unsent(thrown), true],
      [taskTexts.connectionChanged(), false],
    ] as const) {
      const state = { ...STATES.editing, failing: one };
      const { failure } = pageViewOf(state);
      assert.deepEqual([failure?.hasDetails, failure && 'failure' in failure], [hasDetails, false]);
      assert.equal(requestFailure(state)?.failure, hasDetails ? thrown.failure : undefined);
    }
  });

  test('offers a sign-in if one is missing', () => {
    const signedOut = problemOf(new ServiceFailure('signedOut', 'Nobody is signed in.'));
    assert.equal(pageViewOf({ ...STATES.editing, failing: signedOut }).failure?.isSignedOut, true);
    const other = problemOf(new ServiceFailure('refused', 'Not allowed.'));
    assert.equal(pageViewOf({ ...STATES.editing, failing: other }).failure?.isSignedOut, undefined);
  });

  test('of a task is shown once, as part of the outcome, with the next step', () => {
    const { failure, outcome } = pageViewOf(STATES.failed);
    const { sentence, next } = endProblem({ ...RECORD, ending: FAILED });
    assert.equal(failure, undefined);
    assert.deepEqual([outcome?.mark, outcome?.headline, outcome?.next], ['failed', sentence, next]);
  });
});

suite('Rows by age on the page', () => {
  const histogram = ageHistogramOf(wholeCurve(countedIn(INDICES.uniform)));
  const complete: RowsByAgeState = { ...histogram, phase: 'complete', left: 12, failing: undefined };

  test('are as they were counted', () =>
    assert.deepEqual(pageViewOf(STATES.editing, { rowsByAge: complete }).rowsByAge, complete));

  test('show a failure in one line', () => {
    const failing = { sentence: 'Refused.\nYes.', next: 'Ask.' };
    const { rowsByAge } = pageViewOf(STATES.editing, { rowsByAge: { ...complete, phase: 'failed', failing } });
    assert.deepEqual(rowsByAge?.failing, { sentence: 'Refused. Yes.', next: 'Ask.', isSignedOut: undefined });
  });
});

test('Foreign text on the page is one line without control characters, everywhere', () => {
  const odd = `\u202Edne eht\u202C\u001B[31m\u0007${'\n'.repeat(60)}at last ${'x'.repeat(400)}`;
  const shown = 'dne eht [31m at last xxx';
  const connection = { ...CONNECTION, name: odd, actorUrn: `urn:li:corpuser:${odd}` };
  const failing = { sentence: odd, next: odd };
  const record: TruncationRecord = { ...RECORD, taskId: odd, taskEnd: { kind: 'short', cancelled: odd } };
  const views = [
    pageViewOf(reviewed({ report: { ...UNKNOWN_WORDS, serverText: odd } }), { connection }),
    pageViewOf({ phase: 'failed', draft: DRAFT, review: REVIEW, failing }, { connection }),
    pageViewOf(sentState({ ...record, ending: { kind: 'failed', reason: 'endedEarly' } }), { connection }),
    pageViewOf(STATES.running, { connection, lastPoll: { at: NOW, problem: failing } }),
  ];
  const details = views.flatMap(({ report, outcome }) => [...(report?.details ?? []), ...(outcome?.details ?? [])]);
  const quoted = details.flatMap((one) => [one.quoted, one.code]);
  const texts = views.flatMap(({ failure, outcome, connection: one }) => [
    failure?.sentence,
    failure?.next,
    outcome?.headline,
    outcome?.next,
    one.name,
  ]);
  // A server's response, a failure, a headline and its next step, a task's ID, four names.
  assert.equal([...texts, ...quoted].filter((text) => text?.startsWith(shown)).length, 1 + 2 + 2 + 1 + 4);
  assert.match(views[0]?.report?.scope ?? '', /, as urn:li:corpuser: dne eht \[31m at last xxx/);
  // Everything sent to the page, without the escapes of JSON.
  assert.doesNotMatch(JSON.stringify(views), /\\[nrtbfu]|[\p{Cc}\u202A-\u202E]/u);
  assert.ok(quoted.every((text = '') => text.length <= 300));
});
