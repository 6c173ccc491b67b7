/** What truncating several indices takes of the program around it. Plain functions, so that it runs without VS Code too. */
import type { Connection } from '../connections/connection.ts';
import type { Event } from '../platform/events.ts';
import type { Clock } from '../service/clock.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { PlanDraft } from '../truncation/plan.ts';
import type { Problem } from '../truncation/problem.ts';
import type { DryRunReview } from '../truncation/state.ts';
import type { TruncationRun } from '../truncation/run.ts';
import type { TruncationStore } from '../truncation/truncationStore.ts';
import type { TaskWatch } from '../truncation/watch.ts';
import type { BulkRecord } from './bulkRecord.ts';
import type { BulkStore } from './bulkStore.ts';

/** What a person is asked before anything is sent. */
export interface BulkConfirmation {
  readonly connection: Connection;
  /** Of all that are to be deleted from, in the order in which they are sent. */
  readonly reviews: readonly DryRunReview[];
  /** The person's. */
  readonly timeZone: string;
}

export interface BulkParts {
  readonly connectionId: string;
  /** As it is stored at the moment; undefined: it was removed. */
  readonly connection: () => Connection | undefined;
  /** Fired when that may have changed. */
  readonly onDidChangeConnections: Event<unknown>;
  /**
   * What deletes from one index.
   * @param confirm Answers the run's question. @param bulk Those that it is sent with, to be marked before it is.
   * @param recordId Of an interrupted item that it continues: sent under the same ID, so that no window sends it twice.
   */
  readonly newRun: (
    connectionId: string,
    draft: PlanDraft,
    confirm: () => Promise<boolean>,
    bulk: () => BulkRecord | undefined,
    recordId: string | undefined,
  ) => Promise<TruncationRun>;
  readonly records: Pick<TruncationStore, 'get' | 'onDidChange'>;
  readonly bulks: BulkStore;
  readonly watch: Pick<TaskWatch, 'look' | 'onDidChange'>;
  /** Why nothing may be deleted from an index at the moment. */
  readonly blocked: (plan: TruncationPlan, recordId: string) => Problem | undefined;
  /** Asks the person, once for all. False: nothing is to be deleted. */
  readonly confirm: (confirmation: BulkConfirmation) => Promise<boolean>;
  /** Tells that a yes came to nothing, because there is no page any more that could. */
  readonly tellClosed: () => void;
  readonly clock: Pick<Clock, 'now'>;
  /** A new, random UUID. */
  readonly newId: () => string;
  /** Told of each failure, for the log. */
  readonly observe: (failure: ServiceFailure) => void;
}
