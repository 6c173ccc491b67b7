/** Roles that are chosen in one window while others write something else, choose too, or are about to delete. */
import type { StoredRole } from '../../../src/connections/role.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import type { Machine } from '../machine.ts';
import { NO_FATES } from '../network.ts';
import { chooseRole } from '../roles.ts';
import { ENTITY_TYPE } from '../server.ts';
import { onlyItem, type Window } from '../window.ts';
import { connect } from './connect.ts';

const DAY = 86_400_000;

export const ROLE_PHASES: readonly string[] = [
  'a role is chosen',
  'a role is chosen that is laxer',
  'roles: two choose at about the same time',
  'roles: another window writes something else at about the same time',
  'roles: an execution is asked for after a choice',
  'roles: an execution is asked for before a choice',
  'roles: an execution is sent',
  'roles: an execution is sent where Development was chosen',
  'roles: the window of a choice dies',
  'a storage that fails',
  'roles: a window shows what was chosen last',
];

export async function roles(machine: Machine): Promise<void> {
  const { random, network } = machine;
  machine.patience = [5, 300, 2_500];
  machine.deathRate = 0;
  network.fates = { mutations: NO_FATES, others: NO_FATES };
  const first = machine.openWindow();
  const { id } = await connect(machine, first);
  const windows = [first, ...Array.from({ length: random.whole(1, 2) }, () => machine.openWindow())];
  await Promise.all(windows.map((window) => window.store.load()));
  machine.storageMayFail();
  for (let round = random.whole(1, 3); round > 0; round--) {
    await chooseAtOnce(machine, machine.aliveWindows(), id);
  }
}

/** Chooses a role while the other windows act at about the same time. */
async function chooseAtOnce(machine: Machine, windows: readonly Window[], id: string): Promise<void> {
  const { random, reachedPhases } = machine;
  const chooser = random.pick(windows);
  const others = windows.filter((window) => window !== chooser);
  const happening = [at(chooser, 150, () => choose(machine, chooser, id))];
  for (const window of others) {
    if (random.chance(0.7)) {
      reachedPhases.add('roles: another window writes something else at about the same time');
      happening.push(at(window, random.whole(0, 300), () => rename(machine, window, id)));
    }
    if (random.chance(0.2)) {
      reachedPhases.add('roles: two choose at about the same time');
      happening.push(at(window, random.pick([150, random.whole(100, 400)]), () => choose(machine, window, id)));
    }
  }
  if (random.chance(0.3)) {
    reachedPhases.add('roles: an execution is asked for before a choice');
    happening.push(at(random.pick(windows), 0, (window) => truncate(machine, window, id)));
  }
  await Promise.all(happening);
  if (random.chance(0.1) && machine.aliveWindows().length > 1) {
    reachedPhases.add('roles: the window of a choice dies');
    chooser.die();
  }
  await machine.pause(random.pick([0, 700, 1_500, 5_000]));
  if (random.chance(0.7)) {
    reachedPhases.add('roles: an execution is asked for after a choice');
    await truncate(machine, random.pick(machine.aliveWindows()), id).catch(() => undefined);
  }
}

async function at(window: Window, millis: number, act: (window: Window) => Promise<unknown>): Promise<void> {
  await window.pause(millis);
  await act(window).catch(() => undefined);
}

function choose(machine: Machine, window: Window, id: string): Promise<void> {
  return chooseRole(
    machine,
    window,
    id,
    machine.random.weighted<StoredRole['role']>({ readOnly: 4, production: 2, development: 4 }),
  );
}

/** Changes something that has nothing to do with the role. */
function rename({ random }: Machine, { store }: Window, id: string): Promise<unknown> {
  return store.change(id, () => ({ name: `Renamed ${random.whole(1, 9)}` }));
}

async function truncate(machine: Machine, window: Window, id: string): Promise<void> {
  const draft = emptyDraft(ENTITY_TYPE, machine.random.pick(['operation', 'datasetprofile']));
  const run = await window.open(id, { ...draft, endTimeMillis: Math.floor(machine.timeline.wall - 20 * DAY) });
  await onlyItem(run).dryRun();
  await run.execute(window.ask);
  if (onlyItem(run).record !== undefined) {
    machine.reachedPhases.add('roles: an execution is sent');
    if (window.store.get(id)?.role === 'developmentChosen') {
      machine.reachedPhases.add('roles: an execution is sent where Development was chosen');
    }
  }
  run.dispose();
}
