/** Many schedules, on all processors. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

export interface Range {
  /** The first seed. */
  readonly from: number;
  readonly count: number;
}

export interface Report {
  /** Number of schedules that reached each phase. */
  readonly counts: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly seed: number; readonly violation: string }[];
  readonly seconds: number;
}

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
  const counts: Record<string, number> = {};
  for (const [phase, reached] of reports.flatMap((report) => Object.entries(report.counts))) {
    counts[phase] = (counts[phase] ?? 0) + reached;
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  return { counts, broken: reports.flatMap(({ broken }) => broken), seconds };
}

function runInThread(range: Range): Promise<Pick<Report, 'counts' | 'broken'>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: range, resourceLimits: ROOM });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread of the simulation ended with ${code}.`)));
  });
}
