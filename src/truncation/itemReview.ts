/** One item until its question: dry run, check, answer. */
import * as l10n from '@vscode/l10n';
import { type Connection, accessOf } from '../connections/connection.ts';
import { holdsPipelineState } from '../indices/timeseriesAspects.ts';
import { admitChange } from '../connections/changeGate.ts';
import type { Disposable } from '../platform/events.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import type { Clock } from '../time.ts';
import { cautionsFor, firstUnaccepted, type Caution } from './cautions.ts';
import { countRows } from './countRows.ts';
import type { JobEnvironment } from './jobEnvironment.ts';
import { reloadSharedStores } from './jobStore.ts';
import { type Problem, problemOf } from './problem.ts';
import { draftFrom, type PlanDraft } from './plan.ts';
import type { TruncationRecord } from './sentTruncation.ts';
import type { AgeLimit, DryRunReview, ReviewedIndex } from './dryRun.ts';
import { editing, recordOf, reduceState, sentState, type TruncationEvent, type TruncationState } from './state.ts';
import { taskTexts } from './texts/taskTexts.ts';

/** An item's part of the question. */
export interface ItemQuestion {
  readonly review: DryRunReview;
  /** Accepted ones. */
  readonly cautions: readonly Caution[];
}

export abstract class ItemReview implements Disposable {
  protected readonly environment: JobEnvironment;
  readonly #changed: () => void;
  readonly #connectionId: string;
  readonly #subscription: Disposable;
  #dryRun: AbortController | undefined;
  /** Asked the last dry run. Replaced when the connection's address or credential changes. */
  #service: MetadataService | undefined;
  #state: TruncationState;
  #hasBegun = false;
  #dryRunAt: number | undefined;

  /** @param from A draft, or a truncation that was sent. */
  constructor(
    environment: JobEnvironment,
    connectionId: string,
    from: PlanDraft | TruncationRecord,
    changed: () => void,
  ) {
    this.environment = environment;
    this.#connectionId = connectionId;
    this.#changed = changed;
    this.#state = 'plan' in from ? sentState(from) : editing({ ...from, acceptedCautions: [] });
    this.#subscription = environment.store.onDidChange(() => this.checkAccess());
  }

  get state(): TruncationState {
    return this.#state;
  }

  /** Undefined until a truncation was sent. */
  get record(): TruncationRecord | undefined {
    return recordOf(this.state);
  }

  /** False before its first dry run. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Its last dry run, dated when its cutoff was so many days ago: it is counted again hours later, when its turn comes.
   */
  protected get reviewedIndex(): ReviewedIndex | undefined {
    const { review } = this;
    return review && { ...review, at: this.#dryRunAt ?? review.at };
  }

  /** True while the user is asked about it, or has agreed. */
  get isAsked(): boolean {
    return this.#state.phase === 'confirming' || this.#state.phase === 'executing';
  }

  get review(): DryRunReview | undefined {
    const { state } = this;
    return 'review' in state ? state.review : undefined;
  }

  /** To accept before the truncation. */
  get cautions(): readonly Caution[] {
    return this.#cautions(this.state.draft, this.review);
  }

  /** Why nothing may be sent to its index, if another truncation is in the way. */
  get blocking(): Problem | undefined {
    const { connection, now } = this;
    const index = this.review?.plan ?? this.state.draft;
    const other = connection && this.environment.jobs.inTheWay(connection, index, this.record?.id, now);
    return other && taskTexts.blockedBy(other);
  }

  edit(draft: PlanDraft): void {
    this.dispatch({ type: 'edited', draft });
    if (this.state.phase !== 'dryRunning') {
      this.#dryRun?.abort();
    }
  }

  /** Back to the fields, with what was entered. */
  goBack(): void {
    this.dispatch({ type: 'wentBack' });
  }

  cancel(): void {
    this.#dryRun?.abort();
    this.dispatch({ type: 'dryRunFailed' });
  }

  async dryRun(): Promise<void> {
    const before = this.state;
    const connection = this.connection;
    this.#hasBegun = true;
    this.dispatch({ type: 'dryRunStarted', access: connection === undefined ? '' : accessOf(connection) });
    const { state } = this;
    if (state === before || state.phase !== 'dryRunning') {
      return;
    }
    this.#dryRun?.abort();
    const stop = (this.#dryRun = new AbortController());
    const { plan, access } = state;
    try {
      const service = (this.#service = this.serviceOf(connection));
      if (!(await service.server.takesForceFlags(stop.signal)) && plan.strategy !== 'server') {
        // Leaves the strategy to the server. The dry run shows which one it takes.
        this.edit({ ...state.draft, strategy: 'server' });
        return await this.dryRun();
      }
      const report = await countRows(service, plan, stop.signal);
      this.checkAccess();
      if (connection !== undefined) {
        this.environment.watch.judgeAgain(connection, plan);
      }
      const answered = { type: 'dryRunAnswered', plan, access, report, ...this.clockTimes } as const;
      if (this.dispatch(answered) && report.rows !== undefined) {
        // The next dry run asks again if that fails.
        service.server.fact('caller').catch(() => undefined);
      }
    } catch (thrown) {
      if (!stop.signal.aborted) {
        this.dispatch({ type: 'dryRunFailed', failing: this.logProblem(thrown) });
      }
    }
  }

  /**
   * Checks whether the reviewed plan may be sent.
   * @returns what to ask. Undefined if nothing may be sent (see the state), or a question is open already.
   */
  async check(): Promise<ItemQuestion | undefined> {
    this.checkAccess();
    const connection = this.connection;
    // Only the call that opens the question continues: a second click finds it open and ends here.
    const isMine =
      connection !== undefined &&
      this.dispatch({ type: 'executeAsked', access: accessOf(connection), ...this.clockTimes });
    const { state } = this;
    if (!isMine || state.phase !== 'confirming') {
      return undefined;
    }
    const { review } = state;
    const { store } = this.environment;
    // Another window may have changed the role: the question would be the one for the previous role.
    await reloadSharedStores(this.environment);
    // Refuses unasked what the gate would refuse: a read-only connection, and an index with another truncation.
    const refusal = await admitChange(store, connection).then(
      () => undefined,
      (thrown: unknown) => this.logProblem(thrown),
    );
    this.checkAccess();
    const failing = refusal ?? this.blocking;
    if (failing !== undefined) {
      this.dispatch({ type: 'notSent', failing });
    }
    if (this.state !== state) {
      return undefined;
    }
    const { cautions } = this;
    if (firstUnaccepted(cautions, state.draft.acceptedCautions) !== undefined) {
      this.dispatch({ type: 'declined' });
      return undefined;
    }
    return { review, cautions };
  }

  /**
   * Takes the answer to the question.
   * @returns whether to send. False if the answer is no, or comes too late.
   */
  answer({ review }: ItemQuestion, isYes: boolean): boolean {
    const { state } = this;
    if (state.phase !== 'confirming' || state.review !== review) {
      // The question was withdrawn. There may be another one by now, which this is no answer to.
      return false;
    }
    if (!isYes) {
      this.dispatch({ type: 'declined' });
      return false;
    }
    this.checkAccess();
    const access = this.connection && accessOf(this.connection);
    this.dispatch({ type: 'confirmed', plan: review.plan, access, ...this.clockTimes });
    return this.state.phase === 'executing';
  }

  /** @returns whether the event changed the state. */
  protected dispatch(event: TruncationEvent): boolean {
    const state = reduceState(this.#state, event);
    if (state === this.#state) {
      return false;
    }
    this.#state = state;
    this.#dryRunAt = event.type === 'dryRunAnswered' ? event.at : this.#dryRunAt;
    this.#changed();
    return true;
  }

  /** Stops everything but what was sent already. */
  dispose(): void {
    this.#dryRun?.abort();
    this.#subscription.dispose();
  }

  #cautions(draft: PlanDraft, review: Pick<DryRunReview, 'report' | 'at'> | undefined): readonly Caution[] {
    const connection = this.connection;
    const earlier = connection === undefined ? [] : this.environment.jobs.sentTo(connection, draft);
    return cautionsFor({
      endTimeMillis: draft.endTimeMillis,
      now: this.now,
      review,
      holdsState: holdsPipelineState(draft),
      earlier: earlier.filter(({ id }) => id !== this.record?.id),
    });
  }

  /** True if a new count has a caution that the question didn't name. */
  protected hasNewCaution({ review, cautions }: ItemQuestion, count: Pick<DryRunReview, 'report' | 'at'>): boolean {
    const named = cautions.map(({ kind }) => kind);
    return firstUnaccepted(this.#cautions(draftFrom(review.plan), count), named) !== undefined;
  }

  /** As it is stored now. Undefined if it was removed. */
  protected get connection(): Connection | undefined {
    return this.environment.store.get(this.#connectionId);
  }

  protected serviceOf(connection: Connection | undefined): MetadataService {
    if (connection === undefined) {
      throw new ServiceFailure('badRequest', l10n.t('This connection was removed.'), {
        next: l10n.t('Close this page and select an index of another connection.'),
      });
    }
    return this.environment.services.get(connection);
  }

  /**
   * Discards the review if the connection changed since.
   * @param isAsked True after the question whether to delete.
   */
  protected checkAccess(isAsked = this.isAsked): void {
    const connection = this.connection;
    // Another window can delete the credential without a trace in the connection, if its note of that was lost.
    const isSame =
      connection !== undefined &&
      (this.#service === undefined || this.#service === this.environment.services.get(connection));
    const access = isSame ? accessOf(connection) : undefined;
    const changed = taskTexts.connectionChanged();
    const failing = isAsked ? taskTexts.unsent(changed) : changed;
    if (this.dispatch({ type: 'accessChanged', access, failing })) {
      this.#dryRun?.abort();
    }
  }

  get #clock(): Pick<Clock, 'now' | 'monotonic'> {
    return this.environment.services.network.clock;
  }

  /** Unix time in ms. */
  protected get now(): number {
    return this.#clock.now();
  }

  /** By both clocks, with the age up to which a dry run may be executed. */
  protected get clockTimes(): AgeLimit {
    return { at: this.now, monotonicAt: this.#clock.monotonic(), maxAge: this.environment.host.maxAgeMillis() };
  }

  /** Logs a failure. @returns what to show for it. */
  protected logProblem(thrown: unknown): Problem {
    const failure = toServiceFailure(thrown);
    this.environment.log.failure(failure);
    return problemOf(failure);
  }
}
