/**
 * Truncates several indices of one connection with one confirmation. Each is deleted by a run of its own, the same as alone, with its
 * own dry run, recount and record: this only asks once for all of them, and lets one after another go on. The next one's turn comes
 * when the task of the one before is known to have finished: two reindexes at once would double the load and the space they take, and
 * what went wrong with one is known before it can go wrong with the next. Whatever else becomes of one stops the rest.
 */
import { indexNameText } from '../indices/indexName.ts';
import { accessOf } from '../connections/connection.ts';
import type { Connection } from '../connections/connection.ts';
import { disposeAll, Emitter } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { PlanDraft } from '../truncation/plan.ts';
import type { Problem } from '../truncation/problem.ts';
import { BulkItem, allReach } from './bulkItem.ts';
import type { Execution } from './bulkItem.ts';
import type { BulkRecord } from './bulkRecord.ts';
import { itemsLeft, plansLeft } from './bulkRecord.ts';
import type { BulkParts } from './bulkParts.ts';
import { inPairs } from './inPairs.ts';
import { MOST_AT_ONCE } from './protocol.ts';
import { writeDown } from './writeDown.ts';

export type BulkPhase = 'choosing' | 'dryRunning' | 'planned' | 'confirming' | 'executing' | 'ended';

export class BulkRun implements Disposable {
  readonly #parts: BulkParts;
  readonly #changed = new Emitter<void>();
  readonly #subscriptions: readonly Disposable[];
  #phase: BulkPhase = 'choosing';
  #items: readonly BulkItem[] = [];
  /** Of these, those that a person is asked about or said yes to. */
  #confirmed: readonly BulkItem[] | undefined;
  /** What is written down of those that were confirmed. */
  #record: BulkRecord | undefined;
  /** Interrupted ones that the next yes goes on with. */
  #continues: BulkRecord | undefined;
  #failing: Problem | undefined;
  #dryRuns = new AbortController();
  #isStopping = false;
  #disposed = false;
  /** The person's time zone; the host may run in another. */
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  readonly onDidChange = this.#changed.event;

  constructor(parts: BulkParts) {
    this.#parts = parts;
    this.#subscriptions = [
      parts.watch.onDidChange(({ id }) => this.#follow(id)),
      parts.onDidChangeConnections(() => this.#changed.fire()),
      parts.records.onDidChange(() => this.#items.forEach(({ run }) => this.#follow(run?.record?.id))),
    ];
  }

  get phase(): BulkPhase {
    return this.#phase;
  }

  get items(): readonly BulkItem[] {
    return this.#items;
  }

  /** What is deleted when all are confirmed, or was confirmed. */
  get plan(): readonly BulkItem[] {
    return this.#confirmed ?? this.#items.filter(({ isInPlan }) => isInPlan);
  }

  /** What is written down of those that are shown here: of those that were confirmed, or that these are left of. */
  get recordId(): string | undefined {
    return (this.#record ?? this.#continues)?.id;
  }

  /** Whether a truncation is among those that are shown here. */
  has(recordId: string): boolean {
    return this.#items.some(({ run }) => run?.recordId === recordId);
  }

  /** Why nothing was sent, of all of them. */
  get failing(): Problem | undefined {
    return this.#failing;
  }

  /** Whether the one that runs is the last that is sent. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Counts what would be deleted, two at a time. What was counted before is worth nothing any more.
   * @param continues Interrupted ones that these are left of.
   */
  async dryRun(drafts: readonly PlanDraft[], continues?: BulkRecord): Promise<void> {
    if (this.#isBusy || drafts.length > MOST_AT_ONCE) {
      return;
    }
    this.#leave();
    const { connectionId, blocked, newRun } = this.#parts;
    const left = new Map(continues && itemsLeft(continues).map((item) => [indexNameText(item.plan), item]));
    const items = (this.#items = drafts.map((draft) => new BulkItem(draft, blocked, left.get(indexNameText(draft)))));
    const stop = (this.#dryRuns = new AbortController());
    this.#continues = continues;
    this.#enter('dryRunning');
    try {
      await inPairs(items, stop.signal, async (item) => {
        const run = await newRun(
          connectionId,
          item.draft,
          () => item.ask(),
          () => this.#record,
          item.continues?.recordId,
        );
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

  /** The same once more, without those that were taken out or sent, here or by another window. */
  async dryRunAgain(): Promise<void> {
    const { bulks, connectionId, connection } = this.#parts;
    await bulks.reload();
    const continues = bulks.of(connectionId, connection()?.baseUrl).find(({ id }) => id === this.recordId);
    // Those that were written down and are there no more were dismissed or continued by another window.
    const left =
      this.recordId === undefined ? undefined : new Set((continues ? plansLeft(continues) : []).map(indexNameText));
    const again = this.#items.filter(
      ({ isTakenOut, status, draft }) =>
        !isTakenOut && status === 'notSent' && (left?.has(indexNameText(draft)) ?? true),
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

  /** Those that were counted stay. */
  cancel(): void {
    if (this.#phase === 'dryRunning') {
      // What has not begun does not, and what has is aborted.
      this.#dryRuns.abort();
      this.#items.forEach(({ run }) => run?.cancel());
    }
  }

  /** Leaves one out, or takes it in again. */
  takeOut(item: BulkItem, isTakenOut: boolean): void {
    if (!this.#isBusy && this.#items.includes(item)) {
      item.isTakenOut = isTakenOut;
      this.#changed.fire();
    }
  }

  /** Back to choosing. What was sent goes on by itself. */
  startOver(): void {
    if (!this.#isBusy) {
      this.#leave();
      this.#enter('choosing');
    }
  }

  /** Sends no further one. What runs on the server goes on. */
  stop(): void {
    if (this.#phase === 'executing') {
      this.#isStopping = true;
      this.#changed.fire();
    }
  }

  /** Asks the person once for all that are in the plan, and then lets one after another be sent. */
  async execute(): Promise<void> {
    const connection = this.#parts.connection();
    const plan = this.plan;
    if (this.#phase !== 'planned' || connection === undefined || plan.length === 0) {
      return;
    }
    this.#failing = undefined;
    this.#confirmed = plan;
    this.#enter('confirming');
    const executions = plan.map((item) => item.execute());
    // Each looks first whether it may be sent. If one may not, the person sees why before anything is asked.
    const yes =
      (await allReach(executions, ({ question }) => question)) &&
      (await this.#parts
        .confirm({ connection, reviews: plan.flatMap(({ review }) => review ?? []), timeZone: this.timeZone })
        .catch(() => false));
    if (this.#disposed) {
      this.#parts.tellClosed();
    }
    executions.forEach(({ question }) => question.open(yes && !this.#disposed));
    if (!yes || this.#disposed) {
      await Promise.all(executions.map(({ over }) => over));
      this.#confirmed = undefined;
      this.#enter('planned');
      return;
    }
    // Each looks whether its dry run is still in time, and the connection the same. If one is not, none is sent.
    const mayBegin = await allReach(executions, ({ turn }) => turn);
    this.#enter('executing');
    if (mayBegin && (await this.#writeDown(connection, plan))) {
      await this.#sendInTurn(executions, accessOf(connection));
    }
    executions.forEach(({ turn }) => turn.open(false));
    await Promise.all(executions.map(({ over }) => over));
    await this.#conclude();
  }

  /** The page is gone: nothing more is sent. */
  dispose(): void {
    this.#disposed = true;
    this.#dryRuns.abort();
    disposeAll(this.#subscriptions);
    this.#items.forEach((item) => item.dispose());
    this.#changed.fire();
    this.#changed.dispose();
  }

  get #isBusy(): boolean {
    return this.#disposed || ['dryRunning', 'confirming', 'executing'].includes(this.#phase);
  }

  /** @returns whether any may be sent. */
  async #writeDown(connection: Connection, plan: readonly BulkItem[]): Promise<boolean> {
    const written = await writeDown(this.#parts, connection, plan, this.#continues);
    if (written === undefined || 'sentence' in written) {
      this.#failing = written;
      return false;
    }
    this.#record = written;
    return true;
  }

  /** @param access Of the connection, as it was when all were confirmed. */
  async #sendInTurn(executions: readonly Execution[], access: string): Promise<void> {
    for (const { item, turn, over } of executions) {
      // Changed in the meantime, and so not to be counted again either.
      if (this.#isStopping || this.#disposed || item.state?.phase !== 'executing') {
        return;
      }
      turn.open(true);
      this.#changed.fire();
      // oxlint-disable-next-line no-await-in-loop -- one after another: that is the point
      await over;
      // oxlint-disable-next-line no-await-in-loop
      await this.#ended(item, access);
      if (item.status !== 'finished') {
        return;
      }
    }
  }

  /** Until the task of one has ended, or nobody waits for it here any more: the connection has changed, say. */
  async #ended({ run }: BulkItem, access: string): Promise<void> {
    const { records, watch, connectionId, connection } = this.#parts;
    const accessNow = (now = connection()): string | undefined => now && accessOf(now);
    if (run?.state.phase !== 'running') {
      return;
    }
    const looking = watch.look(run.recordId);
    await new Promise<void>((resolve) => {
      const isOver = (): boolean =>
        run.state.phase !== 'running' ||
        this.#isStopping ||
        this.#disposed ||
        accessNow() !== access ||
        records.get(connectionId, run.recordId) === undefined;
      const subscription = this.#changed.event(() => {
        if (isOver()) {
          subscription.dispose();
          resolve();
        }
      });
      this.#changed.fire();
    });
    looking.dispose();
  }

  /** What was sent is in its own record; what was not stays written down until somebody goes on with it or dismisses it. */
  async #conclude(): Promise<void> {
    const { bulks, connectionId } = this.#parts;
    const record = bulks.of(connectionId).find(({ id }) => id === this.#record?.id);
    if (record !== undefined && plansLeft(record).length === 0) {
      await bulks.forget(record).catch((thrown: unknown) => this.#parts.observe(toServiceFailure(thrown)));
    }
    this.#enter('ended');
  }

  #follow(recordId: string | undefined): void {
    const item = this.#items.find(({ run }) => recordId !== undefined && run?.record?.id === recordId);
    const stored = recordId === undefined ? undefined : this.#parts.records.get(this.#parts.connectionId, recordId);
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

  #enter(phase: BulkPhase): void {
    this.#phase = phase;
    this.#changed.fire();
  }
}
