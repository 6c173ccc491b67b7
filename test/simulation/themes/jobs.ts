/** Two windows that truncate one index within milliseconds. */
import { CAUTION_KINDS } from '../../../src/truncation/cautions.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import type { DeletionStrategy } from '../../../src/service/indices/truncation.ts';
import type { JobItem } from '../../../src/truncation/jobItem.ts';
import { ADDRESSES, type Machine } from '../machine.ts';
import { saveConnection, signIn } from '../people.ts';
import { NO_FATES } from '../network.ts';
import { ASPECTS, ENTITY_TYPE, type Aspect } from '../server.ts';
import { onlyItem, type Window } from '../window.ts';

const DAY = 86_400_000;
/** By then, an execution whose window died counts as lost, in ms. */
const LATER_MILLIS = 200_000;

export const JOB_PHASES: readonly string[] = [
  'job: both truncate one index',
  'job: both truncate one index, which may be reindexed',
  'a window died while an execution was under way',
  'sent',
  'job: an index is truncated again afterwards',
];

export async function jobs(machine: Machine): Promise<void> {
  const { random, reachedPhases, timeline } = machine;
  const [one, other, id] = await twoWindows(machine);
  machine.deathRate = random.chance(0.3) ? 0.2 : 0;
  machine.answersAt = random.chance(0.7) ? timeline.now + 1_500 : undefined;
  const apart = random.pick([0, 0, random.whole(0, 20), random.whole(0, 300)]);
  timeline.after(3_000, () => machine.aliveWindows().forEach((window) => window.die()));
  const strategy = random.pick<DeletionStrategy>(['reindex', 'server', 'deleteByQuery', 'deleteByQuery']);
  reachedPhases.add('job: both truncate one index');
  if (strategy !== 'deleteByQuery') {
    reachedPhases.add('job: both truncate one index, which may be reindexed');
  }
  await both(one, other, apart, (window) => truncate(machine, window, id, 'operation', strategy));
}

/** Each index can be truncated again some time later: a window that died blocks nothing for good, unless it reindexed. */
export async function truncateAgain(machine: Machine): Promise<void> {
  const { random, timeline, servers, ledger, reachedPhases } = machine;
  const mayBlock = reachedPhases.has('job: both truncate one index, which may be reindexed');
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
