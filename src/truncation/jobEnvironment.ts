/** The program around a job. Free of VS Code, so that unit tests and the simulation can provide it. */
import type { ServicePool } from '../connections/servicePool.ts';
import type { IndexName } from '../indices/indexName.ts';
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';
import type { Log } from '../ui/log.ts';
import type { SharedStores } from './jobStore.ts';
import type { Problem } from './problem.ts';
import type { TruncationRecord } from './sentTruncation.ts';
import type { TaskWatch } from './watching/watch.ts';

export interface JobEnvironment extends SharedStores {
  readonly services: ServicePool;
  readonly watch: TaskWatch;
  readonly log: Pick<Log, 'failure'>;
  readonly host: JobHost;
}

/** Settings and figures that a job reads, and events that it reports. */
export interface JobHost {
  /** Age up to which a dry run may be executed, in ms. */
  readonly maxAgeMillis: () => number;
  readonly sizeOf: (connectionId: string, index: IndexName) => number | undefined;
  /** Called once a plan was sent. */
  readonly sent: (connectionId: string, plan: TruncationPlan) => void;
  /** Called with the task or the ending of each execution that was sent, or why the server refused it. */
  readonly concluded: (record: TruncationRecord, refusal?: Problem) => void;
  /** Says why nothing was deleted, since the page was closed. */
  readonly notifyPageClosed: (problem: Problem, connectionName: string) => void;
  /** Says that the outcome of a truncation could not be stored. */
  readonly notifyNotStored: () => void;
}
