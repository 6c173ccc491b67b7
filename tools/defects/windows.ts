/** Defects of what windows must know of each other, and of the files that tell them. */
import { unit, type Defect } from './defect.ts';

const FOLDER_FILE = 'src/platform/folder.ts';
const RECORDS_FILE = 'src/truncation/truncationStore.ts';
const BATCHES_FILE = 'src/batch/batchStore.ts';

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
    find: "if (this.#values.get(id) === 'later') {",
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
  unit('an interrupted item is continued under another ID, so that two windows may send it', 'batch/batchRun', {
    file: 'src/batch/batchRun.ts',
    find: 'item.continues?.recordId,',
    replace: 'undefined,',
  }),
  unit('an item that another window sent counts as not sent', 'batch/batchRun', {
    file: BATCHES_FILE,
    find: 'this.#records.get(connectionId, item.recordId) === undefined ? item : { ...item, isSent: true };',
    replace: 'item;',
  }),
  unit("a truncation that can't be read counts as forgotten, and can be sent again", 'truncation/truncationStore', {
    file: RECORDS_FILE,
    find: ' && !this.unreadable(connectionId).includes(id)',
    replace: '',
  }),
  unit('Continue forgets the batch size and the timeout', 'batch/batchRun', {
    file: 'src/truncation/plan.ts',
    find: 'batchSize: String(batchSize),',
    replace: '',
  }),
  unit('Continue does not say that there are more rows than were confirmed', 'batch/view', {
    file: 'src/batch/view.ts',
    find: 'return confirmed === undefined || toDelete <= confirmed',
    replace: 'return confirmed === undefined || toDelete > 0',
  }),
  unit('a claim that failed erases the record of the window that holds it', 'truncation/truncationStore', {
    file: RECORDS_FILE,
    find: 'if (this.#files.get(recordKey(record))?.sessionId === SESSION_ID) {',
    replace: "if (record.id !== '') {",
  }),
  unit('two windows claim one truncation', 'truncation/truncationStore', {
    file: RECORDS_FILE,
    find: 'const isMine = await this.#files.create(recordKey(record), record);',
    replace: 'await this.#files.create(recordKey(record), record);\n    const isMine = true;',
  }),
  unit('two windows continue one batch', 'batch/batchStore', {
    file: BATCHES_FILE,
    find: 'const isMine = await this.forget(from);',
    replace: 'await this.forget(from);\n    const isMine = true;',
  }),
  unit("a truncation that can't be read does not block its connection", 'truncation/truncationStore', {
    file: RECORDS_FILE,
    find: 'if (this.unreadable(server.id).length > 0) {',
    replace: "if (server.id === '') {",
  }),
  unit('an item that another window has continued is counted again and sent twice', 'batch/batchRun', {
    file: 'src/batch/batchRun.ts',
    find: 'this.recordId === undefined ? undefined : new Set(',
    replace: 'continues === undefined ? undefined : new Set(',
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
  unit('a record of a later version does not block its index', 'truncation/record', {
    file: 'src/truncation/record.ts',
    find: 'ending: v.fallback(v.optional(outcomeSchema()), undefined),',
    replace: 'ending: v.optional(outcomeSchema()),',
  }),
  unit('an item that a dead window had begun counts as not sent', 'batch/batchMarks', {
    file: 'src/batch/batchRun.ts',
    find: 'if (await batches.markSent(record, run.recordId)) {',
    replace: "if (run.recordId !== '') {",
  }),
  unit('an item is sent although another window dismissed it before its record was written', 'batch/batchMarks', {
    file: 'src/batch/batchRun.ts',
    find: 'if (!(await batches.holdsItem(record, run.recordId))) {',
    replace: "if (run.recordId === '') {",
  }),
  unit('an item is sent although its batch cannot be marked', 'batch/batchMarks', {
    file: 'src/batch/batchRun.ts',
    find: 'await run.withdraw(thrown);',
    replace: 'return true || thrown;',
  }),
];
