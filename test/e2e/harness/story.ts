import { setImmediate } from 'node:timers/promises';

type Work = () => Promise<void> | void;

/** Adds a step. */
type Step = (name: string, work: Work) => void;

/**
 * A story in steps, each of which needs those before it: so it is ONE test, which ends with the first step that fails and names
 * it. The file makes the test itself, or node:test would report it as one of this file.
 *
 * @returns `step` adds a step, right below the call; `tell` is what the test runs
 */
export function story(): { readonly step: Step; readonly tell: () => Promise<void> } {
  const steps: { readonly name: string; readonly work: Work }[] = [];
  return {
    step: (name, work) => void steps.push({ name, work }),
    tell: async () => {
      // By then the file has added all of them.
      await setImmediate();
      if (steps.length === 0) throw new Error('There is no step in this story.');
      for (const { name, work } of steps) {
        try {
          await work();
        } catch (thrown) {
          throw atStep(name, thrown);
        }
      }
    },
  };
}

function atStep(name: string, thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  error.stack = `Step "${name}": ${error.stack ?? error.message}`;
  return error;
}
