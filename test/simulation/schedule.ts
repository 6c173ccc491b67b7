/** One schedule: a seed determines a few windows, a few users and everything that can go wrong. */
// Otherwise the first request would load it, and the timeline would not wait for that.
import 'graphql-request';
import { Machine } from './machine.ts';
import { FATES } from './network.ts';
import { DISTURBANCES, addConnection, disturb, resume } from './people.ts';
import { JOB_PHASES } from './overviews.ts';
import { Random } from './random.ts';
import type { Window } from './window.ts';

export interface Outcome {
  readonly seed: number;
  /** Phases that were reached; see `PHASES`. */
  readonly reached: ReadonlySet<string>;
  readonly trace: readonly string[];
  /** The broken promise, if any. */
  readonly violation: string | undefined;
}

/** Phases that some schedules must reach, or they prove nothing. */
export const PHASES: readonly string[] = [
  ...'editing dryRunning reviewed confirming recounting recounted sent running finished failed'.split(' '),
  'reported: finished',
  'reported: finished, clean',
  'reported: finished, rowsLeft',
  'reported: finished, notChecked',
  'reported: failed',
  'reported: unknown',
  'back to review: grew',
  'back to review: changed',
  'back to review: tooOld',
  'taken back: the connection changed',
  'rows may be hidden',
  'not sent: rows may be hidden',
  'a storage that fails',
  'a window died while an execution was under way',
  'the prompt for a name was cancelled',
  'a question could not be asked',
  'another window sent while a question was open',
  'a page is opened over a truncation that was sent',
  ...JOB_PHASES,
  ...Object.keys(FATES).map((fate) => `an execution: ${fate}`),
  ...Object.keys(DISTURBANCES).map((what) => `disturbed: ${what}`),
];

const LONGEST_MILLIS = 3 * 3_600_000;
const MOST_EVENTS = 600;

export async function runSchedule(seed: number): Promise<Outcome> {
  const restore = replaceChance(new Random(seed ^ 0x5bd1e995));
  const machine = new Machine(seed);
  try {
    await play(machine);
    await lookAfterwards(machine);
  } catch (thrown) {
    // A broken promise may stop other things, but its report is complete.
    if (machine.ledger.violation === undefined) {
      throw thrown;
    }
  } finally {
    machine.network.close();
    restore();
  }
  const { reachedPhases, timeline, ledger } = machine;
  return { seed, reached: reachedPhases, trace: timeline.trace, violation: ledger.violation };
}

async function play(machine: Machine): Promise<void> {
  const { random, timeline, reachedPhases } = machine;
  const first = machine.openWindow();
  void addConnection(machine, first).then(() => {
    machine.storageMayFail();
    resume(machine, first);
  });
  for (let count = random.whole(0, 7); count > 0; count--) {
    timeline.after(random.whole(500, 120_000), () => reachedPhases.add(`disturbed: ${disturb(machine)}`));
  }
  await timeline.run(LONGEST_MILLIS, MOST_EVENTS);
}

/** Kills all windows. New ones are compared with what was stored. */
async function lookAfterwards(machine: Machine): Promise<void> {
  machine.aliveWindows().forEach((window) => window.die());
  machine.calm();
  await lookFrom(machine, machine.openWindow());
}

async function lookFrom(machine: Machine, window: Window): Promise<void> {
  const { ledger, timeline } = machine;
  const { store, jobs: stored } = window;
  const loaded = Promise.all([store.load(), stored.load()]);
  await timeline.run(timeline.now + 10_000, 200);
  await loaded;
  const connections = new Set(ledger.executions.map(({ yes }) => yes.connection.id));
  ledger.found([...connections].flatMap((id) => stored.of(id)));
}

/**
 * Derives IDs and the lengths of pauses from the seed too.
 * @returns a function that restores real randomness
 */
function replaceChance(random: Random): () => void {
  const real = { random: Math.random, randomUUID: crypto.randomUUID };
  Math.random = () => random.next();
  crypto.randomUUID = () =>
    `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}` as ReturnType<
      Crypto['randomUUID']
    >;
  return () => {
    Math.random = real.random;
    crypto.randomUUID = real.randomUUID;
  };
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random.whole(0, 15).toString(16)).join('');
}
