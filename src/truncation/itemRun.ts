/** One item from the yes to its end: recount, journal, request, response. */
import type { Connection } from '../connections/connection.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { MetadataService } from '../service/service.ts';
import { countBeforeExecution } from './countRows.ts';
import { executionGate } from './executionGate.ts';
import { type ExecutionOutcome, requestExecution } from './executionOutcome.ts';
import { ItemReview, type ItemQuestion } from './itemReview.ts';
import type { JobJournal } from './jobJournal.ts';
import type { Problem } from './outcome.ts';
import { SESSION_ID, type TruncationRecord } from './record.ts';
import { type DryRunReview, isTooOld } from './state.ts';
import { taskTexts } from './texts/taskTexts.ts';

/** A confirmed plan whose rows were counted again. */
interface CountedExecution {
  readonly connection: Connection;
  /** Closed when the connection changes: a service from before the change can't send any more. */
  readonly service: MetadataService;
  readonly plan: TruncationPlan;
  readonly baseline: TruncationRecord['baseline'];
}

/** Where and when an item is sent. */
interface ItemTurn {
  readonly journal: JobJournal;
  readonly item: number;
  /** Why nothing more may be sent, if so. Asked until the moment before the request leaves. */
  readonly stopReason: () => Problem | undefined;
}

export abstract class ItemRun extends ItemReview {
  /**
   * Counts again, writes down what is sent, and sends it, once.
   * @returns why the gate held it back, if so: the user may be asked again.
   */
  async send(question: ItemQuestion, turn: ItemTurn): Promise<Problem | undefined> {
    const counted = await this.#recount(question);
    const review = this.#reviewToSend();
    if (counted === undefined || review === undefined || turn.stopReason() !== undefined) {
      return undefined;
    }
    // Every window would show the truncation.
    if (this.host.page.isClosed()) {
      this.host.dispatch({ type: 'notSent', failing: taskTexts.pageClosed() });
      this.host.page.notifyClosed(taskTexts.pageClosed());
      return undefined;
    }
    // Made before writing, since the disk may hang there.
    const mayStillSend = executionGate(this.environment, {
      connection: counted.connection,
      plan: counted.plan,
      job: turn.journal.ref,
      item: turn.item,
      obstacle: () => turn.stopReason() ?? (this.host.page.isClosed() ? taskTexts.pageClosed() : undefined),
      isDryRunTooOld: () => isTooOld(review, this.agesNow()),
    });
    const record = await this.#writeSent(counted, review, turn);
    if (record === undefined) {
      return undefined;
    }
    if (!this.host.dispatch({ type: 'sent' })) {
      await this.#write(turn, { kind: 'notSent' });
      this.host.dispatch({ type: 'recorded', record: undefined });
      return undefined;
    }
    const { outcome, readers } = await requestExecution(counted.service, record, {
      mayStillSend,
      logProblem: (thrown) => this.logProblem(thrown),
      now: () => this.now,
    });
    if (outcome.kind === 'notSent') {
      await this.#holdBack(turn, outcome.failing);
      return this.host.page.isClosed() ? undefined : outcome.failing;
    }
    this.environment.host.sent(record.connectionId, record.plan);
    await this.#conclude(turn, { ...record, readers }, outcome);
    return undefined;
  }

  /** Takes over what the watch or another window found out about the truncation that was sent. */
  follow(record: TruncationRecord): void {
    if (this.record?.id === record.id) {
      this.host.dispatch({ type: 'recorded', record });
      if (record.ending !== undefined) {
        this.host.dispatch({ type: 'ended', ending: record.ending });
      } else if (record.taskId !== undefined) {
        this.host.dispatch({ type: 'reopened', taskId: record.taskId });
      }
    }
  }

  /** Undefined if that failed. */
  async #recount(question: ItemQuestion): Promise<CountedExecution | undefined> {
    const { connection, review } = question;
    const { plan } = review;
    try {
      const service = this.serviceOf(connection);
      const { report, baseline } = await countBeforeExecution(service, plan, this.now);
      const count = { report, ...this.timesTaken() };
      this.host.dispatch({ type: 'recounted', ...count, hasNewCaution: this.hasNewCaution(question, count) });
      return { connection, service, plan, baseline };
    } catch (thrown) {
      // A change of the connection cancels the count, and is the reason to show.
      this.checkAccess();
      this.host.dispatch({ type: 'notSent', failing: taskTexts.unsent(this.logProblem(thrown)) });
      return undefined;
    }
  }

  /**
   * Writes the truncation where every window sees it, so that no crash loses it.
   * @returns undefined if another window sends it, or nothing could be written.
   */
  async #writeSent(
    { connection, service, plan, baseline }: CountedExecution,
    { report, at }: DryRunReview,
    { journal, item }: ItemTurn,
  ): Promise<TruncationRecord | undefined> {
    const { bytes, precision } = this.environment.host.sizeOf(connection.id, plan);
    try {
      const record = await journal.writeSent(
        { kind: 'dryRun', at, item, report, baseline },
        {
          kind: 'sent',
          at: this.now,
          item,
          sessionId: SESSION_ID,
          actorUrn: connection.actorUrn,
          callerUrn: service.server.callerUrn,
          sizeBefore: bytes,
          sizePrecision: precision,
        },
      );
      this.host.dispatch({ type: 'recorded', record });
      if (record === undefined) {
        await journal.withdraw(item);
        this.host.dispatch({ type: 'notSent', failing: this.#whyNotWritten(journal) });
      }
      return record;
    } catch (thrown) {
      // Part of it may be written.
      await journal.withdraw(item).catch((failure: unknown) => this.logProblem(failure));
      this.host.dispatch({ type: 'notSent', failing: taskTexts.notRecorded(this.logProblem(thrown).next) });
      return undefined;
    }
  }

  #whyNotWritten(journal: JobJournal): Problem {
    if (!journal.isMine) {
      return taskTexts.sentByAnother();
    }
    const { continuedBy = [] } = this.environment.jobs.job(journal.ref) ?? {};
    return continuedBy.length > 0 ? taskTexts.continuedByAnother() : taskTexts.forgotten();
  }

  /** Returns to the review, or to the fields if that no longer counts. */
  async #holdBack(turn: ItemTurn, failing: Problem): Promise<void> {
    // A truncation that can't be taken back says too much rather than too little.
    await this.#write(turn, { kind: 'notSent' });
    this.host.dispatch({ type: 'recorded', record: undefined });
    this.host.dispatch({ type: 'heldBack', failing });
    this.checkAccess(true);
    if (this.isConnectionGone) {
      // Removing it, in another window, deleted what was stored before.
      await this.environment.jobs.remove(turn.journal.ref).catch((thrown: unknown) => this.logProblem(thrown));
    }
    if (this.host.page.isClosed()) {
      this.host.page.notifyClosed(failing);
    }
  }

  /** Undefined if the connection changed during the recount, or the count grew. */
  #reviewToSend(): DryRunReview | undefined {
    this.checkAccess();
    const { state } = this;
    return state.phase === 'executing' && state.step === 'recounted' ? state.review : undefined;
  }

  async #conclude(
    turn: ItemTurn,
    record: TruncationRecord,
    outcome: Exclude<ExecutionOutcome, { kind: 'notSent' }>,
  ): Promise<void> {
    const { concluded, notifyNotStored } = this.environment.host;
    if (outcome.kind === 'nothingHappened') {
      const { failing, status, serverText } = outcome;
      const ending = { kind: 'failed', reason: 'refused', failing, failures: [] } as const;
      await this.#write(turn, { kind: 'refused', status, serverText });
      this.host.dispatch({ type: 'recorded', record: undefined });
      this.host.dispatch({ type: 'ended', ending });
      concluded({ ...record, ending, endedAt: this.now });
      return;
    }
    let known: TruncationRecord;
    let isStored: boolean;
    if (outcome.kind === 'started') {
      const { taskId } = outcome;
      known = { ...record, taskId };
      this.host.dispatch({ type: 'recorded', record: known });
      this.host.dispatch({ type: 'started', taskId });
      isStored = await this.#write(turn, { kind: 'task', taskId });
    } else {
      const { ending, taskEnd } = outcome;
      const learned = { ending, taskEnd, readers: record.readers, endedAt: this.now };
      known = { ...record, ...learned };
      this.host.dispatch({ type: 'recorded', record: known });
      isStored = await this.#write(turn, { kind: 'unknown', ...learned });
      this.host.dispatch({ type: 'ended', ending });
    }
    if (!isStored) {
      notifyNotStored();
    }
    concluded(known);
  }

  /** @returns false if that failed, which is no failure of the truncation. */
  #write({ journal, item }: ItemTurn, fact: Parameters<JobJournal['write']>[1]): Promise<boolean> {
    return journal.write(item, fact).then(
      () => true,
      (thrown: unknown) => {
        this.logProblem(thrown);
        return false;
      },
    );
  }
}
