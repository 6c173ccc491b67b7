/** Windows that sign in and out, rotate, move or remove one connection shortly after each other, in VS Code or browsers. */
import { emptyDraft } from '../../../src/truncation/plan.ts';
import type { Machine } from '../machine.ts';
import { NO_FATES } from '../network.ts';
import { act, type Disturbance } from '../people.ts';
import { ENTITY_TYPE } from '../server.ts';
import { onlyItem, type Window } from '../window.ts';
import { connect } from './connect.ts';

const DAY = 86_400_000;
/** Between a click in one window and one in the next. */
const CLICK_MILLIS = [100, 500] as const;

const CHANGES = {
  signIn: 4,
  rotate: 3,
  signOut: 3,
  editAddress: 1,
  removeConnection: 1,
  focusWindow: 2,
  killWindow: 1,
} as const satisfies Partial<Record<Disturbance, number>>;

export const SIGN_IN_PHASES: readonly string[] = [
  ...Object.keys(CHANGES).map((what) => `signIns: ${what}`),
  'signIns: in VS Code',
  'signIns: in a browser',
  'signIns: in two browsers',
  'signIns: an execution is sent',
  'signIns: an execution is sent through a connection that is signed out',
  'signIns: a new window is signed in',
  'signIns: a new window is not signed in',
  'a storage that fails',
];

export async function signIns(machine: Machine): Promise<void> {
  const { random, network, reachedPhases, workbenches } = machine;
  machine.patience = [5, 300, 2_500];
  machine.deathRate = 0;
  network.fates = { mutations: NO_FATES, others: NO_FATES };
  const isInBrowser = workbenches[0]?.secrets.isOfBrowser === true;
  reachedPhases.add(`signIns: in ${isInBrowser ? (workbenches.length > 1 ? 'two browsers' : 'a browser') : 'VS Code'}`);
  const first = machine.openWindow();
  const { id } = await connect(machine, first);
  const windows = [first, ...Array.from({ length: random.whole(1, 2) }, () => machine.openWindow())];
  await Promise.all(windows.map((window) => window.store.load()));
  machine.disk.mayHang = false;
  machine.storageMayFail();
  for (let round = random.whole(1, 3); round > 0; round--) {
    await changeEach(machine, id);
    await machine.pause(random.pick([0, 700, 1_500, 5_000]));
    await Promise.race([
      Promise.all(machine.aliveWindows().map((window) => truncate(machine, window, id))),
      machine.pause(10_000),
    ]);
  }
}

/** A person clicks in one window after the other, and waits for no end. */
async function changeEach(machine: Machine, id: string): Promise<void> {
  const acting: Promise<void>[] = [];
  for (const window of machine.aliveWindows()) {
    await machine.pause(machine.random.whole(...CLICK_MILLIS));
    acting.push(change(machine, window, id));
  }
  await Promise.all(acting);
}

async function change(machine: Machine, window: Window, id: string): Promise<void> {
  const { random, reachedPhases, timeline } = machine;
  const what = random.weighted(CHANGES);
  if (window.store.get(id) !== undefined) {
    reachedPhases.add(`signIns: ${what}`);
    timeline.note(`window ${window.id}: ${what}`);
    const acting = act(machine, window, what).catch((thrown: unknown) => machine.say(String(thrown)));
    await Promise.race([acting, machine.pause(2_000)]);
  }
}

async function truncate({ random, timeline, reachedPhases }: Machine, window: Window, id: string): Promise<void> {
  if (random.chance(0.5)) {
    return;
  }
  const draft = emptyDraft(ENTITY_TYPE, random.pick(['operation', 'datasetprofile']));
  const run = await window.open(id, { ...draft, endTimeMillis: Math.floor(timeline.wall - 20 * DAY) });
  await onlyItem(run).dryRun();
  await run.execute(window.ask).catch(() => undefined);
  if (onlyItem(run).record !== undefined) {
    reachedPhases.add('signIns: an execution is sent');
    if (window.store.get(id)?.signedOutAt !== undefined && window.store.get(id)?.signIn === undefined) {
      reachedPhases.add('signIns: an execution is sent through a connection that is signed out');
    }
  }
  run.dispose();
}
