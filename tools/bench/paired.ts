import { median } from './figures.ts';

/** Median time of the first ÷ median time of the second, measured in turns so that both run on the same machine. */
export async function paired(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  rounds: number,
): Promise<number> {
  const times: [number[], number[]] = [[], []];
  await first();
  await second();
  for (let round = 0; round < rounds; round++) {
    times[0].push(await millis(first));
    times[1].push(await millis(second));
  }
  return median(times[0]) / median(times[1]);
}

async function millis(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
