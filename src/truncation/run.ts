/**
 * Drives the state machine of one truncation: asks the server, asks the person, writes down what is sent. The wizard shows it.
 */
import { accessOf } from '../connections/connection.ts';
import type { Connection } from '../connections/connection.ts';
import { Emitter } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import { ServiceFailure, toServiceFailure, readOnlyFailure } from '../service/failure/failure.ts';
import type { MetadataService } from '../service/service.ts';
import * as l10n from '@vscode/l10n';
import { countBeforeExecution, countReaders } from './countRows.ts';
import type { CountBeforeExecution } from './countRows.ts';
import { countRows, learnAboutServer, canChooseStrategy } from './countRows.ts';
import { outcomeOfResponse, outcomeOfFailure } from './executionOutcome.ts';
import type { ExecutionOutcome } from './executionOutcome.ts';
import { cautionFor } from './plan.ts';
import type { PlanDraft } from './plan.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { resumed } from './resumed.ts';
import type { RunParts } from './runParts.ts';
import { taskTexts } from './texts/taskTexts.ts';
import { problemOf } from './problem.ts';
import { editing, isTooOld, reduceState } from './state.ts';
import type { Problem } from './problem.ts';
import type { TruncationOutcome } from './outcome.ts';
import type { DryRunReview, TruncationEvent, TruncationState } from './state.ts';
import type { ReaderCount } from './readerJudgement.ts';
import type { TruncationRecord } from './record.ts';
import { SESSION_ID } from './record.ts';
import { WrittenRecord } from './writtenRecord.ts';

/** From writing it down to sending it, in ms: other windows take it for lost after some minutes. */
const LONGEST_WAIT_MILLIS = 60_000;

export class TruncationRun implements Disposable {
  readonly #parts: RunParts;
  readonly #changed = new Emitter<void>();
  readonly #subscription: Disposable;
  #state: TruncationState;
  readonly #written: WrittenRecord;
  /** ID of the next record. Chosen before sending, so that a reloaded page can find it. */
  #recordId: string;
  /** A record was written under that ID and dropped: no other one may be. */
  #isRecordIdUsed = false;
  #dryRun: AbortController | undefined;
  /** What the last dry run was asked through. It is made anew with each change of what the server sees of the person. */
  #service: MetadataService | undefined;
  #lastFailure: ServiceFailure | undefined;
  #disposed = false;
  /** The person's time zone; the host may run in another. */
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  readonly onDidChange = this.#changed.event;

  /** @param from What is to be typed on, or a truncation that was sent before, to be looked at. */
  constructor(parts: RunParts, from: PlanDraft | TruncationRecord) {
    this.#parts = parts;
    this.#written = new WrittenRecord(parts, (thrown) => void this.#failing(thrown), 'plan' in from ? from : undefined);
    if ('plan' in from) {
      this.#recordId = from.id;
      this.#state = resumed(from);
    } else {
      this.#recordId = parts.recordId ?? parts.newId();
      this.#state = editing(from);
    }
    this.#subscription = parts.onDidChangeConnections(() => this.#checkAccess());
  }

  get state(): TruncationState {
    return this.#state;
  }

  /** The truncation that was sent from here, once one was. */
  get record(): TruncationRecord | undefined {
    return this.#written.current;
  }

  /** Of the truncation that was sent from here, or of the one that will be. */
  get recordId(): string {
    return this.#recordId;
  }

  /** Whether the way of deleting can be chosen on this server. */
  get forceFlagsKnown(): boolean {
    const connection = this.#parts.connection();
    return connection !== undefined && this.#parts.service(connection).capabilities.forceFlags === true;
  }

  /** For "Copy Details". */
  get lastFailure(): ServiceFailure | undefined {
    return this.#lastFailure;
  }

  edit(draft: PlanDraft): void {
    this.#apply({ type: 'edited', draft: this.#supported(draft) });
    if (this.#state.phase !== 'dryRunning') {
      this.#dryRun?.abort();
    }
  }

  cancel(): void {
    this.#dryRun?.abort();
    this.#apply({ type: 'dryRunFailed' });
  }

  startOver(draft: PlanDraft): void {
    const before = this.#state;
    this.#apply({ type: 'startOver', draft });
    if (this.#state !== before) {
      this.#written.leave();
      this.#recordId = this.#parts.newId();
      this.#changed.fire();
    }
  }

  async dryRun(): Promise<void> {
    const before = this.#state;
    const connection = this.#parts.connection();
    this.#apply({ type: 'dryRunStarted', access: connection === undefined ? '' : accessOf(connection) });
    const state = this.#state;
    if (state === before || state.phase !== 'dryRunning') {
      return;
    }
    this.#dryRun?.abort();
    const stop = (this.#dryRun = new AbortController());
    const { plan, access } = state;
    try {
      const service = (this.#service = this.#serviceOf(connection));
      if (plan.strategy !== 'server' && !(await canChooseStrategy(service, plan, stop.signal))) {
        // Leaves it to the server, which decides in the dry run.
        this.edit(state.draft);
        return await this.dryRun();
      }
      const report = await countRows(service, plan, stop.signal);
      this.#checkAccess();
      if (connection !== undefined) {
        this.#parts.counted(connection, plan);
      }
      if (this.#apply({ type: 'dryRunAnswered', plan, access, report, ...this.#taken() }) && report.isReport) {
        await learnAboutServer(service, plan, stop.signal);
        this.#changed.fire();
      }
    } catch (thrown) {
      if (!stop.signal.aborted) {
        this.#apply({ type: 'dryRunFailed', failing: this.#failing(thrown) });
      }
    }
  }

  /**
   * From a review to a running task: asks the person, counts again, writes down, sends once.
   * @param whenConfirmed Gets what counts again and sends: shows that something is under way, or lets others go first. Nothing is sent
   * that it does not call.
   */
  async execute(whenConfirmed: (work: () => Promise<void>) => Promise<void> = (work) => work()): Promise<void> {
    this.#checkAccess();
    this.#renewRecordId();
    const connection = this.#parts.connection();
    // Only the call that opened the questions goes on: a second click meanwhile finds them open and ends here.
    const isMine =
      connection !== undefined && this.#apply({ type: 'executeAsked', access: accessOf(connection), ...this.#age() });
    const state = this.#state;
    if (!isMine || state.phase !== 'confirming') {
      return;
    }
    const { review, draft } = state;
    const { plan } = review;
    // Another window may have chosen another role: the question would be the one for the role before.
    if ((await this.#isBlocked(connection, plan)) || this.#state !== state) {
      return;
    }
    const caution = cautionFor(plan.endTimeMillis, this.#parts.clock.now());
    const mayAsk = caution === undefined || draft.cautionAccepted;
    const yes =
      mayAsk &&
      (await this.#parts.confirm({ connection, review, caution, timeZone: this.timeZone }).catch(() => false));
    if (this.#state !== state && !this.#disposed) {
      // What was asked about was taken back meanwhile. By now there may be another question, which this is no answer to.
      return;
    }
    if (!yes) {
      this.#apply({ type: 'declined' });
      return;
    }
    this.#checkAccess();
    if (this.#disposed) {
      this.#parts.tellClosed();
    } else if (
      this.#apply({ type: 'confirmed', plan, access: this.#access(), ...this.#age() }) &&
      this.state.phase === 'executing'
    ) {
      await whenConfirmed(() => this.#countAgainAndSend(connection, plan));
    }
  }

  /** The end of the task that was sent from here, as the watch saw it. */
  follow(record: TruncationRecord): void {
    if (this.record?.id === record.id) {
      this.#written.follow(record);
      if (record.ending !== undefined) {
        this.#apply({ type: 'ended', ending: record.ending });
      } else if (record.taskId !== undefined) {
        this.#apply({ type: 'reopened', taskId: record.taskId });
      }
      this.#changed.fire();
    }
  }

  /** A wizard that is closed changes nothing of what was sent. */
  dispose(): void {
    this.#disposed = true;
    this.#dryRun?.abort();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #countAgainAndSend(connection: Connection, plan: TruncationPlan): Promise<void> {
    // The same one that was reviewed counts and executes: it is closed when the connection changes, and then sends nothing any more.
    const service = this.#serviceOf(connection);
    let counted: CountBeforeExecution;
    try {
      counted = await countBeforeExecution(service, plan, this.#parts.clock.now());
      this.#apply({ type: 'recounted', report: counted.report, ...this.#taken() });
    } catch (thrown) {
      this.#apply({ type: 'notSent', failing: this.#failing(thrown) });
      return;
    }
    const review = this.#reviewToSend();
    if (review === undefined) {
      return;
    }
    const record: TruncationRecord = {
      id: this.#recordId,
      connectionId: connection.id,
      baseUrl: connection.baseUrl,
      actorUrn: connection.actorUrn,
      callerUrn: service.knownCaller,
      sessionId: SESSION_ID,
      plan,
      report: review.report,
      baseline: counted.baseline,
      reviewedAt: review.at,
      sentAt: this.#parts.clock.now(),
      ...this.#parts.sizeBefore(plan),
    };
    // Written down first: whatever happens from here on, it is known that something was sent.
    try {
      if (!(await this.#written.claim(record))) {
        this.#isRecordIdUsed = true;
        const isThere = this.#parts.records.get(connection.id, record.id) !== undefined;
        this.#apply({ type: 'notSent', failing: isThere ? taskTexts.sentByAnother() : taskTexts.forgotten() });
        return;
      }
    } catch (thrown) {
      this.#isRecordIdUsed = true;
      await this.#written.takeBack(record);
      this.#apply({ type: 'notSent', failing: taskTexts.notRecorded(this.#failing(thrown).next) });
      return;
    }
    // Another window may have removed the connection, or broken the index, while the questions stood open or the disk was slow.
    const isBlocked = await this.#isBlocked(connection, plan);
    if (!isBlocked && this.#parts.records.get(connection.id, record.id) === undefined) {
      // Forgotten in the meantime: nothing would tell that it was sent.
      this.#apply({ type: 'notSent', failing: taskTexts.forgotten() });
    }
    if (
      isBlocked ||
      this.#reviewToSend() === undefined ||
      !this.#apply({ type: 'sent', access: this.#access(), ...this.#age() }) ||
      this.state.phase !== 'executing'
    ) {
      return this.#drop(record);
    }
    this.#parts.sent(plan);
    const { outcome, readers } = await this.#send(service, record);
    await this.#conclude({ ...record, ...(readers === undefined ? {} : { readers }) }, outcome);
  }

  /** `readers`: what they see, where that decided what became of it. */
  async #send(
    service: MetadataService,
    record: TruncationRecord,
  ): Promise<{ readonly outcome: ExecutionOutcome; readonly readers?: ReaderCount | undefined }> {
    const begun = this.#parts.clock.monotonic();
    const lastCheck = (): void => this.#checkLast(record, begun);
    try {
      return { outcome: outcomeOfResponse(await service.indices.execute(record.plan, lastCheck)) };
    } catch (thrown) {
      const failing = this.#failing(thrown);
      const failure = thrown instanceof ServiceFailure ? thrown : toServiceFailure(thrown).with({ mayHaveActed: true });
      let readers: ReaderCount | undefined;
      const outcome = await outcomeOfFailure(failure, failing, record, async () => {
        readers = await countReaders(service, record, () => this.#parts.clock.now()).catch(() => undefined);
        return readers;
      });
      return { outcome, readers };
    }
  }

  /** The role and the credential are read first, from a disk and a keychain that may hang. @param begun Monotonic time in ms. */
  #checkLast(record: TruncationRecord, begun: number): void {
    const failing = this.#whyNotAtLast(record, begun);
    if (failing !== undefined) {
      throw new ServiceFailure('badRequest', failing.sentence, { next: failing.next });
    }
  }

  #whyNotAtLast({ id, connectionId, sentAt }: TruncationRecord, begun: number): Problem | undefined {
    const { clock, records } = this.#parts;
    const review = 'review' in this.#state ? this.#state.review : undefined;
    if (this.#disposed) {
      return taskTexts.pageClosed();
    }
    // The role that was just read may ask for more than was asked: on production, the name.
    if (review?.access !== this.#access()) {
      return taskTexts.connectionChanged();
    }
    // Another window may take it for lost, and forget it.
    if (records.get(connectionId, id) === undefined) {
      return taskTexts.forgotten();
    }
    const waited = Math.max(clock.now() - sentAt, clock.monotonic() - begun);
    const isLate = waited > LONGEST_WAIT_MILLIS || (review !== undefined && isTooOld(review, this.#age()));
    return isLate ? taskTexts.tooLate() : undefined;
  }

  /** Nothing is sent that was counted again on another server, as another person, or for a page that is gone. */
  #reviewToSend(): DryRunReview | undefined {
    this.#checkAccess();
    if (this.#disposed && this.#apply({ type: 'notSent', failing: taskTexts.pageClosed() })) {
      this.#parts.tellClosed(taskTexts.pageClosed());
    }
    // Read afresh: the count may have sent it back to review.
    return this.state.phase === 'executing' && this.state.step === 'recounted' ? this.state.review : undefined;
  }

  async #conclude(record: TruncationRecord, outcome: ExecutionOutcome): Promise<void> {
    if (outcome.kind === 'started') {
      const started = { ...record, taskId: outcome.taskId };
      this.#apply({ type: 'started', taskId: outcome.taskId });
      await this.#written.update(started);
      this.#changed.fire();
      this.#parts.concluded(started);
      return;
    }
    const ending: TruncationOutcome =
      outcome.kind === 'unknown' ? outcome.ending : { kind: 'failed', failing: outcome.failing, failures: [] };
    const taskEnd = outcome.kind === 'unknown' ? outcome.taskEnd : undefined;
    const ended = {
      ...record,
      ...(taskEnd === undefined ? {} : { taskEnd }),
      ending,
      endedAt: this.#parts.clock.now(),
    };
    await (outcome.kind === 'unknown' ? this.#written.update(ended) : this.#drop(record));
    this.#apply({ type: 'ended', ending });
    this.#parts.concluded(ended);
  }

  #drop(record: TruncationRecord): Promise<void> {
    this.#isRecordIdUsed = true;
    return this.#written.drop(record);
  }

  #renewRecordId(): void {
    if (this.#isRecordIdUsed && this.#state.phase === 'reviewed') {
      this.#isRecordIdUsed = false;
      this.#recordId = this.#parts.newId();
    }
  }

  /** While rows of an index may be hidden, or a reindex of it under way, nothing is deleted from it; through a read-only connection never. */
  async #isBlocked(connection: Connection, plan: TruncationPlan): Promise<boolean> {
    await this.#parts.reload();
    this.#checkAccess();
    const blocking = this.#parts.records.blocking(connection, plan, this.#recordId);
    const isReadOnly = connection.role === 'readOnly';
    const failing = isReadOnly ? this.#failing(readOnlyFailure()) : blocking && taskTexts.blockedBy(blocking);
    if (failing === undefined) {
      return false;
    }
    this.#apply({ type: 'notSent', failing });
    return true;
  }

  /** Without the strategy where the server is known not to take one. */
  #supported(draft: PlanDraft): PlanDraft {
    const connection = this.#parts.connection();
    const isRefused = connection !== undefined && this.#parts.service(connection).capabilities.forceFlags === false;
    return isRefused ? { ...draft, strategy: 'server' } : draft;
  }

  #serviceOf(connection: Connection | undefined): MetadataService {
    if (connection === undefined) {
      throw new ServiceFailure('badRequest', l10n.t('This connection was removed.'), {
        next: l10n.t('Close this page and select an index of another connection.'),
      });
    }
    return this.#parts.service(connection);
  }

  /** What was reviewed belongs to the connection as it was then. */
  #checkAccess(): void {
    const connection = this.#parts.connection();
    // A credential can also be gone without a trace in the connection: another window deleted it, and its note of that was lost.
    const isSame =
      connection !== undefined && (this.#service === undefined || this.#service === this.#parts.service(connection));
    const access = isSame ? accessOf(connection) : undefined;
    if (this.#apply({ type: 'accessChanged', access, failing: taskTexts.connectionChanged() })) {
      this.#dryRun?.abort();
    }
  }

  #access(): string | undefined {
    const connection = this.#parts.connection();
    return connection === undefined ? undefined : accessOf(connection);
  }

  #taken(): { readonly at: number; readonly monotonicAt: number } {
    const { clock } = this.#parts;
    return { at: clock.now(), monotonicAt: clock.monotonic() };
  }

  #age(): { readonly now: number; readonly monotonicNow: number; readonly maxAge: number } {
    const { clock, maxAgeMillis } = this.#parts;
    return { now: clock.now(), monotonicNow: clock.monotonic(), maxAge: maxAgeMillis() };
  }

  #failing(thrown: unknown): Problem {
    const failure = toServiceFailure(thrown);
    this.#lastFailure = failure;
    this.#parts.observe(failure);
    return problemOf(failure);
  }

  /** @returns whether the event had a place in the state. */
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
