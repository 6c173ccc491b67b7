/** What users were asked and said yes to, and the dry runs behind it. */
import type { TruncationPlan } from '../../src/service/indices/truncationRequest.ts';
import type { ConfirmedJob, DryRunSource, Yes } from './execution.ts';
import type { SentRequest } from './network.ts';
import type { Promises } from './promises.ts';
import { isSame, type ReceivedPlan } from './server.ts';
import { LAST_MOMENT_MILLIS, type Timeline } from './timeline.ts';

/** A yes to a dry run that was repeated since. */
type CountedYes = Yes & {
  readonly source: DryRunSource;
  readonly recount: NonNullable<Yes['recount']>;
};

export class Confirmations {
  readonly #promises: Promises;
  readonly #timeline: Pick<Timeline, 'now'>;
  readonly #maxAge: number;
  readonly #yeses: Yes[] = [];
  /** Origin of each plan's last dry run, by window. */
  readonly #dryRuns = new Map<string, DryRunSource>();
  /** Time at which each job was stopped. */
  readonly #stopped = new Map<ConfirmedJob, number>();

  /** @param maxAge Oldest age of a dry run at the user's yes, and of the next one at sending, in ms. */
  constructor(promises: Promises, timeline: Pick<Timeline, 'now'>, maxAge: number) {
    this.#promises = promises;
    this.#timeline = timeline;
    this.#maxAge = maxAge;
  }

  /** The user stopped a job or closed its page: no further item may be sent. */
  stopped(by: object): void {
    const job = this.#yeses.findLast((yes) => yes.job?.by === by)?.job;
    if (job !== undefined) {
      this.#stopped.set(job, this.#timeline.now);
    }
  }

  stoppedAt(job: ConfirmedJob): number {
    return this.#stopped.get(job) ?? Number.POSITIVE_INFINITY;
  }

  saidYes(yes: Omit<Yes, 'isUsed' | 'recount'>): void {
    this.#yeses.push({ ...yes, isUsed: false, recount: undefined });
  }

  /** The response of a dry run has reached its window. */
  counted({ window, authorization, body }: SentRequest, baseUrl: string, toDelete: number): void {
    const plan = JSON.parse(body) as ReceivedPlan;
    this.#dryRuns.set(dryRunKey(window, plan), { baseUrl, credential: tokenIn(authorization) });
    for (const yes of this.#yeses) {
      if (yes.window === window && !yes.isUsed && isSame(plan, yes.plan) && baseUrl === yes.connection.baseUrl) {
        yes.recount = { toDelete, at: this.#timeline.now };
      }
    }
  }

  /** Origin of a window's last dry run of a plan. */
  sourceOf(window: number, plan: TruncationPlan): DryRunSource | undefined {
    return this.#dryRuns.get(dryRunKey(window, plan));
  }

  /** An execution leaves a window. @returns the yes that it needs */
  used({ window, url, authorization }: SentRequest, plan: ReceivedPlan): CountedYes {
    const promises: Promises = this.#promises;
    // Earlier questions led to nothing: only the last yes counts.
    const yes = this.#yeses.findLast((one) => one.window === window && isSame(plan, one.plan));
    promises.must(yes !== undefined && !yes.isUsed, 'an execution is sent without a yes, or twice for one yes');
    yes.isUsed = true;
    const { connection, source, recount, shown } = yes;
    const address = url.origin + url.pathname;
    promises.must(
      address.startsWith(`${connection.baseUrl}/`),
      `the question named ${connection.baseUrl}, the execution is sent to ${address}`,
    );
    promises.must(
      source !== undefined && address.startsWith(`${source.baseUrl}/`),
      `the dry run was made on ${source?.baseUrl ?? 'no server'}, the execution is sent to ${address}`,
    );
    promises.must(
      tokenIn(authorization) === source.credential,
      'an execution is sent with another credential than its dry run',
    );
    promises.must(
      yes.at - yes.shownAt <= this.#maxAge,
      'an execution is sent of a dry run that was older at the yes than the setting allows',
    );
    promises.must(recount !== undefined, 'an execution is sent without counting again after the yes');
    promises.must(
      shown.rows === undefined || recount.toDelete <= shown.rows.toDelete,
      'more rows are deleted than were shown',
    );
    promises.must(
      this.#timeline.now - recount.at <= this.#maxAge + LAST_MOMENT_MILLIS,
      'an execution is sent long after its rows were counted',
    );
    return yes as CountedYes;
  }
}

function dryRunKey(
  window: number,
  { aspect, endTimeMillis }: Pick<TruncationPlan, 'aspect' | 'endTimeMillis'>,
): string {
  return `${window} ${aspect} ${endTimeMillis}`;
}

export function tokenIn(authorization: string | undefined): string | undefined {
  return authorization?.slice('Bearer '.length);
}
