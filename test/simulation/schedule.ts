/** One schedule: what a seed makes of a few windows, a few people and everything that can go wrong. */
import { Machine } from './machine.ts';
import { FATES } from './network.ts';
import { DISTURBANCES, addConnection, disturb, resume } from './people.ts';
import { SEVERAL } from './several.ts';
import { Random } from './random.ts';

export interface Outcome {
  readonly seed: number;
  /** What was reached; see `PHASES`. */
  readonly reached: ReadonlySet<string>;
  readonly trace: readonly string[];
  /** The promise that was broken, if one was. */
  readonly violation: string | undefined;
}

/** What has to be reached by some schedules, or they prove nothing. */
export const PHASES: readonly string[] = [
  ...'editing dryRunning reviewed confirming recounting recounted sent running finished failed'.split(' '),
  'told: finished',
  'told: finished, clean',
  'told: finished, rowsLeft',
  'told: finished, notChecked',
  'told: failed',
  'told: unknown',
  'back to review: grew',
  'back to review: nothingLeft',
  'back to review: strategy',
  'back to review: tooOld',
  'taken back: the connection changed',
  'rows may be hidden',
  'not sent: rows may be hidden',
  'rows that were hidden are found again',
  'a task whose status cannot be asked for',
  'a storage that fails',
  'a window died while an execution was under way',
  ...SEVERAL,
  ...Object.keys(FATES).map((fate) => `an execution: ${fate}`),
  ...Object.keys(DISTURBANCES).map((what) => `disturbed: ${what}`),
];

const LONGEST_MILLIS = 3 * 3_600_000;
const MOST_EVENTS = 600;

export async function runSchedule(seed: number): Promise<Outcome> {
  const machine = new Machine(seed);
  const { random, timeline } = machine;
  const restore = replaceChance(new Random(seed ^ 0x5bd1e995));
  try {
    const first = machine.openWindow();
    void addConnection(machine, first).then(() => {
      machine.storageMayFail();
      resume(machine, first);
    });
    for (let count = random.whole(0, 7); count > 0; count--) {
      timeline.after(random.whole(500, 120_000), () => machine.reachedPhases.add(`disturbed: ${disturb(machine)}`));
    }
    await timeline.run(LONGEST_MILLIS, MOST_EVENTS);
    await lookAfterwards(machine);
  } catch (thrown) {
    // Whatever else a broken promise stops, the account of it is complete.
    if (machine.ledger.violation === undefined) {
      throw thrown;
    }
  } finally {
    restore();
  }
  return { seed, reached: machine.reachedPhases, trace: timeline.trace, violation: machine.ledger.violation };
}

/** Everything has died; a new window finds what was stored. */
async function lookAfterwards(machine: Machine): Promise<void> {
  machine.aliveWindows().forEach((window) => window.die());
  machine.calm();
  const window = machine.openWindow();
  const loaded = Promise.all([window.store.load(), window.records.load(), window.bulks.reload()]);
  await machine.timeline.run(machine.timeline.now + 10_000, 200);
  await loaded;
  if (machine.ledger.hasLiftedBlock) {
    machine.reachedPhases.add('rows that were hidden are found again');
  }
  machine.ledger.found(machine.ledger.executions.flatMap(({ yes }) => window.records.of(yes.connection.id)));
  machine.ledger.foundSeveral(machine.ledger.connectionsOfSeveral.flatMap((id) => window.bulks.of(id)));
  machine.searchTexts();
}

/** Ids and the lengths of pauses come from the seed too. @returns what puts real chance back. */
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
