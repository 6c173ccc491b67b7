import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { suite, test, type TestContext } from 'node:test';
import { executionGate } from '../../../src/truncation/executionGate.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import {
  addConnection,
  connectionTo,
  sharedStorage,
  windowOn,
  type SharedStorage,
  type Window,
} from '../connections/window.ts';
import { CREDENTIAL, failureOf } from '../service/clients.ts';
import { itemOf } from '../../../src/truncation/job.ts';
import { taskTexts } from '../../../src/truncation/texts/taskTexts.ts';
import { leaveTruncation } from './journals.ts';
import { FAILED, FINISHED, RECORD, REINDEX, UNANSWERED } from './samples.ts';

type GateOptions = Parameters<typeof executionGate>[1];

interface Stage {
  readonly shared: SharedStorage;
  readonly window: Window;
  /** About to be sent: stored, without a task. */
  readonly record: TruncationRecord;
  readonly gate: () => Promise<void>;
  /** Reading it may ask for a password. */
  readonly keychain: { isRead: () => Promise<void> };
}

async function stage(context: TestContext, change: Partial<GateOptions> = {}): Promise<Stage> {
  const shared = await sharedStorage(context);
  const keychain = { isRead: () => Promise.resolve() };
  const get: SharedStorage['secrets']['get'] = async (key) => {
    await keychain.isRead();
    return shared.secrets.get(key);
  };
  const window = windowOn({ ...shared, secrets: { ...shared.secrets, get } });
  const connection = await addConnection(window, connectionTo('https://datahub.example.com'), CREDENTIAL);
  const record = { ...UNANSWERED, connectionId: connection.id, baseUrl: connection.baseUrl, sentAt: Date.now() };
  const gate = executionGate(window, {
    connection,
    plan: record.plan,
    job: { connectionId: connection.id, id: itemOf(record.id).id },
    item: 0,
    obstacle: () => undefined,
    isDryRunTooOld: () => false,
    ...change,
  });
  await leaveTruncation(window.jobs, record);
  return { shared, window, record, gate, keychain };
}

suite('An execution may still be sent', () => {
  test('while its record is stored, its page is open and its dry run is recent', async (context) => {
    const { gate } = await stage(context);
    await gate();
  });

  for (const [what, change, refusal] of [
    [
      'has forgotten it',
      ({ jobs }, { record }) => jobs.dismiss(record, Date.now()),
      /was forgotten before it was sent/,
    ],
    [
      'has made its connection read-only',
      ({ store }, { record }) => store.setRole(record.connectionId, 'readOnly'),
      /read-only/,
    ],
  ] as readonly (readonly [string, (other: Window, on: Stage) => Promise<unknown>, RegExp])[]) {
    test(`but not once another window ${what} while the keychain asked for its password`, async (context) => {
      const on = await stage(context);
      on.keychain.isRead = async () => void (await change(windowOn(on.shared), on));
      assert.match((await failureOf(on.gate())).message, refusal);
    });
  }

  for (const [what, change, refusal] of [
    ['once its page is closed', { obstacle: taskTexts.pageClosed }, /the page was closed/],
    ['once its dry run is too old', { isDryRunTooOld: () => true }, /took too long/],
  ] as readonly (readonly [string, Partial<GateOptions>, RegExp])[]) {
    test(`but not ${what}`, async (context) => {
      const { gate } = await stage(context, change);
      assert.match((await failureOf(gate())).message, refusal);
    });
  }

  test('but not if the records can’t be read', async (context) => {
    const { shared, gate } = await stage(context);
    await rm(shared.path, { recursive: true });
    await writeFile(shared.path, 'no folder');
    assert.equal((await failureOf(gate())).kind, 'notSent');
  });

  const isSending = { taskId: undefined };
  const UNCHECKED = { ...FINISHED, readers: 'notChecked' } as const;
  const isLost = { sentAt: Date.now() - 600_000, taskId: undefined };
  for (const [what, change, refusal] of [
    ['is being sent', isSending, /is being sent or still running/],
    ['runs', {}, /is being sent or still running/],
    ['runs on another server', { baseUrl: 'https://before.example.com' }, undefined],
    ['reindexes', { report: REINDEX, ...isLost }, /may still be reindexing/],
    ['is a reindex that nobody checked', { report: REINDEX, ending: UNCHECKED }, / that hasn't been checked\.$/],
    [
      'is a reindex that failed',
      { report: REINDEX, ending: FAILED },
      /an earlier reindex of dataset\/datasetprofile failed\b/,
    ],
    ['has ended', { ending: FINISHED }, undefined],
    ['got no answer and deletes by query', isLost, undefined],
  ] as const) {
    test(`${refusal === undefined ? '' : 'but not '}while another one of its index ${what}`, async (context) => {
      const { shared, record, gate } = await stage(context);
      const { connectionId, baseUrl, sentAt } = record;
      const other = { ...RECORD, connectionId, baseUrl, sentAt, ...change, id: crypto.randomUUID() };
      await leaveTruncation(windowOn(shared).jobs, other as TruncationRecord);
      if (refusal === undefined) {
        await gate();
      } else {
        assert.match((await failureOf(gate())).message, refusal);
      }
    });
  }
});
