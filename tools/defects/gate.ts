/** Defects of the gate that every change passes. */
import type { Change, Defect } from './defect.ts';

const CONNECTION_GATE = 'src/connections/mayStillSend.ts';
const EXECUTION_GATE = 'src/truncation/executionGate.ts';

function noticedBy(only: string, name: string, ...changes: readonly Change[]): Defect {
  return { name, changes, suite: 'unit', only };
}

export const GATE: readonly Defect[] = [
  noticedBy('service/gate', 'a change is not held back as its last byte leaves', {
    file: 'src/service/http/transport.ts',
    find: 'if ((await this.#admit(request, signal)) !== credential) {',
    replace: 'if ((await this.#credential(signal)) !== credential) {',
  }),
  noticedBy('connections/mayStillSend', 'a change is sent on another connection than the user agreed to', {
    file: CONNECTION_GATE,
    find: 'whatCounts(current) === whatCounts(agreed)',
    replace: 'whatCounts(current) !== ""',
  }),
  noticedBy('connections/mayStillSend', 'a change is sent although its connection became read-only', {
    file: CONNECTION_GATE,
    find: "current?.role === 'readOnly'",
    replace: "current?.id === ''",
  }),
  noticedBy('connections/servicePool', 'a token is used that was signed out while a keychain asked for its password', {
    file: CONNECTION_GATE,
    find: ' || (await credentials.hasEnded(current))',
    replace: '',
  }),
  noticedBy('connections/mayStillSend', 'a change waits without limit for a disk, a keychain or a proxy', {
    file: CONNECTION_GATE,
    find: '> LONGEST_WAIT_MILLIS) {',
    replace: '< 0) {',
  }),
  noticedBy('truncation/run', 'the time for writing a record does not count as waiting', {
    file: 'src/truncation/run.ts',
    find: 'this.#claimed = { ...counted, record, mayStillSend };',
    replace:
      'this.#claimed = { ...counted, record, mayStillSend: executionGate(this.#environment, { connection: counted.connection, record, obstacle: () => undefined, isDryRunTooOld: () => mayStillSend === undefined }) };',
  }),
  noticedBy('truncation/executionGate', 'a truncation that another window has forgotten is still sent', {
    file: EXECUTION_GATE,
    find: 'if (records.get(connection.id, record.id) === undefined) {',
    replace: 'if (connection.id === record.id) {',
  }),
  noticedBy('truncation/executionGate', 'an index is truncated twice at once', {
    file: EXECUTION_GATE,
    find: 'refuse(other && taskTexts.blockedBy(other));',
    replace: '',
  }),
  noticedBy('truncation/executionGate', 'the records of other windows are not read before sending', {
    file: EXECUTION_GATE,
    find: 'await records.readAgain().catch(() => refuse(taskTexts.notRecorded(undefined)));',
    replace: '',
  }),
  noticedBy('truncation/executionGate', 'an execution is sent although its page was closed', {
    file: EXECUTION_GATE,
    find: 'refuse(obstacle());',
    replace: '',
  }),
  noticedBy('truncation/executionGate', 'an execution is sent long after its count', {
    file: EXECUTION_GATE,
    find: 'if (isDryRunTooOld()) {',
    replace: 'if (connection.id === record.id) {',
  }),
];
