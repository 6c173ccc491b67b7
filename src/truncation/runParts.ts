/** What driving a truncation takes of the program around it. Plain functions, so that it runs without VS Code too. */
import type { Connection } from '../connections/connection.ts';
import type { Event } from '../platform/events.ts';
import type { Clock } from '../service/clock.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import type { CutOffCaution } from './plan.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { TruncationRecord } from './record.ts';
import type { Problem } from './problem.ts';
import type { DryRunReview } from './state.ts';
import type { TruncationStore } from './truncationStore.ts';

/** What a person is asked before anything is sent. */
export interface Confirmation {
  readonly connection: Connection;
  readonly review: DryRunReview;
  readonly caution: CutOffCaution | undefined;
  /** The person's. */
  readonly timeZone: string;
}

/** Where a run writes down what it sends. */
export type RunRecords = Pick<
  TruncationStore,
  'get' | 'blocking' | 'claim' | 'settle' | 'takeBack' | 'save' | 'forget'
>;

export interface RunParts {
  /** ID of the record that the first execution is written down under; a new one if absent. */
  readonly recordId?: string | undefined;
  /** As it is stored at the moment; undefined: it was removed. */
  readonly connection: () => Connection | undefined;
  readonly onDidChangeConnections: Event<unknown>;
  readonly service: (connection: Connection) => MetadataService;
  readonly records: RunRecords;
  /** Learns what other windows stored. Never throws. */
  readonly reload: () => Promise<void>;
  /** Asks the person. False: nothing is to be deleted. */
  readonly confirm: (confirmation: Confirmation) => Promise<boolean>;
  /** Tells that a yes came to nothing, because there is no page any more that could. @param failing After the last question. */
  readonly tellClosed: (failing?: Problem) => void;
  /** How old a dry run may be when it is executed from, in ms. */
  readonly maxAgeMillis: () => number;
  readonly clock: Clock;
  /** A new, random UUID. */
  readonly newId: () => string;
  /** Called after each dry run: what was said about the index's last truncation may have changed. */
  readonly counted: (connection: Connection, plan: TruncationPlan) => void;
  /** Told of each plan that was sent. */
  readonly sent: (plan: TruncationPlan) => void;
  /** Told what came of each execution that was sent: a task that runs, or an ending. One that nothing came of is stored no more. */
  readonly tellNotStored: () => void;
  readonly concluded: (record: TruncationRecord) => void;
  /** The size of the index now, as a record keeps it. */
  readonly sizeBefore: (plan: TruncationPlan) => Pick<TruncationRecord, 'sizeBefore' | 'sizePrecision'>;
  /** Told of each failure, for the log. */
  readonly observe: (failure: ServiceFailure) => void;
}
