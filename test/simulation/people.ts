/** Actions of users: they truncate, and at any moment edit, sign in and out, remove, close, reload. */
import { CAUTION_KINDS } from '../../src/truncation/cautions.ts';
import { originOf, type Connection, type StoredConnection } from '../../src/connections/connection.ts';
import { replaceCredential, signInWith } from '../../src/connections/signIn.ts';
import { emptyDraft, type PlanDraft } from '../../src/truncation/plan.ts';
import type { DeletionStrategy } from '../../src/service/indices/truncationRequest.ts';
import type { JobRun } from '../../src/truncation/jobRun.ts';
import { ADDRESSES, type Machine } from './machine.ts';
import { ENTITY_TYPE, type Aspect } from './server.ts';
import { truncateSeveral } from './overviews.ts';
import { Random } from './random.ts';
import { onlyItem, type Window } from './window.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const THINKING_MILLIS = [50, 300, 2_000, 20_000];

/** Carries out a truncation, with a user's patience and mistakes. */
export async function truncate(machine: Machine, window: Window, connectionId: string): Promise<void> {
  const { random, timeline } = machine;
  const think = (): Promise<void> => window.pause(random.pick(THINKING_MILLIS));
  const aspect = random.weighted<Aspect>({ operation: 8, datasetprofile: 1, datasetusagestatistics: 1 });
  const run = await window.open(connectionId, anyDraft(machine, aspect));
  const item = onlyItem(run);
  item.edit(anyDraft(machine, aspect));
  for (let attempt = 0; attempt < 4; attempt++) {
    await think();
    if (random.chance(0.15)) {
      item.edit(anyDraft(machine, aspect));
    }
    if (item.state.phase === 'editing' || random.chance(0.1)) {
      await item.dryRun();
      await think();
    }
    if (item.state.phase === 'reviewed') {
      // Most users tick all boxes.
      if (random.chance(0.9)) {
        item.edit({ ...item.state.draft, acceptedCautions: CAUTION_KINDS });
      }
      timeline.note(`window ${window.id}: Delete`);
      const pressed = window.execute(run);
      // Some users click twice.
      await (random.chance(0.2) ? Promise.all([pressed, window.execute(run)]) : pressed);
    }
    if (['running', 'finished', 'failed'].includes(item.state.phase)) {
      await think();
      await reload(machine, window, run);
    }
  }
}

async function reload({ random }: Machine, window: Window, run: JobRun): Promise<void> {
  const { record, state } = onlyItem(run);
  if (record !== undefined && random.chance(0.5)) {
    await window.watch.checkNow(record).catch(() => undefined);
  }
  if (random.chance(0.5)) {
    run.startOver(state.draft);
  }
}

function anyDraft({ random, timeline }: Machine, aspect: Aspect): PlanDraft {
  const cutoff = timeline.wall - timeline.wallOffset - random.pick([20, 50, 80]) * DAY;
  const strategy = random.weighted<DeletionStrategy>({ server: 7, deleteByQuery: 2, reindex: 3 });
  return { ...emptyDraft(ENTITY_TYPE, aspect), endTimeMillis: Math.floor(cutoff), strategy };
}

export const DISTURBANCES = {
  editAddress: 6,
  rename: 1,
  setRole: 3,
  signIn: 3,
  rotate: 1,
  signOut: 2,
  removeConnection: 1,
  killWindow: 3,
  reloadWindow: 2,
  openWindow: 2,
  focusWindow: 4,
  closePage: 2,
  reopenPage: 2,
  setClock: 3,
  sleep: 1,
  newRows: 3,
  oldRows: 2,
  forgetTruncation: 1,
} as const;
type Disturbance = keyof typeof DISTURBANCES;

/**
 * Causes an unexpected event.
 * @returns its name
 */
export function disturb(machine: Machine): Disturbance {
  const { random, timeline } = machine;
  const what = random.weighted(DISTURBANCES);
  const window = machine.aliveWindows().at(random.whole(0, 3)) ?? machine.openWindow();
  timeline.note(`window ${window.id}: ${what}`);
  act(machine, window, what).catch(() => undefined);
  return what;
}

export async function act(machine: Machine, window: Window, what: Disturbance): Promise<void> {
  const { random, timeline, servers, ledger } = machine;
  const connections = window.store.all();
  const connection = connections.length === 0 ? undefined : random.pick(connections);
  const change = async (fields: Partial<StoredConnection>): Promise<void> => {
    await (connection && window.store.change(connection.id, () => fields));
  };
  switch (what) {
    case 'editAddress':
      return change({ baseUrl: random.pick(ADDRESSES) });
    case 'rename':
      return change({ name: `Renamed ${random.whole(1, 9)}` });
    case 'setRole':
      await (connection &&
        window.store.setRole(connection.id, random.pick(['readOnly', 'production', 'development'] as const)));
      return;
    case 'signIn':
      await (connection && signIn(machine, window, connection));
      return;
    case 'rotate':
      return connection && rotate(machine, window, connection);
    case 'signOut':
      return connection && window.credentials.signOut(connection);
    case 'removeConnection':
      return connection && window.remove(connection);
    case 'killWindow':
      window.die();
      return;
    case 'reloadWindow':
      window.close();
      resume(machine, machine.openWindow());
      return;
    case 'openWindow':
      resume(machine, machine.openWindow());
      return;
    case 'focusWindow':
      return window.focus();
    case 'closePage':
      window.pages.at(-1)?.dispose();
      return;
    case 'reopenPage':
      window.pages.at(-1)?.dispose();
      return connection && reopen(machine, window, connection.id);
    case 'setClock':
      timeline.wallOffset = random.pick([-3 * DAY, -2 * HOUR, -60_000, 0, 2 * HOUR]);
      return;
    case 'sleep':
      timeline.slept += random.whole(0, HOUR);
      return;
    case 'newRows':
      random.pick(servers).addRows(0);
      return;
    case 'oldRows':
      random.pick(servers).addRows(random.whole(1, 100) * DAY);
      return;
    case 'forgetTruncation': {
      const record = connection === undefined ? undefined : window.jobs.of(connection.id)[0];
      if (record !== undefined) {
        ledger.stored.forgotten.add(record.id);
        await window.jobs.dismiss(record, timeline.wall);
      }
    }
  }
}

/** Reloads a page: it shows the last truncation from the storage. */
async function reopen(machine: Machine, window: Window, connectionId: string): Promise<void> {
  await window.focus();
  const [record] = window.jobs.of(connectionId);
  if (record !== undefined) {
    machine.reachedPhases.add('a page is opened over a truncation that was sent');
    await reload(machine, window, await window.open(connectionId, record));
  }
}

/** Acts in a new window: the user looks at the tree, and truncates there too. */
export function resume(machine: Machine, window: Window): void {
  const { random } = machine;
  if (random.chance(0.7)) {
    window.watch.keepWatching();
  }
  window.later(random.pick(THINKING_MILLIS), () => {
    const [connection] = window.store.all();
    if (connection !== undefined) {
      const work = random.chance(0.3) ? truncateSeveral : truncate;
      work(machine, window, connection.id).catch(() => undefined);
    }
  });
}

/** Adds a connection, signed in or not. */
export async function addConnection(machine: Machine, window: Window): Promise<void> {
  const { random } = machine;
  const added = await saveConnection(machine, window, random.pick(ADDRESSES));
  // Most users sign in.
  await (random.chance(0.9) ? signIn(machine, window, added) : undefined);
}

/** @throws TypeError if it was removed meanwhile. */
export async function saveConnection(
  { random, timeline }: Machine,
  { store }: Window,
  baseUrl: string,
): Promise<Connection> {
  const id = crypto.randomUUID();
  const actorUrn = 'urn:li:corpuser:admin';
  const fields = { id, name: `Connection ${random.whole(1, 99)}`, baseUrl, actorUrn, createdAt: timeline.now };
  await store.add(fields, 'development');
  const added = store.get(id);
  if (added === undefined) {
    throw new TypeError('The connection was removed.');
  }
  return added;
}

export function signIn(machine: Machine, window: Window, connection: Connection): Promise<unknown> {
  return signInWith(window, connection, typedToken(machine, connection));
}

async function rotate(machine: Machine, window: Window, connection: Connection): Promise<void> {
  if ((await window.credentials.read(connection)) !== undefined) {
    await replaceCredential(window, connection, typedToken(machine, connection), undefined);
  }
}

/** The same tokens in all schedules, because masking prepares each token only once. */
function typedToken({ ledger: { origins } }: Machine, connection: Connection): string {
  const random = new Random(origins.size + 1);
  const token = Array.from({ length: 40 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join('');
  origins.set(token, originOf(connection));
  return token;
}
