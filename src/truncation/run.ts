/** Drives the state machine of one truncation: dry run, question, recount, record, request. Pages show it. */
import * as l10n from '@vscode/l10n';
import { type Connection, accessOf } from '../connections/connection.ts';
import { admitChange } from '../connections/admitChange.ts';
import { type Disposable, Emitter } from '../platform/events.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { MetadataService } from '../service/service.ts';
import { countBeforeExecution, countRows, learnAboutServer, canChooseStrategy } from './countRows.ts';
import { executionGate } from './executionGate.ts';
import { type ExecutionOutcome, requestExecution } from './executionOutcome.ts';
import { type Caution, firstUnaccepted } from './cautions.ts';
import type { PlanDraft } from './plan.ts';
import { type TruncationOutcome, type Problem, problemOf } from './outcome.ts';
import type { TruncationRecord } from './record.ts';
import type { Confirmation, RunEnvironment, RunOptions } from './runEnvironment.ts';
import { reloadSharedStores } from './truncationStore.ts';
import { type CountedExecution, RunRecord, resumedState } from './runRecord.ts';
import {
  type DryRunReview,
  type TruncationEvent,
  type TruncationState,
  editing,
  isTooOld,
  reduceState,
} from './state.ts';
import { taskTexts } from './texts/taskTexts.ts';

/** An execution whose record is written. */
interface ClaimedExecution extends CountedExecution {
  readonly record: TruncationRecord;
  /** Made before the claim, since the disk may hang there. */
  readonly mayStillSend: MayStillSend;
}

export class TruncationRun implements Disposable {
  readonly #environment: RunEnvironment;
  readonly #connectionId: string;
  readonly #notifyPageClosed: (problem?: Problem) => void;
  readonly #changed = new Emitter<void>();
  readonly #subscription: Disposable;
  readonly #record: RunRecord;
  #state: TruncationState;
  #dryRun: AbortController | undefined;
  /** Asked the last dry run. Replaced when the connection's address or credential changes. */
  #service: MetadataService | undefined;
  /** The connection of the last dry run. */
  #dryRunConnection: Connection | undefined;
  /** The answered question, until `recount` takes it. */
  #confirmed: Confirmation | undefined;
  /** Until `claim` takes it. */
  #counted: CountedExecution | undefined;
  /** Until `transmit` takes it. */
  #claimed: ClaimedExecution | undefined;
  #stopReason: () => Problem | undefined = () => undefined;
  #lastFailure: ServiceFailure | undefined;
  #disposed = false;
  /** The user's time zone; the host may run in another. */
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  readonly onDidChange = this.#changed.event;

  /** Makes a run once its stores are loaded. @param from A draft, or the record of a truncation to show. */
  static async open(
    environment: RunEnvironment,
    connectionId: string,
    from: PlanDraft | TruncationRecord,
    options?: RunOptions,
  ): Promise<TruncationRun> {
    await Promise.all([environment.store.load(), environment.records.load()]);
    return new TruncationRun(environment, connectionId, from, options);
  }

  private constructor(
    environment: RunEnvironment,
    connectionId: string,
    from: PlanDraft | TruncationRecord,
    { recordId, notifyPageClosed = environment.notifyPageClosed }: RunOptions = {},
  ) {
    this.#environment = environment;
    this.#connectionId = connectionId;
    this.#notifyPageClosed = notifyPageClosed;
    const sent = 'plan' in from ? from : undefined;
    const logProblem = (thrown: unknown): Problem => this.#logProblem(thrown);
    this.#record = new RunRecord(environment, logProblem, sent?.id ?? recordId ?? crypto.randomUUID(), sent);
    this.#state = 'plan' in from ? resumedState(from) : editing(from);
    this.#subscription = environment.store.onDidChange(() => this.#checkAccess());
  }

  get state(): TruncationState {
    return this.#state;
  }

  /** Undefined until a truncation was sent. */
  get record(): TruncationRecord | undefined {
    return this.#record.current;
  }

  /** ID of the truncation that was sent, or else of the next one. */
  get recordId(): string {
    return this.#record.id;
  }

  /** To accept before the truncation. */
  get cautions(): readonly Caution[] {
    return this.#record.cautions(this.#state, this.#connection);
  }

  /** Shown by "Copy Details". */
  get lastFailure(): ServiceFailure | undefined {
    return this.#lastFailure;
  }

  edit(draft: PlanDraft): void {
    this.#apply({ type: 'edited', draft: this.#supported(draft) });
    if (this.#state.phase !== 'dryRunning') {
      this.#dryRun?.abort();
    }
  }

  /** Back to the fields, with what was entered. */
  goBack(): void {
    this.#apply({ type: 'wentBack' });
  }

  cancel(): void {
    this.#dryRun?.abort();
    this.#apply({ type: 'dryRunFailed' });
  }

  startOver(draft: PlanDraft): void {
    const before = this.#state;
    this.#apply({ type: 'startOver', draft });
    if (this.#state !== before) {
      this.#record.startOver();
      this.#changed.fire();
    }
  }

  async dryRun(): Promise<void> {
    const before = this.#state;
    const connection = this.#connection;
    this.#apply({ type: 'dryRunStarted', access: connection === undefined ? '' : accessOf(connection) });
    const state = this.#state;
    if (state === before || state.phase !== 'dryRunning') {
      return;
    }
    this.#dryRun?.abort();
    this.#dryRunConnection = connection;
    const stop = (this.#dryRun = new AbortController());
    const { plan, access } = state;
    try {
      const service = (this.#service = this.#serviceOf(connection));
      if (plan.strategy !== 'server' && !(await canChooseStrategy(service, plan, stop.signal))) {
        // Leaves the strategy to the server. The dry run shows which one it takes.
        this.edit(state.draft);
        return await this.dryRun();
      }
      const report = await countRows(service, plan, stop.signal);
      this.#checkAccess();
      if (connection !== undefined) {
        this.#environment.watch.judgeAgain(connection, plan);
      }
      if (this.#apply({ type: 'dryRunAnswered', plan, access, report, ...this.#timesTaken() }) && report.isReport) {
        await learnAboutServer(service, plan, stop.signal);
        this.#changed.fire();
      }
    } catch (thrown) {
      if (!stop.signal.aborted) {
        this.#apply({ type: 'dryRunFailed', failing: this.#logProblem(thrown) });
      }
    }
  }

  /**
   * Step 1 of an execution: checks whether the reviewed plan may be sent.
   * @returns the question to ask. Undefined if nothing may be sent (see the state), or a question is open already.
   */
  async check(): Promise<Confirmation | undefined> {
    this.#checkAccess();
    if (this.#state.phase === 'reviewed') {
      this.#record.renewId();
    }
    const connection = this.#connection;
    // Only the call that opens the question continues: a second click finds it open and ends here.
    const isMine =
      connection !== undefined &&
      this.#apply({ type: 'executeAsked', access: accessOf(connection), ...this.#agesNow() });
    const state = this.#state;
    if (!isMine || state.phase !== 'confirming') {
      return undefined;
    }
    const { review } = state;
    // Another window may have changed the role: the question would be the one for the previous role.
    if ((await this.#isBlocked(connection, review.plan)) || this.#state !== state) {
      return undefined;
    }
    if (firstUnaccepted(this.cautions, state.draft.acceptedCautions) !== undefined) {
      this.#apply({ type: 'declined' });
      return undefined;
    }
    return { connection, review, cautions: this.cautions, timeZone: this.timeZone };
  }

  /**
   * Step 2 of an execution: takes the answer to the question that `check` returned.
   * @returns whether to send. False if the answer is no, or comes too late.
   */
  answer(question: Confirmation, isYes: boolean): boolean {
    const { review } = question;
    const isOpen = this.#state.phase === 'confirming' && this.#state.review === review;
    if (!isOpen && !this.#disposed) {
      // The question was withdrawn. There may be another one by now, which this is no answer to.
      return false;
    }
    if (!isYes) {
      this.#apply({ type: 'declined' });
      return false;
    }
    this.#checkAccess();
    if (this.#disposed) {
      this.#notifyPageClosed();
      return false;
    }
    if (!this.#apply({ type: 'confirmed', plan: review.plan, access: this.#access(), ...this.#agesNow() })) {
      return false;
    }
    this.#confirmed = this.state.phase === 'executing' ? question : undefined;
    return this.#confirmed !== undefined;
  }

  /**
   * Steps 3 to 5 of an execution. Does nothing before a yes to `answer`.
   * @returns why the gate held it back, if so: the user may be asked again.
   */
  async send(): Promise<Problem | undefined> {
    return (await this.recount()) && (await this.claim()) ? this.transmit() : undefined;
  }

  /** Step 3: counts again. @returns whether to claim. False if that failed, or the count grew. */
  async recount(): Promise<boolean> {
    const confirmed = this.#confirmed;
    this.#confirmed = undefined;
    if (confirmed === undefined || this.#state.phase !== 'executing' || this.#state.step !== 'recounting') {
      return false;
    }
    const { connection, review } = confirmed;
    const { plan } = review;
    try {
      const service = this.#serviceOf(connection);
      const { report, baseline } = await countBeforeExecution(service, plan, this.#environment.clock.now());
      this.#counted = { connection, service, plan, baseline };
      const count = { report, ...this.#timesTaken() };
      this.#apply({ type: 'recounted', ...count, hasNewCaution: this.#record.hasNewCaution(confirmed, count) });
    } catch (thrown) {
      // A change of the connection cancels the count, and is the reason to show.
      this.#checkAccess();
      this.#apply({ type: 'notSent', failing: this.#logProblem(thrown) });
      return false;
    }
    return this.#reviewToSend() !== undefined;
  }

  /** Step 4: writes the record, so that no crash or other window loses it. @returns whether to transmit. */
  async claim(): Promise<boolean> {
    const counted = this.#counted;
    this.#counted = undefined;
    const review = this.#reviewToSend();
    if (counted === undefined || review === undefined) {
      return false;
    }
    // Every window would show the record.
    if (this.#disposed) {
      this.#apply({ type: 'notSent', failing: taskTexts.pageClosed() });
      this.#notifyPageClosed(taskTexts.pageClosed());
      return false;
    }
    const record = this.#record.compose(counted, review);
    const mayStillSend = executionGate(this.#environment, {
      connection: counted.connection,
      record,
      obstacle: () => this.#stopReason() ?? (this.#disposed ? taskTexts.pageClosed() : undefined),
      isDryRunTooOld: () => isTooOld(review, this.#agesNow()),
    });
    const notClaimed = await this.#record.claim(record);
    if (notClaimed !== undefined) {
      this.#apply({ type: 'notSent', failing: notClaimed });
      return false;
    }
    this.#claimed = { ...counted, record, mayStillSend };
    return true;
  }

  /**
   * Step 5: sends the request, once.
   * @param stopReason Why nothing more may be sent, if so. Asked until the moment before the request leaves.
   * @returns why the gate held it back, if so.
   */
  async transmit(stopReason: () => Problem | undefined = () => undefined): Promise<Problem | undefined> {
    this.#stopReason = stopReason;
    const claimed = this.#claimed;
    this.#claimed = undefined;
    if (claimed === undefined) {
      return undefined;
    }
    const { connection, service, record, mayStillSend } = claimed;
    if (!this.#apply({ type: 'sent' })) {
      await this.#record.drop(record);
      return undefined;
    }
    const { outcome, readers } = await requestExecution(service, record, {
      mayStillSend,
      logProblem: (thrown) => this.#logProblem(thrown),
      now: () => this.#environment.clock.now(),
    });
    if (outcome.kind === 'notSent') {
      await this.#holdBack(record, outcome.failing);
      return this.#disposed ? undefined : outcome.failing;
    }
    this.#environment.sent(connection.id, record.plan);
    await this.#conclude({ ...record, readers }, outcome);
    return undefined;
  }

  /**
   * Ends an execution instead of its next step: its batch was dismissed, or can't be stored.
   * @param thrown Why the batch can't be stored.
   */
  async withdraw(thrown?: unknown): Promise<void> {
    const claimed = this.#claimed;
    this.#counted = undefined;
    this.#claimed = undefined;
    const failing =
      claimed === undefined
        ? this.#record.reject(this.#connectionId)
        : await this.#record.takeBack(claimed.record, thrown);
    this.#apply({ type: 'notSent', failing });
  }

  /** Takes over what the watch found out about the truncation that was sent. */
  follow(record: TruncationRecord): void {
    if (this.record?.id === record.id) {
      this.#record.follow(record);
      if (record.ending !== undefined) {
        this.#apply({ type: 'ended', ending: record.ending });
      } else if (record.taskId !== undefined) {
        this.#apply({ type: 'reopened', taskId: record.taskId });
      }
      this.#changed.fire();
    }
  }

  /** Stops everything but what was sent already. */
  dispose(): void {
    this.#disposed = true;
    this.#dryRun?.abort();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** Returns to the review, or to the fields if that no longer counts. */
  async #holdBack(record: TruncationRecord, failing: Problem): Promise<void> {
    await this.#record.drop(record);
    this.#apply({ type: 'heldBack', failing });
    this.#checkAccess(true);
    if (this.#disposed) {
      this.#notifyPageClosed(failing);
    }
  }

  /** Undefined if the connection changed during the recount, or the count grew. */
  #reviewToSend(): DryRunReview | undefined {
    this.#checkAccess();
    // Read again: the recount may have returned the state to review.
    return this.state.phase === 'executing' && this.state.step === 'recounted' ? this.state.review : undefined;
  }

  async #conclude(record: TruncationRecord, outcome: Exclude<ExecutionOutcome, { kind: 'notSent' }>): Promise<void> {
    if (outcome.kind === 'started') {
      const started = { ...record, taskId: outcome.taskId };
      this.#apply({ type: 'started', taskId: outcome.taskId });
      await this.#record.update(started);
      this.#changed.fire();
      this.#environment.concluded(started);
      return;
    }
    const ending: TruncationOutcome =
      outcome.kind === 'unknown'
        ? outcome.ending
        : { kind: 'failed', reason: 'refused', failing: outcome.failing, failures: [] };
    const taskEnd = outcome.kind === 'unknown' ? outcome.taskEnd : undefined;
    const ended = { ...record, taskEnd, ending, endedAt: this.#environment.clock.now() };
    await (outcome.kind === 'unknown' ? this.#record.update(ended) : this.#record.drop(record));
    this.#apply({ type: 'ended', ending });
    this.#environment.concluded(ended);
  }

  /** Refuses unasked what the gate would refuse: a read-only connection, and an index with another truncation. */
  async #isBlocked(connection: Connection, plan: TruncationPlan): Promise<boolean> {
    const { store, records, clock } = this.#environment;
    await reloadSharedStores(this.#environment);
    const refusal = await admitChange(store, connection).then(
      () => undefined,
      (thrown: unknown) => this.#logProblem(thrown),
    );
    this.#checkAccess();
    const other = records.inTheWay(connection, plan, this.#record.id, clock.now());
    const failing = refusal ?? (other && taskTexts.blockedBy(other));
    if (failing === undefined) {
      return false;
    }
    this.#apply({ type: 'notSent', failing });
    return true;
  }

  /** Drops the strategy if the server is known to accept none. */
  #supported(draft: PlanDraft): PlanDraft {
    const service = this.#connection && this.#environment.services.get(this.#connection);
    return service?.capabilities.forceFlags === false ? { ...draft, strategy: 'server' } : draft;
  }

  /** As it is stored now. Undefined if it was removed. */
  get #connection(): Connection | undefined {
    return this.#environment.store.get(this.#connectionId);
  }

  #serviceOf(connection: Connection | undefined): MetadataService {
    if (connection === undefined) {
      throw new ServiceFailure('badRequest', l10n.t('This connection was removed.'), {
        next: l10n.t('Close this page and select an index of another connection.'),
      });
    }
    return this.#environment.services.get(connection);
  }

  /**
   * Discards the review if the connection changed since.
   * @param isAsked True after the question whether to delete.
   */
  #checkAccess(isAsked = this.#state.phase === 'confirming' || this.#state.phase === 'executing'): void {
    const connection = this.#connection;
    // Another window can delete the credential without a trace in the connection, if its note of that was lost.
    const isSame =
      connection !== undefined &&
      (this.#service === undefined || this.#service === this.#environment.services.get(connection));
    const access = isSame ? accessOf(connection) : undefined;
    const failing = taskTexts.connectionChanged(this.#dryRunConnection, connection, isAsked);
    if (this.#apply({ type: 'accessChanged', access, failing })) {
      this.#dryRun?.abort();
    }
  }

  #access(): string | undefined {
    return this.#connection && accessOf(this.#connection);
  }

  #timesTaken(): { readonly at: number; readonly monotonicAt: number } {
    return { at: this.#environment.clock.now(), monotonicAt: this.#environment.clock.monotonic() };
  }

  #agesNow(): { readonly now: number; readonly monotonicNow: number; readonly maxAge: number } {
    const { at, monotonicAt } = this.#timesTaken();
    return { now: at, monotonicNow: monotonicAt, maxAge: this.#environment.maxAgeMillis() };
  }

  /** Logs a failure. @returns what to show for it. */
  #logProblem(thrown: unknown): Problem {
    const failure = (this.#lastFailure = toServiceFailure(thrown));
    this.#environment.log.failure(failure);
    return problemOf(failure);
  }

  /** @returns whether the event changed the state. */
  #apply(event: TruncationEvent): boolean {
    const state = reduceState(this.#state, event);
    const hasChanged = state !== this.#state;
    if (hasChanged) {
      this.#state = state;
      if (!this.#disposed) {
        this.#changed.fire();
      }
    }
    return hasChanged;
  }
}
