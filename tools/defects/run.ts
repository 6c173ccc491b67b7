/**
 * Defects between a review and a running task. Thousands of schedules must notice them; what is too rare for those has a
 * unit test.
 */
import { unit, type Change, type Defect } from './defect.ts';

const RUN_FILE = 'src/truncation/run.ts';
const RECORD_FILE = 'src/truncation/runRecord.ts';
const JUDGE_FILE = 'src/truncation/readerJudgement.ts';

function run(name: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite: 'simulation', only: '' };
}

export const RUN: readonly Defect[] = [
  run(
    'a dry run that was reviewed on one server is executed on another',
    {
      file: RUN_FILE,
      find: "import { type Connection, accessOf } from '../connections/connection.ts';",
      replace:
        "import type { Connection } from '../connections/connection.ts';\nconst accessOf = (_: unknown): string => '';",
    },
    {
      file: RUN_FILE,
      find: 'const isSame = connection !== undefined && (this.#service === undefined || this.#service === this.#environment.services.get(connection));',
      replace: 'const isSame = true;',
    },
  ),
  unit('an execution is sent before its record is on disk', 'truncation/run', {
    file: 'src/truncation/truncationStore.ts',
    find: 'const isMine = await this.#files.create(recordKey(record), record);',
    replace: 'const isMine = true;\n    void this.#files.create(recordKey(record), record).catch(() => undefined);',
  }),
  unit('a browser’s network stack may follow redirects and repeat requests', 'service/http/transport', {
    file: 'src/service/http/transport.ts',
    find: "redirect: 'manual',",
    replace: "redirect: 'error',",
  }),
  run('a clock that is set back keeps a dry run from ever becoming too old', {
    file: 'src/truncation/state.ts',
    find: 'return age > maxAge || age < 0 || monotonicNow - monotonicAt > maxAge;',
    replace: 'return age > maxAge;',
  }),
  run('consent to plain HTTP for one server counts for another', {
    file: 'src/connections/connection.ts',
    find: 'connection.plainHttpOrigin !== originOf(connection)',
    replace: 'connection.plainHttpOrigin === undefined',
  }),
  unit('new rows make up for missing ones that should stay', 'truncation/watch', {
    file: 'src/truncation/countRows.ts',
    find: 'Math.min(upToThen, rows.total - datedLater(baseline, report))',
    replace: 'rows.total - datedLater(baseline, report)',
  }),
  run('a completed task counts as finished, whatever readers see', {
    file: JUDGE_FILE,
    find: 'if (isProven(trailing(counts, (count) => count.toDelete === 0 && isWhole(count)))) {',
    replace: "if (task === 'whole') {",
  }),
  run('one right count is enough', {
    file: JUDGE_FILE,
    find: 'return counts.length >= CLEAN_COUNTS && timeSpanOf(counts) >= CLEAN_MILLIS;',
    replace: 'return counts.length > 0;',
  }),
  run('a truncation is finished although rows that should stay are hidden', {
    file: JUDGE_FILE,
    find: 'count.toDelete === 0 && isWhole(count)',
    replace: 'count.toDelete === 0',
  }),
  run('remaining rows are reported while rows that should stay are hidden', {
    file: JUDGE_FILE,
    find: "const whole = trailing(counts, isWhole);\n  // Any other strategy may have hidden rows before these counts.\n  const isHealed = (strategy === 'deleteByQuery' && whole.length === counts.length) || isProven(whole);",
    replace: 'const whole = counts;\n  const isHealed = true;',
  }),
  unit('one count that finds every row lifts a block', 'truncation/readerJudgement', {
    file: JUDGE_FILE,
    find: "const whole = trailing(counts, isWhole);\n  // Any other strategy may have hidden rows before these counts.\n  const isHealed = (strategy === 'deleteByQuery' && whole.length === counts.length) || isProven(whole);",
    replace: 'const whole = counts;\n  const isHealed = isWhole(last);',
  }),
  unit('one answer that the task is unknown is enough', 'truncation/watch', {
    file: 'src/truncation/polls.ts',
    find: 'failed.length >= FEWEST_FAILED_POLLS && now - Math.min(...failed.map(({ at }) => at)) >= millis',
    replace: 'failed.length > 0',
  }),
  run('the rows are not counted again before the execution', {
    file: RUN_FILE,
    find: 'await countBeforeExecution(service, plan, this.#environment.clock.now());',
    replace: `'review' in this.#state
          ? { report: this.#state.review.report, baseline: undefined }
          : await countBeforeExecution(service, plan, this.#environment.clock.now());`,
  }),
  run('more rows than were shown are deleted', {
    file: 'src/truncation/state.ts',
    find: 'regressionReason(shown.report, report)',
    replace: 'regressionReason(shown.report, shown.report)',
  }),
  run('a dry run never becomes too old', {
    file: RUN_FILE,
    find: 'maxAge: this.#environment.maxAgeMillis() }',
    replace: 'maxAge: Math.max(Number.MAX_VALUE, this.#environment.maxAgeMillis()) }',
  }),
  // The check of the record also prevents the request. The test notices that the reason is missing.
  unit('an execution is sent although it could not be recorded', 'truncation/run', {
    file: RECORD_FILE,
    find: 'return this.takeBack(record, thrown);',
    replace: 'return void this.#logProblem(thrown);',
  }),
  unit(
    'an execution is sent although the connection changed since the review',
    'truncation/run',
    {
      file: RUN_FILE,
      find: 'return this.#connection && accessOf(this.#connection);',
      replace:
        "return this.#connection && ('review' in this.#state ? this.#state.review.access : accessOf(this.#connection));",
    },
    {
      file: RUN_FILE,
      find: 'const isSame = connection !== undefined && (this.#service === undefined || this.#service === this.#environment.services.get(connection));',
      replace: 'const isSame = connection !== undefined;',
    },
    {
      file: RUN_FILE,
      find: 'const access = isSame ? accessOf(connection) : undefined;',
      replace: 'const access = isSame ? this.#access() : undefined;',
    },
  ),
  unit('a cutoff in the future requires no second yes', 'truncation/run', {
    file: RUN_FILE,
    find: 'firstUnaccepted(this.cautions, state.draft.acceptedCautions) !== undefined',
    replace: 'false',
  }),
  unit("a machine's clock that is ahead needs no yes", 'truncation/cautions', {
    file: 'src/truncation/cautions.ts',
    find: 'Math.abs(answeredAt - at) > LARGEST_CLOCK_DIFFERENCE',
    replace: 'answeredAt > at',
  }),
  unit('a cutoff much younger than the last one needs no yes', 'truncation/cautions', {
    file: 'src/truncation/cautions.ts',
    find: 'age >= MILLIS_PER_DAY && age < lastAge / 2',
    replace: 'false',
  }),
  unit("the server's other strategy is accepted", 'truncation/run', {
    file: 'src/truncation/countRows.ts',
    find: "plan.strategy !== 'server' && report.strategy !== 'unknown' && report.strategy !== plan.strategy",
    replace: 'false',
  }),
  unit('a truncation that was forgotten returns with the next count', 'truncation/truncationStore', {
    file: 'src/truncation/truncationStore.ts',
    find: '(stored) => stored && { ...stored, ...change });',
    replace: '(stored) => ({ ...record, ...stored, ...change }));',
  }),
  unit('the record of a removed connection returns at the end of its task', 'truncation/watch', {
    file: 'src/truncation/watch.ts',
    find: 'if (stored === undefined || stored.taskId !== record.taskId || !isSameOutcome(stored.ending, record.ending) || stored.taskEnd?.kind !== record.taskEnd?.kind || this.#isJudged(record) !== isJudged || this.#store.get(record.connectionId) === undefined) {',
    replace: 'if (stored?.id === "") {',
  }),
];
