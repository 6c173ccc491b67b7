/** Many schedules, on all processors. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface Range {
  /** The first seed. */
  readonly from: number;
  readonly count: number;
}

export interface Report {
  /** Schedules that were played. */
  readonly count: number;
  /** Number of schedules that reached each phase. */
  readonly counts: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly seed: number; readonly violation: string }[];
  readonly seconds: number;
}

const FIRST_PORTION = 400;

/** A schedule leaves a megabyte of garbage. In the usual space, collecting it takes a tenth of the time. */
const ROOM = { maxYoungGenerationSizeMb: 96 };

/** @param workers number of threads */
export async function runMany({ from, count }: Range, workers = availableParallelism()): Promise<Report> {
  const started = performance.now();
  const share = Math.ceil(count / workers);
  const ranges = Array.from({ length: workers }, (_, index) => ({
    from: from + index * share,
    count: Math.max(0, Math.min(share, count - index * share)),
  }));
  const reports = await Promise.all(ranges.map(runInThread));
  return { ...inOne(reports), count, seconds: Math.round((performance.now() - started) / 100) / 10 };
}

/** Plays growing portions and ends after the first with a broken schedule: most defects show in a few hundred. */
export async function runUntilBroken({ from, count }: Range): Promise<Report> {
  let played = await runMany({ from, count: Math.min(FIRST_PORTION, count) });
  while (played.broken.length === 0 && played.count < count) {
    const portion = { from: from + played.count, count: Math.min(2 * played.count, count - played.count) };
    // Each portion uses all processors.
    const next = await runMany(portion);
    const sums = { count: played.count + next.count, seconds: played.seconds + next.seconds };
    played = { ...inOne([played, next]), ...sums };
  }
  return played;
}

function inOne(reports: readonly Pick<Report, 'counts' | 'broken'>[]): Pick<Report, 'counts' | 'broken'> {
  const counts: Record<string, number> = {};
  for (const [phase, reached] of reports.flatMap((report) => Object.entries(report.counts))) {
    counts[phase] = (counts[phase] ?? 0) + reached;
  }
  return { counts, broken: reports.flatMap(({ broken }) => broken) };
}

function runInThread(range: Range): Promise<Pick<Report, 'counts' | 'broken'>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: range, resourceLimits: ROOM });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread of the simulation ended with ${code}.`)));
  });
}
