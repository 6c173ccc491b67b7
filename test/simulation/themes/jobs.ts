/** Two windows over one journal, or with one index, that act within milliseconds. */
import { CAUTION_KINDS } from '../../../src/truncation/cautions.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import type { JobRef } from '../../../src/truncation/job.ts';
import type { DeletionStrategy } from '../../../src/service/indices/truncation.ts';
import type { JobItem } from '../../../src/truncation/jobItem.ts';
import { ADDRESSES, type Machine } from '../machine.ts';
import { saveConnection, signIn } from '../people.ts';
import { NO_FATES } from '../network.ts';
import { ASPECTS, ENTITY_TYPE, type Aspect } from '../server.ts';
import { continueOn, dismiss, offered } from '../overviews.ts';
import { onlyItem, type Window } from '../window.ts';

const DAY = 86_400_000;
/** By then, an execution whose window died counts as lost, in ms. */
const LATER_MILLIS = 200_000;

export const JOB_PHASES: readonly string[] = [
  'job: both continue',
  'job: one dismisses',
  'job: one dismisses what the other one continues',
  'job: both truncate one index',
  'a window died while an execution was under way',
  'sent',
  'job: an index is truncated again afterwards',
];

export async function jobs(machine: Machine): Promise<void> {
  const { random, reachedPhases, timeline } = machine;
  const [one, other, id] = await twoWindows(machine);
  machine.deathRate = random.chance(0.3) ? 0.2 : 0;
  const isOneIndex = random.chance(0.2);
  const isInterrupted = !isOneIndex;
  await (isInterrupted ? interrupt(machine, one, id) : undefined);
  const left = offered(one, id);
  reachedPhases.add(isOneIndex ? 'job: both truncate one index' : 'job: both continue');
  machine.answersAt = random.chance(0.7) ? timeline.now + 1_500 : undefined;
  const apart = random.pick([0, 0, random.whole(0, 20), random.whole(0, 300)]);
  timeline.after(3_000, () => machine.aliveWindows().forEach((window) => window.die()));
  const strategy = random.pick<DeletionStrategy>(['reindex', 'server']);
  await both(one, other, apart, (window) => {
    if (left === undefined) {
      return truncate(machine, window, id, 'operation', strategy);
    }
    if (random.chance(0.1)) {
      reachedPhases.add('job: one dismisses');
      return dismiss(machine, window, left);
    }
    if (window === other && random.chance(0.2)) {
      reachedPhases.add('job: one dismisses what the other one continues');
      return dismissLater(machine, window, id);
    }
    return continueLeft(window, id);
  });
}

/** Each index can be truncated again some time later: a window that died blocks nothing for good, unless it reindexed. */
export async function truncateAgain(machine: Machine): Promise<void> {
  const { random, timeline, servers, ledger, reachedPhases } = machine;
  const mayBlock = reachedPhases.has('job: both truncate one index');
  if (mayBlock || !random.chance(0.2)) {
    return;
  }
  reachedPhases.add('job: an index is truncated again afterwards');
  machine.answersAt = undefined;
  servers[0]?.addRows(30 * DAY);
  void machine.pause(LATER_MILLIS);
  await timeline.run(timeline.now + LATER_MILLIS, 2_000);
  const window = machine.openWindow();
  window.watch.keepWatching();
  const sent = (): number => ledger.executions.length;
  const again = async (): Promise<void> => {
    await Promise.all([window.store.load(), window.jobs.load()]);
    const [connection] = window.store.all();
    for (const aspect of connection === undefined ? [] : ASPECTS) {
      const before = sent();
      let hasRows = true;
      // Sometimes the answer to the question is no.
      for (let tries = 0; tries < 10 && sent() === before; tries++) {
        const { state } = await truncate(machine, window, connection?.id ?? '', aspect, 'deleteByQuery');
        hasRows = 'review' in state && state.review.report.rows?.toDelete !== 0;
        // Time to see the end of one that still ran.
        await window.pause(60_000);
      }
      // A lost shard can hide all rows to delete.
      ledger.triedAgain(aspect, sent() > before || !hasRows);
    }
  };
  const trying = again().catch(() => undefined);
  await timeline.run(timeline.now + 40 * 60_000, 20_000);
  await Promise.race([trying, new Promise(setImmediate)]);
}

async function twoWindows(machine: Machine): Promise<readonly [one: Window, other: Window, connectionId: string]> {
  const { network } = machine;
  machine.patience = [5, 5, 50];
  machine.deathRate = 0;
  network.fates = NO_FATES;
  const one = machine.openWindow();
  const added = await saveConnection(machine, one, ADDRESSES[0]);
  await signIn(machine, one, added);
  const other = machine.openWindow();
  await Promise.all([one, other].flatMap(({ store, jobs: stored }) => [store.load(), stored.load()]));
  return [one, other, added.id];
}

/** Leaves a job interrupted by the death of its window. */
async function interrupt({ random, timeline }: Machine, window: Window, connectionId: string): Promise<void> {
  const endTimeMillis = Math.floor(timeline.wall - 20 * DAY);
  const [batchSize, timeoutSeconds] = [random.pick([1_000, 10_000]), random.chance(0.5) ? 600 : undefined];
  const ref: JobRef = { connectionId, id: crypto.randomUUID() };
  await window.jobs.create(ref, {
    kind: 'planned',
    at: Math.round(timeline.wall),
    baseUrl: ADDRESSES[0],
    origin: 'overview',
    items: ASPECTS.slice(0, random.whole(1, 2)).map((aspect) => ({
      plan: {
        entityType: ENTITY_TYPE,
        aspect,
        endTimeMillis,
        batchSize,
        timeoutSeconds,
        strategy: 'deleteByQuery',
      },
    })),
  });
}

/** Dismisses the job that is shown by the time that the other window begins to send. */
async function dismissLater(machine: Machine, window: Window, connectionId: string): Promise<void> {
  const { random, timeline, answersAt } = machine;
  await window.pause((answersAt ?? timeline.now) - timeline.now + random.whole(0, 250));
  await window.jobs.reload();
  const shown = offered(window, connectionId);
  if (shown !== undefined) {
    await dismiss(machine, window, shown);
  }
}

async function continueLeft(window: Window, connectionId: string): Promise<void> {
  const opened = window.openOverview(connectionId);
  await window.jobs.reload();
  const left = offered(window, connectionId);
  if (left !== undefined) {
    await continueOn(opened, left);
    await window.execute(opened);
  }
}

async function truncate(
  { timeline }: Machine,
  window: Window,
  connectionId: string,
  aspect: Aspect,
  strategy: DeletionStrategy,
): Promise<JobItem> {
  const draft = { ...emptyDraft(ENTITY_TYPE, aspect), strategy };
  const run = await window.open(connectionId, { ...draft, endTimeMillis: Math.floor(timeline.wall - 20 * DAY) });
  const item = onlyItem(run);
  await item.dryRun();
  item.edit({ ...item.state.draft, acceptedCautions: CAUTION_KINDS });
  await run.execute(window.ask);
  return item;
}

/** @param apart delay of the second one, in ms */
async function both(
  one: Window,
  other: Window,
  apart: number,
  act: (window: Window) => Promise<unknown>,
): Promise<void> {
  const later = other.pause(apart).then(() => act(other));
  await Promise.all([act(one), later].map((acting) => acting.catch(() => undefined)));
}
