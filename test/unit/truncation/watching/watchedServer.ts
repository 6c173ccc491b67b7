/** A truncation that a window watches, on a server that a test changes. */
import type { TestContext } from 'node:test';
import { itemOf, type JobRef } from '../../../../src/truncation/storedJob.ts';
import type { TruncationRecord } from '../../../../src/truncation/sentTruncation.ts';
import { TaskWatch } from '../../../../src/truncation/watching/watch.ts';
import {
  addConnection,
  connectionTo,
  sharedStorage,
  windowOn,
  type SharedStorage,
  type Window,
} from '../../connections/window.ts';
import { reply, wireServer } from '../../service/wireServer.ts';
import { SteppedClock } from '../../steppedClock.ts';
import { leaveTruncation } from '../journals.ts';
import { NOW, RECORD, TASK_ID, dryRunText } from '../samples.ts';

export interface ServerTruth {
  /** Undefined: the server doesn't say. */
  release: string | undefined;
  /** Status of the task, or an HTTP status; undefined: the server lacks the action. */
  task: object | number | undefined;
  /** Rows that searches find: dated at or before the cutoff, and later ones. */
  toDelete: number;
  kept: number;
  /** Makes dry runs fail. */
  isDown: boolean;
  /** Makes dry runs respond without counts. */
  isUnreadable: boolean;
  counted: () => Promise<void> | void;
}

export interface Watching {
  readonly window: Window;
  readonly shared: SharedStorage;
  readonly watch: TaskWatch;
  readonly clock: SteppedClock;
  readonly server: ServerTruth;
  /** Record of an existing connection. Not stored yet. */
  readonly record: TruncationRecord;
  /** Actions that were requested. */
  readonly asked: () => (string | null)[];
  readonly shown: TruncationRecord[];
  /** Stores the record, looks several times with pauses, and returns what is stored then. */
  look(times?: number, pauseMillis?: number): Promise<TruncationRecord | undefined>;
  readonly stored: () => TruncationRecord | undefined;
}

export const BASELINE = { countedUpTo: NOW, kept: 181 };

export function task(completed: boolean, counts: object, more: object = {}): object {
  const status = { total: 20, created: 0, updated: 0, deleted: 0, version_conflicts: 0, ...counts };
  return { completed, taskId: TASK_ID, status: JSON.stringify(status), ...more };
}

export async function watching(context: TestContext, change: Partial<TruncationRecord> = {}): Promise<Watching> {
  const truth: ServerTruth = {
    release: undefined,
    task: task(true, { deleted: 20 }),
    toDelete: 0,
    kept: BASELINE.kept,
    isDown: false,
    isUnreadable: false,
    counted: () => undefined,
  };
  const server = await wireServer(context, async ({ path, body }, response) => {
    if (path.includes('getEsTaskStatus')) {
      if (truth.task === undefined) {
        const message = "POST operation named getEsTaskStatus not supported on resource '/operations'";
        return reply(response, 400, { exceptionClass: 'RestLiServiceException', message, status: 400 });
      }
      return typeof truth.task === 'number'
        ? reply(response, truth.task, { message: 'User is unauthorized', status: truth.task })
        : reply(response, 200, { value: JSON.stringify(truth.task) });
    }
    if (!path.includes('truncate')) {
      const versions = truth.release === undefined ? {} : { 'acryldata/datahub': { version: truth.release } };
      return reply(response, 200, { noCode: 'true', versions });
    }
    await truth.counted();
    const { endTimeMillis } = JSON.parse(body) as { endTimeMillis: number };
    const upToThen = truth.toDelete + truth.kept;
    const toDelete = endTimeMillis === RECORD.plan.endTimeMillis ? truth.toDelete : upToThen;
    const text = truth.isUnreadable ? 'The moon is full.' : dryRunText(toDelete, upToThen, 'deleteByQuery');
    return truth.isDown
      ? reply(response, 400, { message: 'Down', status: 400 })
      : reply(response, 200, { value: text });
  });
  const shared = await sharedStorage(context);
  const window = windowOn(shared);
  const { id: connectionId, baseUrl } = await addConnection(window, connectionTo(server.url));
  const clock = new SteppedClock(NOW);
  const shown: TruncationRecord[] = [];
  const watch = new TaskWatch(window.jobs, window.services, window.store, clock);
  watch.onDidChange((one) => shown.push(one));
  context.after(() => watch.dispose());
  const record = { ...RECORD, baseline: BASELINE, ...change, connectionId, baseUrl };
  const stored = (): TruncationRecord | undefined => window.jobs.get(connectionId, record.id);
  return {
    window,
    shared,
    watch,
    clock,
    server: truth,
    record,
    shown,
    asked: () => server.requests.map(({ path }) => new URL(path, server.url).searchParams.get('action')),
    look: async (times = 1, pauseMillis = 2_500) => {
      if (stored() === undefined) {
        await leaveTruncation(window.jobs, record);
      }
      for (let time = 0; time < times; time++) {
        clock.advance(pauseMillis);
        await watch.checkNow(record);
      }
      return stored();
    },
    stored,
  };
}

export function laterThan(record: TruncationRecord, change: Partial<TruncationRecord> = {}): TruncationRecord {
  return { ...record, id: `${crypto.randomUUID()}.0`, sentAt: record.sentAt + 1, ...change };
}

export function jobOf({ connectionId, id }: TruncationRecord): JobRef {
  return { connectionId, id: itemOf(id).id };
}

/** Waits until the watch has set a timer, since it reads records and ends a look first. */
export async function nextTimer(clock: SteppedClock): Promise<void> {
  while (clock.waiting === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
