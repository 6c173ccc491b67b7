/** Defects of what windows, on one machine or on two, must know of each other. */
import { unit, type Defect } from './defect.ts';

const STORE_FILE = 'src/platform/durableStore.ts';
const FOLDER_FILE = 'src/platform/durableFolder.ts';
const BATCHES_FILE = 'src/batch/batchStore.ts';

export const WINDOWS: readonly Defect[] = [
  unit('two windows create one file', 'platform/durableFolder', {
    file: FOLDER_FILE,
    find: 'await writeWholeFile(path, name, text, linkNewFile);',
    replace: 'await writeWholeFile(path, name, text, rename);',
  }),
  unit('without hard links, a record is not on disk before sending', 'platform/durableFolder', {
    file: FOLDER_FILE,
    find: 'await syncFileToDisk(file);',
    replace: '',
  }),
  unit('all records are opened at once, so that some seem to be missing', 'platform/durableFolder', {
    file: FOLDER_FILE,
    find: 'names.splice(0, MOST_OPEN)',
    replace: 'names.splice(0)',
  }),
  unit('a record of any size is read', 'platform/durableFolder', {
    file: FOLDER_FILE,
    find: 'stats.isFile() && stats.size <= LARGEST_FILE_BYTES',
    replace: 'stats.isFile()',
  }),
  unit('a value that was deleted is created again', 'platform/durableStore', {
    file: STORE_FILE,
    find: 'this.#newestVersion(id) === undefined &&',
    replace: 'this.get(id) === undefined &&',
  }),
  unit('a deletion on one machine is undone by a later write of another', 'platform/durableStore', {
    file: STORE_FILE,
    find: 'if (this.#options.deletionIsFinal === true && this.isDeleted(id)) {\n      return;',
    replace: 'if (false) { return;',
  }),
  unit('a deletion is only remembered on one machine', 'platform/durableStore', {
    file: STORE_FILE,
    find: 'version.value !== undefined || this.#options.deletionIsFinal === true;',
    replace: 'version.value !== undefined;',
  }),
  unit('a window of another machine that writes the same value is not noticed', 'platform/durableStore', {
    file: STORE_FILE,
    find: 'return isSameVersion(this.#newestVersion(id), own) && isSameVersion(shared, own);',
    replace: 'return true;',
  }),
  unit('values that VS Code lost are not written again', 'platform/durableStore', {
    file: STORE_FILE,
    find: 'await memento.update(prefix + id, toStoredForm(own));',
    replace: '',
  }),
  unit('a truncation is sent before other machines can know of it', 'truncation/run', {
    file: 'src/truncation/runRecord.ts',
    find: '(await records.claim(record)) && (await records.settle(record))',
    replace: 'await records.claim(record)',
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
  unit('an item that another window may have sent is sent again under another ID', 'batch/batchRun', {
    file: 'src/batch/batchRun.ts',
    find: 'await records.isForgotten({ connectionId, id: run.recordId })',
    replace: 'records.get(connectionId, run.recordId) === undefined',
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
  unit('a claim that failed erases the record of the window that holds it', 'truncation/run', {
    file: STORE_FILE,
    find: 'if (this.#newestVersion(id)?.writer === this.#writer) {',
    replace: "if (id !== '') {",
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
  unit('a page can dismiss unknown batches, creating a file each time', 'batch/batchRun', {
    file: BATCHES_FILE,
    find: 'this.#stored.get(batchStorageKey(batch)) === undefined && !this.#stored.isDeleted(batchStorageKey(batch))',
    replace: 'false',
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
  unit('the task of a truncation is lost with a full disk', 'truncation/run', {
    file: STORE_FILE,
    find: 'await this.#copyToMemento(id, this.#nextVersion(id, { value }));',
    replace: '',
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
