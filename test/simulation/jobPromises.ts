/** Promises about jobs of the overview, which windows send, continue or dismiss. */
import type { TruncationPlan } from '../../src/service/indices/truncation.ts';
import { itemOf, itemsAt, itemsLeft, recordId, type Job } from '../../src/truncation/job.ts';
import type { InterruptedJob } from '../../src/truncation/jobStore.ts';
import type { Timeline } from './timeline.ts';

/** A confirmed job. */
export interface ConfirmedJob {
  /** The object that sends it. */
  readonly by: object;
  /** ID of the interrupted job that it continues. */
  readonly continues: string | undefined;
}

/** An item of a job when it is sent. */
interface SentItem {
  readonly aspect: string;
  /** ID of its job. */
  readonly job: string;
  readonly recordId: string;
  readonly window: number;
  /** The server did nothing, and the run said so: the item may be sent again. */
  isTakenBack: boolean;
}

/** Rows that a server has deleted. */
interface DeletedRows {
  readonly plan: TruncationPlan;
  readonly server: Pick<Job, 'connectionId' | 'baseUrl'>;
  /** When it was asked to. */
  readonly at: number;
}

/** Everything that was really sent. */
interface SentTruncations {
  /** IDs of the truncations that a new window finds, and of those that servers executed. */
  readonly begun: readonly string[];
  readonly acted: readonly string[];
  readonly sent: readonly TruncationPlan[];
  readonly deleted: readonly DeletedRows[];
  readonly removedConnections: ReadonlySet<string>;
}

/** Changes less than this before an execution leaves come too late, in ms, because its credential is being read. */
export const LAST_MOMENT_MILLIS = 1_000;

/** From the last look at the journal, which a dismissal prevents, to the execution, in ms. */
const SENDING_MILLIS = 100;

export class JobPromises {
  readonly #timeline: Pick<Timeline, 'now'>;
  readonly #sent: SentItem[] = [];
  /** The job that each job continues, by ID. */
  readonly #continues = new Map<string, string>();
  /** When each job was first written. */
  readonly #writtenAt = new Map<string, number>();
  /** Each job as last written, by ID. */
  readonly #stored = new Map<string, Job>();
  /** When each job was dismissed. */
  readonly #dismissed = new Map<string, number>();
  /** Plans of jobs that the user dismissed. */
  readonly #dismissedPlans = new Set<string>();

  constructor(timeline: Pick<Timeline, 'now'>) {
    this.#timeline = timeline;
  }

  /** IDs of the connections that have jobs. */
  get connections(): readonly string[] {
    return [...new Set([...this.#stored.values()].map(({ connectionId }) => connectionId))];
  }

  written(job: Job): void {
    this.#writtenAt.set(job.id, this.#writtenAt.get(job.id) ?? this.#timeline.now);
    this.#stored.set(job.id, job);
  }

  /** The user dismisses a job. A window that is sending an item meanwhile reports itself that it was not sent. */
  dismissing({ items }: Job): void {
    items.forEach(({ plan }) => this.#dismissedPlans.add(planKey(plan)));
  }

  /** A window reports that it is dismissed. */
  dismissed(job: string): void {
    this.#dismissed.set(job, this.#timeline.now);
  }

  /** A window reports that nothing was started: the item may be sent again. */
  takenBack(window: number, id: string): void {
    for (const item of this.#sent) {
      item.isTakenBack ||= item.window === window && item.recordId === id;
    }
  }

  /** @returns the promise that confirming it would break, if any */
  confirming(plan: TruncationPlan, { continues = '' }: ConfirmedJob): string | undefined {
    const before = this.#stored.get(continues)?.items.find((item) => item.plan.aspect === plan.aspect)?.plan;
    // A server without strategies chooses one itself, and reindexes are excluded. A server with strategies gets the
    // safe one.
    const isSameStrategy =
      plan.strategy === 'server' ||
      plan.strategy === before?.strategy ||
      (before?.strategy === 'server' && plan.strategy === 'deleteByQuery');
    return before === undefined || (isSameStrategy && planText(before) === planText(plan))
      ? undefined
      : 'an item of a job is continued differently from what was confirmed';
  }

  /** @returns the promise that sending it would break, if any */
  sending(
    { recordId: id, aspect, window }: Pick<SentItem, 'recordId' | 'aspect' | 'window'>,
    { continues }: ConfirmedJob,
  ): string | undefined {
    const job = itemOf(id).id;
    if (continues !== undefined) {
      this.#continues.set(job, continues);
    }
    const item = { recordId: id, aspect, window, job, isTakenBack: false };
    const broken = this.#isDismissed(job)
      ? 'a dismissed item of a job is sent'
      : this.#sent.some((other) => this.#isSame(item, other))
        ? 'an item of a job is sent twice'
        : undefined;
    this.#sent.push(item);
    return broken;
  }

  /**
   * Compares the interrupted jobs that a new window finds with those that were written.
   * @returns the broken promise, if any
   */
  found(interrupted: readonly InterruptedJob[], truth: SentTruncations): string | undefined {
    const notSent = new Set(
      interrupted.flatMap(({ job, left }) =>
        job.items.flatMap((item, place) => (left.includes(item) ? [recordId(job.id, place)] : [])),
      ),
    );
    if (truth.acted.some((id) => notSent.has(id))) {
      return 'an item of a job is called not sent, and a server deletes its rows';
    }
    if (truth.begun.some((id) => notSent.has(id))) {
      return 'an item of a job is called not sent, and a window that died may have sent it';
    }
    const known = new Set([
      ...interrupted.flatMap(({ left }) => left.map(({ plan }) => planKey(plan))),
      ...[...this.#stored.values()].flatMap(({ items }) =>
        items.flatMap(({ plan, status }) => (status === 'sent' ? [planKey(plan)] : [])),
      ),
      ...truth.sent.map(planKey),
      ...this.#dismissedPlans,
    ]);
    const isLost = (job: Job): boolean =>
      !truth.removedConnections.has(job.connectionId) &&
      itemsAt(job, itemsLeft(job)).some(
        ({ plan }) => !known.has(planKey(plan)) && !truth.deleted.some((one) => this.#isDoneBy(one, job, plan)),
      );
    return [...this.#stored.values()].some(isLost)
      ? 'items of a job were not sent, and a new window does not know'
      : undefined;
  }

  /** Another truncation of the index, sent since the user confirmed the job, has deleted the rows of an item. */
  #isDoneBy({ plan, server, at }: DeletedRows, job: Job, { aspect, endTimeMillis }: TruncationPlan): boolean {
    const isSameServer = server.connectionId === job.connectionId || server.baseUrl === job.baseUrl;
    const isSince = at >= (this.#writtenAt.get(job.id) ?? Infinity);
    return isSameServer && isSince && plan.aspect === aspect && plan.endTimeMillis >= endTimeMillis;
  }

  /** An item that another job has taken before the dismissal may be sent. */
  #isDismissed(job: string): boolean {
    return this.#lineOf(job).some((id, index, line) => {
      const dismissedAt = this.#dismissed.get(id) ?? Infinity;
      const successor = line[index - 1];
      const takenAt = successor === undefined ? this.#timeline.now : (this.#writtenAt.get(successor) ?? 0);
      return takenAt > dismissedAt + SENDING_MILLIS;
    });
  }

  #lineOf(job: string): readonly string[] {
    const before = this.#continues.get(job);
    return before === undefined ? [job] : [job, ...this.#lineOf(before)];
  }

  /** True for the same item in any window, and in any job that continues the same one. */
  #isSame(item: SentItem, other: SentItem): boolean {
    const first = (job: string): string | undefined => this.#lineOf(job).at(-1);
    return !other.isTakenBack && other.aspect === item.aspect && first(item.job) === first(other.job);
  }
}

function planText({ aspect, endTimeMillis, batchSize, timeoutSeconds }: TruncationPlan): string {
  return JSON.stringify([aspect, endTimeMillis, batchSize, timeoutSeconds]);
}

export function planKey({ aspect, endTimeMillis }: Pick<TruncationPlan, 'aspect' | 'endTimeMillis'>): string {
  return `${aspect} ${endTimeMillis}`;
}
