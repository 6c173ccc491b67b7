/** One window of VS Code: the extension's real stores, services, jobs and watch on the simulated machine. */
import type { Connection } from '../../src/connections/connection.ts';
import { ConnectionStore } from '../../src/connections/connectionStore.ts';
import { removeConnection } from '../../src/connections/removal.ts';
import { ServicePool } from '../../src/connections/servicePool.ts';
import { CredentialStore } from '../../src/connections/credentialStore.ts';
import type { Disposable } from '../../src/platform/events.ts';
import type { Clock } from '../../src/time.ts';
import type { DryRunReport, DryRunReview } from '../../src/truncation/dryRun.ts';
import type { JobEnvironment } from '../../src/truncation/jobEnvironment.ts';
import type { JobItem } from '../../src/truncation/jobItem.ts';
import { JobRun } from '../../src/truncation/jobRun.ts';
import { JobStore, reloadSharedStores } from '../../src/truncation/jobStore.ts';
import { TaskWatch } from '../../src/truncation/watching/watch.ts';
import type { TruncationRecord } from '../../src/truncation/sentTruncation.ts';
import type { PlanDraft } from '../../src/truncation/plan.ts';
import type { ConfirmedJob, DryRunSource } from './execution.ts';
import type { Machine } from './machine.ts';
import type { Host } from './storage.ts';

/** Default of the setting, in ms. */
export const MAX_AGE_MILLIS = 10 * 60_000;
const REQUEST_TIMEOUT_MILLIS = 30_000;

export class Window implements Host {
  readonly id: number;
  readonly #machine: Machine;
  /** When each dry run was first shown, and its origin. */
  readonly #shown = new WeakMap<DryRunReport, { readonly at: number; readonly source: DryRunSource | undefined }>();
  /** States that were looked at. */
  readonly #seen = new WeakSet<object>();
  readonly #clock: Clock;
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly jobs: JobStore;
  readonly watch: TaskWatch;
  readonly runs: JobRun[] = [];
  /** Disposed when its page is closed. */
  readonly pages: Disposable[] = [];
  #alive = true;

  constructor(id: number, machine: Machine, failureRate: () => number) {
    this.id = id;
    this.#machine = machine;
    const { timeline, disk, network } = machine;
    this.#clock = timeline.clock((millis, run) => timeline.after(millis, () => this.#alive && run()));
    const folders = disk.openIn(this, failureRate);
    this.store = new ConnectionStore(folders, machine.memento(), machine.memento());
    this.credentials = new CredentialStore(machine.secrets.openIn(this, failureRate), this.store, this.#clock);
    this.services = new ServicePool(this.store, this.credentials, machine.memento(), {
      timeoutMillis: () => REQUEST_TIMEOUT_MILLIS,
      network: {
        fetch: network.fetchFrom(id, this),
        clock: this.#clock,
        checksCertificates: () => true,
        userAgent: 'simulation',
      },
      log: {
        exchange: () => undefined,
        bug: () => undefined,
      },
    });
    this.jobs = new JobStore(folders('jobs'));
    this.watch = new TaskWatch(this.jobs, this.services, this.store, this.#clock);
    // As on activation.
    void this.store.load();
    this.jobs.onDidChange((connectionId) => this.jobs.of(connectionId).forEach((record) => machine.reported(record)));
  }

  isAlive = (): boolean => this.#alive;

  /** Unix time in ms, by the machine's clock. */
  now = (): number => this.#clock.now();

  later = (millis: number, run: () => void): void => {
    this.#machine.timeline.after(millis, () => {
      if (this.#alive) {
        run();
      }
    });
  };

  pause(millis: number): Promise<void> {
    return new Promise((resolve) => this.later(millis, resolve));
  }

  /** Ends the window's process: promises it awaits never settle. */
  die(): void {
    if (this.#alive && this.runs.some(({ items }) => items.some(({ state }) => state.phase === 'executing'))) {
      this.#machine.reachedPhases.add('a window died while an execution was under way');
    }
    this.#alive = false;
  }

  /** Closes the window in an orderly way: the extension is deactivated, with time to store recent changes. */
  close(): void {
    this.pages.forEach((page) => page.dispose());
    this.watch.dispose();
    this.services.dispose();
    this.#machine.timeline.after(200, () => this.die());
  }

  /** Reads what other windows changed. */
  focus(): Promise<void> {
    return reloadSharedStores(this);
  }

  /** A wizard on a new page. */
  async open(connectionId: string, from: PlanDraft | TruncationRecord): Promise<JobRun> {
    await Promise.all([this.#environment.store.load(), this.#environment.jobs.load()]);
    const run = JobRun.ofOne(this.#environment, connectionId, from);
    this.pages.push(run);
    return this.#watchRun(run);
  }

  /** An overview on a new page. */
  openOverview(connectionId: string): JobRun {
    const run = JobRun.ofMany(this.#environment, connectionId);
    this.pages.push({
      dispose: () => {
        this.#machine.ledger.confirmations.stopped(run);
        run.dispose();
      },
    });
    return this.#watchRun(run);
  }

  /** Asks the user, then truncates what is planned. */
  execute(run: JobRun): Promise<void> {
    return run.execute(({ connection, items }) =>
      this.#answer(
        connection,
        items.map(({ review }) => review),
        run.state.origin === 'overview' ? { by: run } : undefined,
      ),
    );
  }

  get #environment(): JobEnvironment {
    const { store, credentials, services, jobs, watch } = this;
    return {
      store,
      credentials,
      services,
      jobs,
      watch,
      log: { failure: () => undefined },
      host: {
        maxAgeMillis: () => MAX_AGE_MILLIS,
        sizeOf: () => undefined,
        sent: () => undefined,
        concluded: (record, refusal) => this.#machine.concluded(this.id, record, refusal !== undefined),
        notifyPageClosed: () => undefined,
        notifyNotStored: () => undefined,
      },
    };
  }

  /** The user answers the last questions after a while: types a name, then answers a modal. */
  async #answer(connection: Connection, reviews: readonly DryRunReview[], confirmed?: ConfirmedJob): Promise<boolean> {
    const { random, timeline, ledger, reachedPhases } = this.#machine;
    const askedAt = timeline.now;
    await this.pause(random.pick([200, 2_000, 30_000, 20 * 60_000]));
    this.#machine.mayGrow(connection.baseUrl);
    if (random.chance(0.05)) {
      reachedPhases.add('the prompt for a name was cancelled');
      return false;
    }
    if (random.chance(0.01)) {
      reachedPhases.add('a question could not be asked');
      throw new Error('The window has no place for a question.');
    }
    await this.pause(random.whole(1, 30));
    if (random.chance(0.05)) {
      return false;
    }
    if (ledger.executions.some(({ request, at }) => request.window !== this.id && at >= askedAt)) {
      reachedPhases.add('another window sent while a question was open');
    }
    for (const { report, plan } of reviews) {
      const { at: shownAt, source } = this.#shown.get(report) ?? { at: 0, source: undefined };
      // The host may still refuse an old dry run: only what is sent counts.
      ledger.saidYes({
        window: this.id,
        connection,
        plan,
        shown: report,
        shownAt,
        source,
        at: timeline.now,
        job: confirmed,
      });
    }
    return true;
  }

  #watchRun(run: JobRun): JobRun {
    run.onDidChange(() => run.items.forEach((item) => this.#see(item)));
    this.runs.push(run);
    return run;
  }

  async remove({ id }: Connection): Promise<void> {
    const { ledger } = this.#machine;
    ledger.removedConnections.add(id);
    const { store, credentials, services } = this;
    const forgetConnection = (): Promise<void> => this.jobs.forgetConnection(id);
    await removeConnection({ store, credentials, services, forgetConnection }, id);
  }

  #see({ state, record }: JobItem): void {
    if (this.#seen.has(state)) {
      return;
    }
    this.#seen.add(state);
    this.#machine.reached(state, record);
    if (state.phase === 'reviewed' && !this.#shown.has(state.review.report)) {
      const { timeline, ledger } = this.#machine;
      this.#shown.set(state.review.report, {
        at: timeline.now,
        source: ledger.confirmations.sourceOf(this.id, state.review.plan),
      });
    }
    const { random, timeline } = this.#machine;
    if (state.phase === 'executing' && random.chance(0.05)) {
      timeline.after(random.whole(0, 150), () => {
        timeline.note(`window ${this.id} dies`);
        this.die();
      });
    }
  }
}

/** The item of a wizard's job. */
export function onlyItem({ items: [item] }: JobRun): JobItem {
  if (item === undefined) {
    throw new RangeError('The job of a wizard has one item.');
  }
  return item;
}
