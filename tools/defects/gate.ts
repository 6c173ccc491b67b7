/** Defects of the gate that every change passes. */
import { unit, type Defect } from './defect.ts';

const CONNECTION_GATE = 'src/connections/mayStillSend.ts';
const EXECUTION_GATE = 'src/truncation/executionGate.ts';

export const GATE: readonly Defect[] = [
  unit('a change is not held back as its last byte leaves', 'service/gate', {
    file: 'src/service/http/transport.ts',
    find: 'if (JSON.stringify(await this.#admit(request, signal)) !== JSON.stringify(secrets)) {',
    replace: 'if (JSON.stringify(await this.#readSecrets(true, signal)) !== JSON.stringify(secrets)) {',
  }),
  unit('a change is sent on another connection than the user agreed to', 'connections/mayStillSend', {
    file: CONNECTION_GATE,
    find: 'accessOf(current) === accessOf(agreed)',
    replace: 'accessOf(current) !== ""',
  }),
  unit('a change is sent although its connection became read-only', 'connections/mayStillSend', {
    file: CONNECTION_GATE,
    find: "current?.role === 'readOnly'",
    replace: "current?.id === ''",
  }),
  unit('what other windows change while a keychain asks for its password is not noticed', 'truncation/executionGate', {
    file: CONNECTION_GATE,
    find: `const hasEnded = await credentials.hasEnded(before);
    await readMore();
    const current = await store.getFresh(agreed.id);`,
    replace: `await readMore();
    const current = await store.getFresh(agreed.id);
    const hasEnded = await credentials.hasEnded(before);`,
  }),
  unit('a token is used that another sign-in replaced', 'connections/mayStillSend', {
    file: CONNECTION_GATE,
    find: 'hasEnded || ',
    replace: '',
  }),
  unit('a change waits without limit for a disk, a keychain or a proxy', 'connections/mayStillSend', {
    file: CONNECTION_GATE,
    find: '> LONGEST_WAIT_MILLIS) {',
    replace: '< 0) {',
  }),
  unit('the time for writing it does not count as waiting', 'truncation/jobDisk', {
    file: CONNECTION_GATE,
    find: 'const preparedAt = clock.now();\n  const monotonicAt = clock.monotonic();\n  return async () => {',
    replace: 'return async () => {\n    const preparedAt = clock.now();\n    const monotonicAt = clock.monotonic();',
  }),
  unit('a truncation that another window has dismissed is still sent', 'truncation/executionGate', {
    file: EXECUTION_GATE,
    find: 'refuse(reason && REFUSALS[reason]());',
    replace: 'void [reason, REFUSALS];',
  }),
  unit('an index is truncated twice at once', 'truncation/executionGate', {
    file: EXECUTION_GATE,
    find: 'refuse(other && taskTexts.blockedBy(other));',
    replace: '',
  }),
  unit('the journals of other windows are not read before sending', 'truncation/executionGate', {
    file: EXECUTION_GATE,
    find: 'jobs.readAgain().catch(() => refuse(taskTexts.notRecorded(undefined))),',
    replace: 'Promise.resolve(),',
  }),
  unit('an execution is sent although its page was closed', 'truncation/executionGate', {
    file: EXECUTION_GATE,
    find: 'refuse(obstacle());',
    replace: '',
  }),
  unit('an execution is sent long after its count', 'truncation/executionGate', {
    file: EXECUTION_GATE,
    find: 'if (isDryRunTooOld()) {',
    replace: 'if (connection.id === job.id) {',
  }),
];
