/**
 * Truncates several indices of one connection after one question, each by a run of its own. The next one is sent
 * once the task before it has finished: the cluster has one at a time, and a problem is known before it repeats.
 */
import { type Connection, accessOf } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { indexNameText } from '../indices/indexName.ts';
import { type Disposable, Emitter, disposeAll } from '../platform/events.ts';
import type { Clock } from '../time.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { Caution } from '../truncation/cautions.ts';
import type { PlanDraft } from '../truncation/plan.ts';
import type { Problem } from '../truncation/outcome.ts';
import type { TruncationRun } from '../truncation/run.ts';
import type { RunOptions } from '../truncation/runEnvironment.ts';
import type { DryRunReview } from '../truncation/state.ts';
import { taskTexts } from '../truncation/texts/taskTexts.ts';
import type { TruncationStore } from '../truncation/truncationStore.ts';
import type { TaskWatch } from '../truncation/watch.ts';
import type { Log } from '../ui/log.ts';
import { BatchItem } from './batchItem.ts';
import { type BatchRecord, itemsLeft, plansLeft, type BatchStore } from './batchStore.ts';
import { MAX_BATCH_ITEMS } from './protocol.ts';

/** The question before anything of a batch is sent. */
export interface BatchConfirmation {
  readonly connection: Connection;
  /** In the order of sending. */
  readonly reviews: readonly DryRunReview[];
  readonly cautions: readonly { readonly plan: TruncationPlan; readonly caution: Caution }[];
  /** The user's. */
  readonly timeZone: string;
}

/** The program around a batch. Free of VS Code, so that tests can provide it. */
export interface BatchEnvironment {
  readonly store: Pick<ConnectionStore, 'get' | 'getFresh' | 'onDidChange' | 'unreadable'>;
  readonly records: TruncationStore;
  readonly batches: BatchStore;
  readonly watch: Pick<TaskWatch, 'keepWatching' | 'onDidChange'>;
  readonly log: Pick<Log, 'failure'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newRun: (draft: PlanDraft, options: RunOptions) => Promise<TruncationRun>;
  /** Why nothing may be deleted from an index now. */
  readonly blockingProblem: (review: DryRunReview, recordId: string) => Problem | undefined;
  /** Says that nothing was deleted because the page was closed under the question. */
  readonly notifyPageClosed: () => void;
}

export type BatchPhase = 'choosing' | 'dryRunning' | 'planned' | 'confirming' | 'executing' | 'ended';

export class BatchRun implements Disposable {
  readonly #connectionId: string;
  readonly #environment: BatchEnvironment;
  readonly #changed = new Emitter<void>();
  readonly #subscriptions: readonly Disposable[];
  #phase: BatchPhase = 'choosing';
  #items: readonly BatchItem[] = [];
  /** The items that the user is asked about, or confirmed. */
  #confirmed: readonly BatchItem[] | undefined;
  /** The answered question, until `send` takes it. */
  #question: BatchConfirmation | undefined;
  /** The record of the confirmed items. */
  #record: BatchRecord | undefined;
  /** The interrupted batch that the next yes continues. */
  #continues: BatchRecord | undefined;
  #failing: Problem | undefined;
  #dryRuns = new AbortController();
  #isStopping = false;
  #disposed = false;
  /** The user's time zone; the host may run in another. */
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  readonly onDidChange = this.#changed.event;

  constructor(connectionId: string, environment: BatchEnvironment) {
    this.#connectionId = connectionId;
    this.#environment = environment;
    this.#subscriptions = [
      environment.watch.onDidChange(({ id }) => this.#follow(id)),
      environment.store.onDidChange(() => this.#changed.fire()),
      environment.records.onDidChange(() => this.#items.forEach(({ run }) => this.#follow(run?.record?.id))),
    ];
  }

  get phase(): BatchPhase {
    return this.#phase;
  }

  get items(): readonly BatchItem[] {
    return this.#items;
  }

  /** Items whose rows are deleted after a yes, or that were confirmed. */
  get plannedItems(): readonly BatchItem[] {
    return this.#confirmed ?? this.#items.filter(({ isInPlan }) => isInPlan);
  }

  /** ID of the batch that is shown: the confirmed one, or the interrupted one that it continues. */
  get recordId(): string | undefined {
    return (this.#record ?? this.#continues)?.id;
  }

  /** True if a truncation belongs to the items that are shown. */
  has(recordId: string): boolean {
    return this.#items.some(({ run }) => run?.recordId === recordId);
  }

  /** Why nothing of the whole batch was sent. */
  get failing(): Problem | undefined {
    return this.#failing;
  }

  /** True if the user stopped the batch: the running item is the last one. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Makes the dry runs, two at a time. Discards earlier ones.
   * @param continues The interrupted batch whose remaining items these are.
   */
  async dryRun(drafts: readonly PlanDraft[], continues?: BatchRecord): Promise<void> {
    if (this.#isBusy || drafts.length > MAX_BATCH_ITEMS) {
      return;
    }
    this.#leave();
    const { blockingProblem, newRun } = this.#environment;
    const left = new Map(continues && itemsLeft(continues).map((item) => [indexNameText(item.plan), item]));
    const items = (this.#items = drafts.map(
      (draft) => new BatchItem(draft, blockingProblem, left.get(indexNameText(draft))),
    ));
    const stop = (this.#dryRuns = new AbortController());
    this.#continues = continues;
    this.#enter('dryRunning');
    try {
      await forEachConcurrent(items, 2, stop.signal, async (item) => {
        const run = await newRun(item.draft, {
          recordId: item.continues?.recordId,
          // The batch notifies the user itself.
          notifyPageClosed: () => undefined,
        });
        if (stop.signal.aborted) {
          run.dispose();
          return;
        }
        run.onDidChange(() => this.#changed.fire());
        await item.dryRun(run);
      });
    } finally {
      this.#enter('planned');
    }
  }

  /** Repeats the dry runs of the items that are selected and not sent yet, here or by another window. */
  async dryRunAgain(): Promise<void> {
    const { batches } = this.#environment;
    await batches.reload();
    const stored = batches.of(this.#connectionId, this.#connection?.baseUrl);
    const continues = stored.find(({ id }) => id === this.recordId);
    // Another window has dismissed or continued the items that are no longer stored.
    const left =
      this.recordId === undefined ? undefined : new Set((continues ? plansLeft(continues) : []).map(indexNameText));
    const again = this.#items.filter(
      ({ isSelected, status, draft }) =>
        isSelected && status === 'notSent' && (left?.has(indexNameText(draft)) ?? true),
    );
    if (again.length === 0) {
      this.startOver();
      return;
    }
    await this.dryRun(
      again.map(({ draft }) => draft),
      continues,
    );
  }

  /** Keeps the dry runs that have ended. */
  cancel(): void {
    if (this.#phase === 'dryRunning') {
      this.#dryRuns.abort();
      this.#items.forEach(({ run }) => run?.cancel());
    }
  }

  /** Selects an item, or deselects it. */
  select(item: BatchItem, isSelected: boolean): void {
    if (!this.#isBusy && this.#items.includes(item)) {
      item.isSelected = isSelected;
      this.#changed.fire();
    }
  }

  /** Returns to choosing. What was sent keeps running. */
  startOver(): void {
    if (!this.#isBusy) {
      this.#leave();
      this.#enter('choosing');
    }
  }

  /** Sends nothing more, not even what is being counted again. What runs on the server keeps running. */
  stop(): void {
    if (this.#phase === 'executing') {
      this.#isStopping = true;
      this.#changed.fire();
    }
  }

  /**
   * Step 1 of an execution: checks all items. If one may not be sent, the user sees why before any question.
   * @returns the question about the whole plan. Undefined if nothing may be sent.
   */
  async check(): Promise<BatchConfirmation | undefined> {
    const connection = this.#connection;
    const plan = this.plannedItems;
    if (this.#phase !== 'planned' || connection === undefined || plan.length === 0) {
      return undefined;
    }
    this.#failing = undefined;
    this.#confirmed = plan;
    this.#enter('confirming');
    await Promise.all(plan.map((item) => item.check()));
    const reviews = plan.flatMap(({ state }) => (state?.phase === 'confirming' ? state.review : []));
    const cautions = plan.flatMap((item) => item.cautions);
    const question = { connection, reviews, cautions, timeZone: this.timeZone };
    if (reviews.length < plan.length) {
      this.answer(question, false);
      return undefined;
    }
    return question;
  }

  /** Step 2: takes the answer to the question that `check` returned. @returns whether to send. */
  answer(question: BatchConfirmation, isYes: boolean): boolean {
    if (this.#phase !== 'confirming') {
      return false;
    }
    const isAgreed = isYes && !this.#disposed;
    if (this.#disposed) {
      this.#environment.notifyPageClosed();
    }
    this.plannedItems.forEach((item) => item.answer(isAgreed));
    if (!isAgreed) {
      this.#confirmed = undefined;
      this.#enter('planned');
      return false;
    }
    this.#question = question;
    this.#enter('executing');
    return true;
  }

  /**
   * Step 3: sends one item after another. Does nothing before a yes to `answer`.
   * @returns undefined: an item that the gate held back needs another dry run, so the question isn't asked again.
   */
  async send(): Promise<undefined> {
    const question = this.#question;
    this.#question = undefined;
    if (question === undefined) {
      return;
    }
    const { connection } = question;
    const plan = this.plannedItems;
    // Each has checked again that its dry run is recent and the connection unchanged: if one failed, none is sent.
    const mayBegin = plan.every(({ state }) => state?.phase === 'executing');
    const record = mayBegin ? await this.#writeRecord(connection, plan) : undefined;
    if (record !== undefined) {
      await this.#sendInTurn(plan, record, accessOf(connection));
    }
    plan.forEach((item) => item.skip());
    await this.#conclude();
  }

  /** Sends nothing more: the page is closed. */
  dispose(): void {
    this.#disposed = true;
    this.#dryRuns.abort();
    disposeAll(this.#subscriptions);
    this.#items.forEach((item) => item.dispose());
    this.#changed.fire();
    this.#changed.dispose();
  }

  /** As it is stored now. Undefined if it was removed. */
  get #connection(): Connection | undefined {
    return this.#environment.store.get(this.#connectionId);
  }

  get #isBusy(): boolean {
    return this.#disposed || ['dryRunning', 'confirming', 'executing'].includes(this.#phase);
  }

  /**
   * Writes the whole batch before its first item is sent.
   * @returns undefined if writing fails, another window continued items, or the connection is gone: none is sent.
   */
  async #writeRecord({ id, baseUrl }: Connection, plan: readonly BatchItem[]): Promise<BatchRecord | undefined> {
    const { store, batches, clock, log } = this.#environment;
    const continues = this.#continues;
    const record: BatchRecord = {
      id: crypto.randomUUID(),
      connectionId: id,
      baseUrl,
      confirmedAt: clock.now(),
      items: plan.flatMap(({ run, review }) =>
        run === undefined || review === undefined
          ? []
          : [{ recordId: run.recordId, plan: review.plan, confirmedRows: review.report.rows, isSent: false }],
      ),
    };
    try {
      if (continues === undefined) {
        await batches.add(record);
      } else if (!(await batches.moveItems(continues, record))) {
        this.#failing = taskTexts.continuedByAnother();
        return undefined;
      }
      // Removing the connection, here or in another window, has deleted what was stored before.
      if ((await store.getFresh(id)) === undefined && !store.unreadable().some((one) => one.id === id)) {
        await batches.forget(record);
        return undefined;
      }
    } catch (thrown) {
      const failure = toServiceFailure(thrown);
      log.failure(failure);
      this.#failing = taskTexts.notRecorded(failure.next);
      return undefined;
    }
    this.#record = record;
    return record;
  }

  /** @param access The connection's access when the batch was confirmed. */
  async #sendInTurn(plan: readonly BatchItem[], record: BatchRecord, access: string): Promise<void> {
    for (const item of plan) {
      // An item whose connection changed is no longer executing, and is not even counted again.
      if (this.#isStopping || this.#disposed || item.state?.phase !== 'executing') {
        return;
      }
      const counting = item.recount();
      // Shows that its rows are counted.
      this.#changed.fire();
      // The user may stop it at any moment until the request leaves.
      if ((await counting) && !this.#isStopping && (await this.#claimItem(item, record))) {
        await item.transmit(() => this.#isStopping);
      }
      await this.#returnUnsent(item, record);
      await this.#taskEnded(item, access);
      if (item.status !== 'finished') {
        return;
      }
    }
  }

  /** Writes an item's own record and marks it in the batch. @returns whether to transmit. */
  async #claimItem({ run }: BatchItem, record: BatchRecord): Promise<boolean> {
    const { batches } = this.#environment;
    if (run === undefined) {
      return false;
    }
    // Another window may have dismissed or continued it.
    if (!(await batches.holdsItem(record, run.recordId))) {
      await run.withdraw();
      return false;
    }
    if (!(await run.claim())) {
      return false;
    }
    try {
      if (await batches.markSent(record, run.recordId)) {
        return true;
      }
      await run.withdraw();
    } catch (thrown) {
      await run.withdraw(thrown);
    }
    return false;
  }

  /** Lets the user continue with an item if nothing was sent, and nothing can be any more under its ID. */
  async #returnUnsent({ run }: BatchItem, record: BatchRecord): Promise<void> {
    const { batches, records, log } = this.#environment;
    if (run === undefined || run.record !== undefined) {
      return;
    }
    const { connectionId } = record;
    // A record that merely can't be read may have been sent by another window.
    if (await records.isForgotten({ connectionId, id: run.recordId })) {
      await batches.markNotSent(record, run.recordId).catch((thrown: unknown) => log.failure(toServiceFailure(thrown)));
    }
  }

  /** Waits until the task of an item has ended. Gives up once the connection changes, or nothing more may be sent. */
  async #taskEnded({ run }: BatchItem, access: string): Promise<void> {
    const { records, watch } = this.#environment;
    const hasAccess = (): boolean => this.#connection !== undefined && accessOf(this.#connection) === access;
    if (run?.state.phase !== 'running') {
      return;
    }
    const watching = watch.keepWatching(run.recordId);
    const isOver = (): boolean =>
      run.state.phase !== 'running' ||
      this.#isStopping ||
      this.#disposed ||
      !hasAccess() ||
      records.get(this.#connectionId, run.recordId) === undefined;
    if (!isOver()) {
      await new Promise<void>((resolve) => {
        const subscription = this.#changed.event(() => {
          if (isOver()) {
            subscription.dispose();
            resolve();
          }
        });
      });
    }
    watching.dispose();
  }

  /** Forgets the batch if everything was sent. Otherwise it stays until the user continues or dismisses it. */
  async #conclude(): Promise<void> {
    const { batches, log } = this.#environment;
    const record = batches.of(this.#connectionId).find(({ id }) => id === this.#record?.id);
    if (record !== undefined && plansLeft(record).length === 0) {
      await batches.forget(record).catch((thrown: unknown) => log.failure(toServiceFailure(thrown)));
    }
    this.#enter('ended');
  }

  #follow(recordId: string | undefined): void {
    const item = this.#items.find(({ run }) => recordId !== undefined && run?.record?.id === recordId);
    const stored = recordId === undefined ? undefined : this.#environment.records.get(this.#connectionId, recordId);
    if (item !== undefined && stored !== undefined) {
      item.run?.follow(stored);
    }
    this.#changed.fire();
  }

  #leave(): void {
    this.#items.forEach((item) => item.dispose());
    this.#items = [];
    this.#confirmed = undefined;
    this.#record = undefined;
    this.#continues = undefined;
    this.#failing = undefined;
    this.#isStopping = false;
  }

  #enter(phase: BatchPhase): void {
    this.#phase = phase;
    this.#changed.fire();
  }
}

/** Starts up to `limit` calls at once. Starts no more once `stop` is aborted. Rejects as soon as one call does. */
export async function forEachConcurrent<T>(
  items: readonly T[],
  limit: number,
  stop: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !stop.aborted; next = left.shift()) {
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
