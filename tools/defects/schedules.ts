/**
 * Defects that only many schedules show: windows that act at the same time, and the question before anything is sent.
 * What a stack repeats, and two windows that continue one job, have unit tests.
 */
import { unit, type Change, type Defect } from './defect.ts';

/** @param theme kind of schedules that must notice it */
function schedules(name: string, theme: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite: 'simulation', only: theme };
}

export const SCHEDULES: readonly Defect[] = [
  // Either of the two looks prevents that alone.
  unit(
    'two windows send the same item of a job',
    'truncation/jobStore',
    {
      file: 'src/truncation/jobStore.ts',
      find: 'if (!(await this.#isNext(ref, id, places, now())) || !(await next.create(this.#itemsBeside(ref, places)))) {',
      replace: 'if (!(await next.create(this.#itemsBeside(ref, places)))) {',
    },
    {
      file: 'src/truncation/jobStore.ts',
      find: 'if (!(await this.#isNext(ref, id, places, now())) || !mayStillBeWritten(at, now())) {',
      replace: 'if (!mayStillBeWritten(at, now())) {',
    },
  ),
  schedules('Continue drops the size of batches that was confirmed', 'jobs', {
    file: 'src/truncation/plan.ts',
    find: "batchSize: batchSize === DEFAULT_BATCH_SIZE ? '' : String(batchSize),",
    replace: '',
  }),
  schedules('a question that cannot be asked counts as a yes', 'mixed', {
    file: 'src/truncation/jobRun.ts',
    find: 'await ask(question, heldBack).catch(() => false)',
    replace: 'await ask(question, heldBack).catch(() => true)',
  }),
  schedules('more indices than a question can name are truncated at once', 'mixed', {
    file: 'src/truncation/jobRun.ts',
    find: 'drafts.length > MAX_ITEMS',
    replace: 'drafts.length > 10 * MAX_ITEMS',
  }),
  unit('a network stack can repeat a change', 'service/http/singleUse', {
    file: 'src/service/http/transport.ts',
    find: '    return singleUseBody(request.body, beforeItsEnd);',
    replace: '    void beforeItsEnd();',
  }),
  unit('an execution answered with 421 or 425 counts as not carried out', 'service/failure/statusFailure', {
    file: 'src/service/failure/failureTable.ts',
    find: '  // A proxy may say this after another server has read the request.\n  mayHaveActed: true,',
    replace: '',
  }),
];
