import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROUNDS = 4;

/** Bytes in use on the heap after a full collection. */
export async function collectedHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Each round of finalizers, and of objects that they free, takes a turn of the event loop.
  for (let round = 0; round < ROUNDS; round += 1) {
    collect();
    await pause(50);
  }
  collect();
  return process.memoryUsage().heapUsed;
}
