/**
 * Defects that only many schedules show: stacks that repeat requests, windows that act at the same time, and the
 * question before anything is sent.
 */
import type { Change, Defect } from './defect.ts';

/** @param theme kind of schedules that must notice it */
function schedules(name: string, theme: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite: 'simulation', only: theme };
}

export const SCHEDULES: readonly Defect[] = [
  schedules(
    'a batch that one machine dismissed is sent by another one',
    'folders',
    {
      file: 'src/platform/durableStore.ts',
      find: 'version.value !== undefined || this.#options.deletionIsFinal === true;',
      replace: 'version.value !== undefined;',
    },
    {
      file: 'src/batch/batchStore.ts',
      find: 'await this.#stored.settle(batchStorageKey(batch));',
      replace: '',
    },
  ),
  schedules('two machines reindex one index at once', 'folders', {
    file: 'src/truncation/runRecord.ts',
    find: '(await records.claim(record)) && (await records.settle(record))',
    replace: 'await records.claim(record)',
  }),
  schedules(
    'two windows of one machine send the same item of a batch',
    'batch',
    {
      file: 'src/truncation/truncationStore.ts',
      find: 'const isMine = await this.#stored.create(recordKey(record), record);',
      replace: 'await this.#stored.put(key(record), record);\n    const isMine = true;',
    },
    {
      file: 'src/truncation/runRecord.ts',
      find: '(await records.claim(record)) && (await records.settle(record))',
      replace: 'await records.claim(record)',
    },
    {
      file: 'src/batch/batchStore.ts',
      find: 'return isMine && this.#stored.get(batchStorageKey(to)) !== undefined && !this.#hasRival(to);',
      replace: 'return isMine || this.#hasRival(to) || true;',
    },
  ),
  schedules('Continue drops the size of batches that was confirmed', 'batch', {
    file: 'src/truncation/plan.ts',
    find: 'batchSize: String(batchSize),',
    replace: '',
  }),
  schedules('a question that cannot be asked counts as a yes', 'mixed', {
    file: 'src/truncation/executeReviewed.ts',
    find: 'await ask(question, heldBack).catch(() => false)',
    replace: 'await ask(question, heldBack).catch(() => true)',
  }),
  schedules('more indices than a question can name are truncated at once', 'mixed', {
    file: 'src/batch/batchRun.ts',
    find: 'drafts.length > MAX_BATCH_ITEMS',
    replace: 'drafts.length > 10 * MAX_BATCH_ITEMS',
  }),
  schedules('a network stack can repeat a change', 'repeat', {
    file: 'src/service/http/transport.ts',
    find: '    return singleUseBody(request.body, beforeItsEnd);',
    replace: '    void beforeItsEnd();',
  }),
  schedules('an execution answered with 421 or 425 counts as not carried out', 'repeat', {
    file: 'src/service/failure/statusFailure.ts',
    find: 'if (status === 421 || status === 425) {',
    replace: 'if (status === 421 && answer.text === answer.text + "x") {',
  }),
  schedules('a chosen role is only kept with its connection', 'roles', {
    file: 'src/connections/connectionStore.ts',
    find: 'await this.#withChosenRole(connection, role, read);',
    replace: 'connection;',
  }),
  schedules('a deliberate relaxation of a role does not apply', 'roles', {
    file: 'src/connections/roleStore.ts',
    find: 'by.counter > choice.counter || (by.counter === choice.counter && isLaxerRole(choice.role, by.role))',
    replace: 'isLaxerRole(choice.role, by.role)',
  }),
];
