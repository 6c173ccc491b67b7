import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

type Work = () => Promise<void> | void;

/**
 * A story in steps, each of which needs those before it: so it is ONE test, which ends with the first step that fails and
 * names it. The steps are told right below the call.
 *
 * @param title of the test
 * @returns adds a step
 */
export function story(title: string): (name: string, work: Work) => void {
  const steps: { readonly name: string; readonly work: Work }[] = [];
  test(title, async () => {
    // By then the file has told all of them.
    await setImmediate();
    for (const { name, work } of steps) {
      try {
        await work();
      } catch (thrown) {
        throw atStep(name, thrown);
      }
    }
  });
  return (name, work) => void steps.push({ name, work });
}

function atStep(name: string, thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  error.stack = `Step "${name}": ${error.stack ?? error.message}`;
  return error;
}
