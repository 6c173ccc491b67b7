/** Facts that the view of a job needs. */
import type { Connection } from '../../../connections/connection.ts';
import type { ReportedIndexSize } from '../../../service/indices/indexSize.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import type { InterruptedJob } from '../../../truncation/jobStore.ts';
import type { TaskWatch } from '../../../truncation/watch.ts';

export interface JobViewFacts {
  /** Undefined once it was removed. */
  readonly connection: Connection | undefined;
  readonly job: Pick<JobRun, 'items' | 'plannedItems' | 'shown' | 'state' | 'timeZone'>;
  /** The stored jobs that may be continued, the latest first. */
  readonly interrupted: readonly InterruptedJob[];
  readonly sizeOf: (index: { readonly entityType: string; readonly aspect: string }) => ReportedIndexSize;
  readonly watch: Pick<TaskWatch, 'progress' | 'watchProblem'>;
  readonly now: number;
}
