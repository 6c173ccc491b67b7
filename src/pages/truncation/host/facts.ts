/** Input of the truncation page's view. */
import type { Connection } from '../../../connections/connection.ts';
import type { RowsByAgeState } from '../../../rowsByAge/rowsByAge.ts';
import type { Caution } from '../../../truncation/cautions.ts';
import type { Problem } from '../../../truncation/outcome.ts';
import type { Poll } from '../../../truncation/pollHistory.ts';
import type { TruncationRecord } from '../../../truncation/record.ts';
import type { TruncationState } from '../../../truncation/state.ts';
import type { TaskProgress } from '../../../truncation/taskEnd.ts';

export interface TruncationFacts {
  readonly state: TruncationState;
  readonly cautions: readonly Caution[];
  readonly connection: Connection;
  readonly rowsByAge: RowsByAgeState | undefined;
  readonly record: TruncationRecord | undefined;
  /** True if the overview of the connection is open. */
  readonly isOverviewOpen: boolean;
  /** The current one in bytes, as listed. */
  readonly indexSize: number | undefined;
  /** Name of the index on the search cluster. */
  readonly indexName: string | undefined;
  readonly forceFlagsKnown: boolean;
  /** Another truncation that may have hidden rows of the index, or still runs. */
  readonly blocking?: Problem | undefined;
  readonly progress: TaskProgress | undefined;
  /** Undefined before the first poll in this window. */
  readonly lastPoll: Poll | undefined;
  /** True if another poll may change the outcome. */
  readonly canCheck: boolean;
  /** Set while the task can't be watched. */
  readonly watchProblem: Problem | undefined;
  /** Unix time in ms. */
  readonly now: number;
  /** IANA name of the user's time zone. */
  readonly timeZone: string;
}
