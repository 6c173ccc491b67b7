import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Time in which extension hosts notice that the file is gone, in ms. Each looks for it every 15 ms and acknowledges
 * nothing: how many hosts run is unknown here.
 */
const NOTICED_MS = 50;

/** Environment variable with the file whose presence makes waits end at once in extension hosts. */
export const QUICK_TIME_VARIABLE = 'METADATA_SERVICE_TEST_QUICK_TIME';

/**
 * Interval of a local service's index refreshes, in ms. It keeps real time, in which requests of quick time are at least
 * 45 ms apart, so that each sees what the one before changed, as on a server minutes later.
 */
export const QUICK_REFRESH_MS = 20;

/**
 * Arguments for the Node.js of a VS Code, which its extension hosts inherit. Empty if the environment names no file.
 */
export function quickTimeArguments(): readonly string[] {
  const program = fileURLToPath(new URL('quickTime.cjs', import.meta.url));
  return process.env[QUICK_TIME_VARIABLE] === undefined ? [] : ['--require', program];
}

/**
 * During the work, timers of the extension fire as soon as it waits for no response, and its clocks jump with them:
 * minutes of watching pass in a second. The local service keeps real time, and so does everything if the environment
 * names no file.
 */
export async function inQuickTime<T>(work: () => Promise<T>): Promise<T> {
  const file = process.env[QUICK_TIME_VARIABLE];
  if (file === undefined) return work();
  writeFileSync(file, '');
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
    await setTimeout(NOTICED_MS);
  }
}
