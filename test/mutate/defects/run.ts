/** Defects of the way from a review to a running task, which thousands of schedules have to notice. */
import type { Change, Defect } from './defect.ts';

const RUN_FILE = 'src/truncation/truncationRun.ts';

function run(name: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite: 'simulation', only: '' };
}

export const RUN: readonly Defect[] = [
  run('the rows are not counted again before the execution', {
    file: RUN_FILE,
    find: `      const report = await countRows(service, plan);
      this.#apply({ type: 'recounted', report, ...this.#taken() });`,
    replace: `      const report = 'review' in this.#state ? this.#state.review.report : await countRows(service, plan);
      this.#apply({ type: 'recounted', report, ...this.#taken() });`,
  }),
  run('more rows than were shown are deleted', {
    file: 'src/truncation/truncation.ts',
    find: 'worseThan(shown.report, report)',
    replace: 'worseThan(shown.report, shown.report)',
  }),
  run('a dry run never becomes too old', {
    file: RUN_FILE,
    find: 'maxAge: maxAgeMillis() }',
    replace: 'maxAge: Math.max(Number.MAX_VALUE, maxAgeMillis()) }',
  }),
  run('an execution is sent before it is written down', {
    file: RUN_FILE,
    find: '      await this.#keep(record);',
    replace: '      this.#record = record;',
  }),
  run('an execution is sent although it could not be written down', {
    file: RUN_FILE,
    find: `      this.#record = undefined;
      this.#apply({ type: 'notSent', failing: this.#notWrittenDown(thrown) });
      return;`,
    replace: '      this.#failing(thrown);',
  }),
  run('an execution is sent although the page was closed during the count', {
    file: RUN_FILE,
    find: `    if (this.#disposed) {
      this.#apply({ type: 'notSent', failing: { sentence: l10n.t('Nothing was deleted. The page was closed.') } });
    }`,
    replace: '',
  }),
  run(
    'an execution is sent although the page was closed under the question',
    {
      file: RUN_FILE,
      find: `    if (this.#disposed) {
      this.#parts.tellClosed();
    } else if`,
      replace: '    if',
    },
    {
      file: RUN_FILE,
      find: `    if (this.#disposed) {
      this.#apply({ type: 'notSent', failing: { sentence: l10n.t('Nothing was deleted. The page was closed.') } });
    }`,
      replace: '',
    },
  ),
  run('an execution is sent although the connection changed since the review', {
    file: RUN_FILE,
    find: 'return connection === undefined ? undefined : accessOf(connection);',
    replace: "return connection === undefined ? undefined : 'review' in this.#state ? this.#state.review.access : accessOf(connection);",
  }),
  run('a cut-off in the future takes no second yes', {
    file: RUN_FILE,
    find: 'caution === undefined || draft.cautionAccepted',
    replace: 'true',
  }),
  run("the server's other strategy is accepted", {
    file: 'src/truncation/countRows.ts',
    find: "plan.strategy !== 'server' && report.strategy !== 'unknown' && report.strategy !== plan.strategy",
    replace: 'false',
  }),
  run('the record of a connection that was removed comes back when the execution is answered', {
    file: RUN_FILE,
    find: 'if (this.#parts.connection() !== undefined) {',
    replace: 'if (String(record.id) !== "") {',
  }),
  run('the record of a connection that was removed comes back when its task ends', {
    file: 'src/truncation/taskWatch.ts',
    find: 'if (this.#store.get(record.connectionId) !== undefined) {',
    replace: 'if (String(record.id) !== "") {',
  }),
];
