/** A thread that plays a share of the schedules. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Range, Report } from './many.ts';
import { runSchedule } from './schedule.ts';

const { from, count } = workerData as Range;
const counts: Record<string, number> = {};
const broken: { seed: number; violation: string }[] = [];
for (let seed = from; seed < from + count; seed++) {
  // One after the other: each replaces chance while it runs.
  const { reached, violation } = await runSchedule(seed);
  for (const phase of reached) counts[phase] = (counts[phase] ?? 0) + 1;
  if (violation !== undefined) broken.push({ seed, violation });
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage({ counts, broken } satisfies Pick<Report, 'counts' | 'broken'>);
