import { runSchedule } from './schedule.ts';

export interface Report {
  /** Number of schedules that reached each phase. */
  readonly counts: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly seed: number; readonly violation: string }[];
  readonly seconds: number;
}

/** Plays many schedules, one after the other: each replaces chance while it runs. @param from the first seed */
export async function runMany(from: number, count: number): Promise<Report> {
  const started = performance.now();
  const counts: Record<string, number> = {};
  const broken: { seed: number; violation: string }[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const { reached, violation } = await runSchedule(seed);
    for (const phase of reached) counts[phase] = (counts[phase] ?? 0) + 1;
    if (violation !== undefined) broken.push({ seed, violation });
  }
  return { counts, broken, seconds: Math.round((performance.now() - started) / 100) / 10 };
}
