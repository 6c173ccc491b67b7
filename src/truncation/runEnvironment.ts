/** The program around a run. Free of VS Code, so that unit tests and the simulation can provide it. */
import type { Connection } from '../connections/connection.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { Clock } from '../time.ts';
import type { ReportedIndexSize } from '../service/indices/indexSize.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { Log } from '../ui/log.ts';
import type { Caution } from './cautions.ts';
import type { Problem } from './outcome.ts';
import type { TruncationRecord } from './record.ts';
import type { SharedStores } from './truncationStore.ts';
import type { DryRunReview } from './state.ts';
import type { TaskWatch } from './watch.ts';

export interface RunEnvironment extends SharedStores {
  readonly services: ServicePool;
  readonly watch: Pick<TaskWatch, 'judgeAgain'>;
  readonly log: Pick<Log, 'failure'>;
  readonly clock: Clock;
  /** Age up to which a dry run may be executed, in ms. */
  readonly maxAgeMillis: () => number;
  /** Current size of an index. */
  readonly sizeOf: (connectionId: string, plan: TruncationPlan) => ReportedIndexSize;
  /** Called once a plan was sent. */
  readonly sent: (connectionId: string, plan: TruncationPlan) => void;
  /** Called with the task or the ending of each execution that was sent. Refused ones are no longer stored by then. */
  readonly concluded: (record: TruncationRecord) => void;
  /** Says that nothing was deleted: the page was closed. @param problem Set after the last question. */
  readonly notifyPageClosed: (problem?: Problem) => void;
  /** Says that the outcome of a truncation could not be stored. */
  readonly notifyNotStored: () => void;
}

/** Differences of a run that belongs to a batch. */
export interface RunOptions {
  /** ID of the first record, for an item that continues an interrupted batch. Defaults to a new UUID. */
  readonly recordId?: string | undefined;
  readonly notifyPageClosed?: RunEnvironment['notifyPageClosed'];
}

/** The question before anything is sent. */
export interface Confirmation {
  readonly connection: Connection;
  readonly review: DryRunReview;
  /** Accepted ones. */
  readonly cautions: readonly Caution[];
  /** The user's. */
  readonly timeZone: string;
}
