/**
 * Defects between a review and a running task. Thousands of schedules must notice them; what is too rare for those has a
 * unit test.
 */
import { unit, type Change, type Defect } from './defect.ts';

const REVIEW_FILE = 'src/truncation/itemReview.ts';
const RUN_FILE = 'src/truncation/itemRun.ts';
const JUDGE_FILE = 'src/truncation/readerJudgement.ts';

function run(name: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite: 'simulation', only: '' };
}

export const RUN: readonly Defect[] = [
  run(
    'a dry run that was reviewed on one server is executed on another',
    {
      file: REVIEW_FILE,
      find: "import { type Connection, accessOf } from '../connections/connection.ts';",
      replace:
        "import type { Connection } from '../connections/connection.ts';\nconst accessOf = (_: unknown): string => '';",
    },
    {
      file: REVIEW_FILE,
      find: 'const isSame = connection !== undefined && (this.#service === undefined || this.#service === this.environment.services.get(connection));',
      replace: 'const isSame = true;',
    },
  ),
  unit('an execution is sent before it is on disk', 'truncation/jobDisk', {
    file: 'src/platform/journalStore.ts',
    find: 'const isMine = await this.folder.create(fileName(id), text);',
    replace: 'const isMine = true;\n      void this.folder.create(fileName(id), text).catch(() => undefined);',
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
    find: 'return counts.length >= CLEAN_COUNTS && timeSpanOf(counts) >= millis;',
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
    file: 'src/truncation/pollHistory.ts',
    find: 'failed.length >= FEWEST_FAILED_POLLS && now - Math.min(...failed.map(({ at }) => at)) >= millis',
    replace: 'failed.length > 0',
  }),
  run('the rows are not counted again before the execution', {
    file: RUN_FILE,
    find: 'await countBeforeExecution(service, plan, this.now);',
    replace: `'review' in this.state
          ? { report: this.state.review.report, baseline: undefined }
          : await countBeforeExecution(service, plan, this.now);`,
  }),
  run('more rows than were shown are deleted', {
    file: 'src/truncation/state.ts',
    find: 'regressionReason(shown.report, report)',
    replace: 'regressionReason(shown.report, shown.report)',
  }),
  run('a dry run never becomes too old', {
    file: REVIEW_FILE,
    find: 'maxAge: this.environment.host.maxAgeMillis() }',
    replace: 'maxAge: Math.max(Number.MAX_VALUE, this.environment.host.maxAgeMillis()) }',
  }),
  // The gate also prevents the request. The test notices that the reason is missing.
  unit('an execution that could not be recorded ends without a reason', 'truncation/jobDisk', {
    file: RUN_FILE,
    find: "this.host.dispatch({ type: 'notSent', failing: taskTexts.notRecorded(this.logProblem(thrown).next) });",
    replace: 'this.logProblem(thrown);',
  }),
  unit('an execution is sent although the connection changed since the review', 'truncation/jobConnection', {
    file: REVIEW_FILE,
    find: 'const access = isSame ? accessOf(connection) : undefined;',
    replace: "const access = isSame && 'review' in this.state ? this.state.review.access : undefined;",
  }),
  unit('a cutoff in the future requires no second yes', 'truncation/jobReview', {
    file: REVIEW_FILE,
    find: 'firstUnaccepted(cautions, this.acceptedCautions) !== undefined',
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
  unit("the server's other strategy is accepted", 'truncation/jobReview', {
    file: 'src/truncation/countRows.ts',
    find: "plan.strategy !== 'server' && report.strategy !== 'unknown' && report.strategy !== plan.strategy",
    replace: 'false',
  }),
  unit('a truncation that was dismissed returns with the next count', 'truncation/jobStore', {
    file: 'src/truncation/job.ts',
    find: 'job.items.flatMap((item, place) => (item.isDismissed ? [] : (truncationOf(job, item, place) ?? [])));',
    replace: 'truncationsOf(job);',
  }),
  unit('the record of a removed connection returns at the end of its task', 'truncation/watch', {
    file: 'src/truncation/watch.ts',
    find: 'if (stored === undefined || stored.taskId !== record.taskId || !isSameOutcome(stored.ending, record.ending) || stored.taskEnd?.kind !== record.taskEnd?.kind || this.#isJudged(record) !== isJudged || this.#store.get(record.connectionId) === undefined) {',
    replace: 'if (stored?.id === "") {',
  }),
];
