import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const SAMPLE_EVERY_MICROSECONDS = 100;

/** Starts a CPU profile of this process. The returned function ends it and writes the file. */
export async function startProfile(file: string): Promise<() => Promise<void>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_MICROSECONDS });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(file, JSON.stringify(profile));
  };
}
