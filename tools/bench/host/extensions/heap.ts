import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROUNDS = 4;

/** Bytes on the JavaScript heap that are still in use after everything else has been collected. */
export async function collectedHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What is freed by finalizers, and what they free in turn, takes a turn of the event loop each.
  for (let round = 0; round < ROUNDS; round += 1) {
    collect();
    await pause(50);
  }
  collect();
  return process.memoryUsage().heapUsed;
}
