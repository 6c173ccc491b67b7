/** Defects of what windows must know of each other, and of the files that tell them. */
import { unit, type Defect } from './defect.ts';

const FOLDER_FILE = 'src/platform/folder.ts';
const JOBS_FILE = 'src/truncation/jobStore.ts';
const JOB_FILE = 'src/truncation/job.ts';

export const WINDOWS: readonly Defect[] = [
  unit('two windows create one file', 'platform/folder', {
    file: FOLDER_FILE,
    find: "linkNewFile(temporary, file).then(() => true, ignoringErrorCode('EEXIST', false)),",
    replace: 'rename(temporary, file).then(() => true),',
  }),
  unit('a file that another window removed comes back', 'platform/folder', {
    file: FOLDER_FILE,
    find: 'if (isThere) {',
    replace: "if (isThere || name !== '') {",
  }),
  unit('a line brings back a file that another window removed', 'platform/folder', {
    file: FOLDER_FILE,
    find: 'constants.O_WRONLY | constants.O_APPEND',
    replace: 'constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND',
  }),
  unit('a file of a later version is rewritten', 'platform/fileStore', {
    file: 'src/platform/fileStore.ts',
    find: "if (this.known(id) === 'later') {",
    replace: "if (id === '') {",
  }),
  unit('without hard links, a record is not on disk before sending', 'platform/folder', {
    file: FOLDER_FILE,
    find: 'await syncFileToDisk(file);',
    replace: '',
  }),
  unit('all records are opened at once, so that some seem to be missing', 'platform/folder', {
    file: FOLDER_FILE,
    find: 'names.splice(0, MOST_OPEN)',
    replace: 'names.splice(0)',
  }),
  unit('a record of any size is read', 'platform/folder', {
    file: FOLDER_FILE,
    find: 'stats.isFile() && stats.size <= LARGEST_FILE_BYTES',
    replace: 'stats.isFile()',
  }),
  unit('two windows continue one job', 'truncation/jobStore', {
    file: JOB_FILE,
    find: 'isThere(jobId) || mayStillBeWritten(at, now)',
    replace: 'isThere(jobId) && at <= now',
  }),
  unit('an item that another window sent counts as not sent', 'truncation/jobStore', {
    file: JOBS_FILE,
    find: 'places.every((place) => left.has(place))',
    replace: '(left.size >= 0 || places.length === 0)',
  }),
  unit("a line that can't be read is ignored, although it may say that an item was sent", 'truncation/job', {
    file: JOB_FILE,
    find: 'return { ...job, hasUnreadableLine: true };\n  }\n  switch',
    replace: 'return job;\n  }\n  switch',
  }),
  unit('Continue forgets the batch size and the timeout', 'truncation/jobWindows', {
    file: 'src/truncation/plan.ts',
    find: "batchSize: batchSize === DEFAULT_BATCH_SIZE ? '' : String(batchSize),",
    replace: '',
  }),
  unit('Continue does not say that there are more rows than were confirmed', 'pages/overview/host/jobView', {
    file: 'src/pages/overview/host/jobItemView.ts',
    find: 'return confirmed === undefined || toDelete <= confirmed',
    replace: 'return confirmed === undefined || toDelete > 0',
  }),
  unit('a window that fails to write a job takes back the one of another window', 'truncation/jobDisk', {
    file: 'src/truncation/jobJournal.ts',
    find: 'if (isMine) {',
    replace: 'if (isMine || item >= 0) {',
  }),
  unit('two windows write one job', 'truncation/jobStore', {
    file: JOBS_FILE,
    find: 'const isMine = await this.#files.create(keyOf(ref), planned, ...facts);',
    replace: 'await this.#files.create(keyOf(ref), planned, ...facts);\n    const isMine = true;',
  }),
  unit(
    'a job is continued although its disk hung, and another window may have taken its place',
    'truncation/jobStore',
    {
      file: JOBS_FILE,
      find: ' || !mayStillBeWritten(at, now())) {',
      replace: ') {',
    },
  ),
  unit("a job that can't be read does not block its connection", 'truncation/jobStore', {
    file: JOBS_FILE,
    find: 'if (this.unreadable(server.id).length > 0) {',
    replace: "if (server.id === '') {",
  }),
  unit('an item that another window has continued is counted again and sent twice', 'truncation/jobWindows', {
    file: 'src/truncation/jobRun.ts',
    find: '(shown === undefined || before !== undefined);',
    replace: '(shown === undefined || before !== undefined || isOpen === false);',
  }),
  unit('a created token is reported as refused because a part of the response was', 'service/tokens/tokenCreation', {
    file: 'src/service/http/graphql.ts',
    find: ' || errors.some(isBelowTopField)',
    replace: '',
  }),
  unit('a new token is lost with status 203', 'service/http/graphql', {
    file: 'src/service/http/graphql.ts',
    find: 'status >= 200 && status < 300',
    replace: 'status === 200',
  }),
  unit('a request waits for ever for a network stack that waits for its window', 'service/http/waiting', {
    file: 'src/service/http/transport.ts',
    find: 'await untilAborted(this.#network.fetch(url, init), signal);',
    replace: 'await this.#network.fetch(url, init);',
  }),
  unit('one server error removes the choice of a delete by query', 'service/indices/indices', {
    file: 'src/service/indices/indices.ts',
    find: 'faults < 2',
    replace: 'faults < 1',
  }),
  unit('a line of a later version blocks no index', 'truncation/job', {
    file: JOB_FILE,
    find: "if (item.status !== 'planned' || !job.hasUnreadableLine) {",
    replace: "if (item.status !== 'planned' || job.hasUnreadableLine) {",
  }),
  unit('an item that a dead window had begun counts as not sent', 'truncation/job', {
    file: JOB_FILE,
    find: "!isDismissed && status !== 'sent' && ",
    replace: '!isDismissed && ',
  }),
  unit('an item is sent although the user has dismissed its job', 'truncation/job', {
    file: JOB_FILE,
    find: 'if (item.isDismissed || job.isDismissed) {',
    replace: 'if (item.isDismissed) {',
  }),
  unit('an item that was dismissed is sent', 'truncation/job', {
    file: JOB_FILE,
    find: 'if (item.isDismissed || job.isDismissed) {',
    replace: 'if (job.isDismissed) {',
  }),
];
