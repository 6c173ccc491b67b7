/** One window of VS Code: the extension's real stores, services, runs and watch on the simulated machine. */
import type { Connection } from '../../src/connections/connection.ts';
import { ConnectionStore } from '../../src/connections/connectionStore.ts';
import { removeConnection } from '../../src/connections/removal.ts';
import { ServicePool } from '../../src/connections/servicePool.ts';
import { CredentialStore } from '../../src/connections/credentialStore.ts';
import type { Disposable } from '../../src/platform/events.ts';
import type { ServiceFailure } from '../../src/service/failure/failure.ts';
import type { Clock } from '../../src/time.ts';
import type { DryRunReport } from '../../src/truncation/dryRun.ts';
import type { Problem } from '../../src/truncation/outcome.ts';
import type { DryRunReview } from '../../src/truncation/state.ts';
import type { Confirmation, RunOptions } from '../../src/truncation/runEnvironment.ts';
import { reloadSharedStores, TruncationStore } from '../../src/truncation/truncationStore.ts';
import { BatchRun } from '../../src/batch/batchRun.ts';
import { BatchStore } from '../../src/batch/batchStore.ts';
import { TaskWatch } from '../../src/truncation/watch.ts';
import type { TruncationRecord } from '../../src/truncation/record.ts';
import { executeReviewed } from '../../src/truncation/executeReviewed.ts';
import { TruncationRun } from '../../src/truncation/run.ts';
import { cautionsFor } from '../../src/truncation/cautions.ts';
import type { PlanDraft } from '../../src/truncation/plan.ts';
import { cautionText } from '../../src/truncation/texts/reviewTexts.ts';
import { taskTexts } from '../../src/truncation/texts/taskTexts.ts';
import { excludesFromBatch } from '../../src/batch/batchItem.ts';
import { formatsOf } from '../../src/ui/formats.ts';
import type { ConfirmedBatch } from './batchPromises.ts';
import type { DryRunSource } from './execution.ts';
import type { Machine, Workbench } from './machine.ts';
import type { Host } from './storage.ts';

/** Default of the setting, in ms. */
export const MAX_AGE_MILLIS = 10 * 60_000;
const REQUEST_TIMEOUT_MILLIS = 30_000;

export class Window implements Host {
  readonly id: number;
  readonly workbench: Workbench;
  readonly sessionId = crypto.randomUUID();
  readonly #machine: Machine;
  /** When each dry run was first shown, and its origin. */
  readonly #shown = new WeakMap<DryRunReport, { readonly at: number; readonly source: DryRunSource | undefined }>();
  readonly #clock: Clock;
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly records: TruncationStore;
  readonly watch: TaskWatch;
  readonly batches: BatchStore;
  readonly runs: TruncationRun[] = [];
  /** Disposed when its page is closed. */
  readonly pages: Disposable[] = [];
  #alive = true;

  constructor(id: number, machine: Machine, workbench: Workbench, failureRate: () => number) {
    this.id = id;
    this.workbench = workbench;
    this.#machine = machine;
    const { timeline, disk, network } = machine;
    this.#clock = timeline.clock((millis, run) => timeline.after(millis, () => this.#alive && run()));
    const folders = disk.openIn(this, failureRate);
    const globalState = workbench.memento.openIn(this, failureRate);
    this.store = new ConnectionStore(folders, globalState, machine.workspaceState());
    this.credentials = new CredentialStore(workbench.secrets.openIn(this, failureRate), this.store, this.#clock);
    this.services = new ServicePool(this.store, this.credentials, globalState, {
      timeoutMillis: () => REQUEST_TIMEOUT_MILLIS,
      network: {
        fetch: network.fetchFrom(id, this),
        clock: this.#clock,
        checksCertificates: () => true,
        userAgent: 'simulation',
      },
      log: {
        exchange: (name, exchange) => machine.say(JSON.stringify([name, exchange])),
        bug: (where, thrown) => machine.say(`${where}: ${String(thrown)}`),
      },
    });
    this.records = new TruncationStore(folders('truncations'));
    this.batches = new BatchStore(folders('batches'), this.records);
    this.watch = new TaskWatch(this.records, this.services, this.store, this.#clock);
    // As on activation.
    void this.store.load();
    this.records.onDidChange((connectionId) =>
      this.records.of(connectionId).forEach((record) => machine.reported(record)),
    );
  }

  isAlive = (): boolean => this.#alive;

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
    if (this.#alive && this.runs.some(({ state }) => state.phase === 'executing')) {
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
  async focus(): Promise<void> {
    const machine = this.#machine;
    const mayFail = machine.isFailing;
    const isRead = machine.ledger.signIns.learning(this.id);
    await reloadSharedStores(this);
    if (!mayFail && !machine.isFailing) {
      isRead();
    }
  }

  async open(connectionId: string, from: PlanDraft | TruncationRecord): Promise<TruncationRun> {
    const run = await this.#newRun(connectionId, from);
    this.watch.onDidChange((record) => run.follow(record));
    this.pages.push(run);
    return run;
  }

  /** Asks the user before one truncation is sent. */
  readonly ask = ({ connection, review }: Confirmation): Promise<boolean> => this.#answer(connection, [review]);

  /** Asks the user, then truncates what is planned. */
  executeBatch(batch: BatchRun): Promise<void> {
    return executeReviewed(batch, ({ connection, reviews }) =>
      // Until the new batch is written, its ID is that of the interrupted one.
      this.#answer(connection, reviews, { by: batch, continues: batch.recordId }),
    );
  }

  /** A batch on a new page. */
  openBatch(connectionId: string): BatchRun {
    const { ledger } = this.#machine;
    const batch = new BatchRun(connectionId, {
      store: this.store,
      newRun: (draft, options) => this.#newRun(connectionId, draft, options),
      records: this.records,
      batches: this.batches,
      watch: this.watch,
      blockingProblem: (review, recordId) => this.#blockingProblem(connectionId, review, recordId),
      notifyPageClosed: () => undefined,
      clock: this.#clock,
      log: { failure: this.#observe },
    });
    this.pages.push({
      dispose: () => {
        ledger.stopped(batch);
        batch.dispose();
      },
    });
    return batch;
  }

  /** Like the page: batches are limited to whole days. */
  #blockingProblem(connectionId: string, review: DryRunReview, recordId: string): Problem | undefined {
    const connection = this.store.get(connectionId);
    const { plan } = review;
    const sent = connection === undefined ? [] : this.records.sentTo(connection, plan);
    const earlier = sent.filter(({ id }) => id !== recordId);
    const cautions = cautionsFor({ endTimeMillis: plan.endTimeMillis, now: this.#clock.now(), review, earlier });
    const caution = cautions.find(excludesFromBatch);
    const blocking = connection && this.records.inTheWay(connection, plan, recordId, this.#clock.now());
    return blocking === undefined
      ? caution && { sentence: cautionText(caution, formatsOf('en')) }
      : taskTexts.blockedBy(blocking);
  }

  /** The user answers the last questions after a while: types a name, then answers a modal. */
  async #answer(
    connection: Connection,
    reviews: readonly DryRunReview[],
    confirmed?: ConfirmedBatch,
  ): Promise<boolean> {
    const { random, timeline, ledger, patience, answersAt, reachedPhases } = this.#machine;
    const askedAt = timeline.now;
    reviews.forEach(({ report }) => this.#machine.say(JSON.stringify(report)));
    await this.pause(answersAt === undefined ? random.pick(patience) : answersAt - askedAt);
    this.#machine.mayGrow(connection.baseUrl);
    if (random.chance(0.05)) {
      reachedPhases.add('the prompt for a name was cancelled');
      return false;
    }
    if (random.chance(0.01)) {
      reachedPhases.add('a question could not be asked');
      throw new Error('The window has no place for a question.');
    }
    await this.pause(random.whole(1, answersAt === undefined ? 30 : 8));
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
        batch: confirmed,
      });
    }
    return true;
  }

  async #newRun(
    connectionId: string,
    from: PlanDraft | TruncationRecord,
    options?: RunOptions,
  ): Promise<TruncationRun> {
    const run = await TruncationRun.open(
      {
        store: this.store,
        credentials: this.credentials,
        services: this.services,
        records: this.records,
        watch: this.watch,
        log: { failure: this.#observe },
        clock: this.#clock,
        maxAgeMillis: () => MAX_AGE_MILLIS,
        sizeOf: () => ({ bytes: undefined, precision: 'exact' }),
        sent: () => undefined,
        concluded: (record) => this.#machine.concluded(this.id, record),
        notifyPageClosed: () => undefined,
        notifyNotStored: () => undefined,
      },
      connectionId,
      from,
      options,
    );
    run.onDidChange(() => this.#see(run));
    this.runs.push(run);
    return run;
  }

  #observe = (failure: ServiceFailure): void =>
    this.#machine.say(JSON.stringify([failure.message, failure.next, failure.serverText, failure.stack]));

  async signOut(connection: Connection): Promise<void> {
    const { id } = connection;
    const reported = this.#signingOut(id);
    const before = this.store.get(id)?.signedOutAt;
    await this.credentials.signOut(connection);
    // Where the disk failed, it holds for the windows that share the secrets.
    if (!this.workbench.secrets.isOfBrowser || this.store.get(id)?.signedOutAt !== before) {
      reported();
    }
  }

  async remove({ id }: Connection): Promise<void> {
    const { ledger } = this.#machine;
    ledger.removedConnections.add(id);
    const reported = this.#signingOut(id);
    const { store, credentials, services } = this;
    const forgetConnection = async (): Promise<void> => {
      await Promise.all([this.records.forgetConnection(id), this.batches.forgetConnection(id)]);
    };
    await removeConnection({ store, credentials, services, forgetConnection }, id);
    reported();
    ledger.reportedRemovals.set(id, this.#machine.timeline.now);
  }

  #signingOut(id: string): () => void {
    return this.#machine.ledger.signIns.signingOut(this.id, id, this.workbench.secrets.isOfBrowser);
  }

  #see(run: TruncationRun): void {
    const { state } = run;
    this.#machine.reached(state, run.record);
    if (state.phase === 'reviewed' && !this.#shown.has(state.review.report)) {
      const { timeline, ledger } = this.#machine;
      this.#shown.set(state.review.report, { at: timeline.now, source: ledger.sourceOf(this.id, state.review.plan) });
    }
    this.#machine.say(JSON.stringify(state));
    const { random, timeline } = this.#machine;
    if (state.phase === 'executing' && random.chance(this.#machine.deathRate)) {
      timeline.after(random.whole(0, 150), () => {
        timeline.note(`window ${this.id} dies`);
        this.die();
      });
    }
  }
}
