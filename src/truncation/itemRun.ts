/** One item from the yes to its end: recount, journal, request, response. */
import type { Connection } from '../connections/connection.ts';
import type { MetadataService } from '../service/service.ts';
import { countBeforeExecution } from './countRows.ts';
import { executionGate } from './executionGate.ts';
import { type ExecutionOutcome, requestExecution } from './executionOutcome.ts';
import { ItemReview, type ItemQuestion } from './itemReview.ts';
import type { JobJournal } from './jobJournal.ts';
import type { Problem } from './outcome.ts';
import type { TruncationRecord } from './record.ts';
import { type DryRunReview, isTooOld } from './state.ts';
import { taskTexts } from './texts/taskTexts.ts';

/** Rows were counted again. */
interface Recount {
  /** Closed when the connection changes: a service from before the change can't send any more. */
  readonly service: MetadataService;
  readonly baseline: TruncationRecord['baseline'];
}

/** Where and when an item is sent. */
interface ItemTurn {
  /** As the user was asked about it. */
  readonly connection: Connection;
  readonly journal: JobJournal;
  readonly item: number;
  /** Why the job sends nothing more, if so. Asked until the moment before the request leaves. */
  readonly obstacle: () => Problem | undefined;
}

export abstract class ItemRun extends ItemReview {
  /**
   * Counts again, writes down what is sent, and sends it, once.
   * @returns why the job or the gate held it back, if so: the user may be asked again.
   */
  async send(question: ItemQuestion, turn: ItemTurn): Promise<Problem | undefined> {
    const recount = await this.#recount(question, turn);
    this.checkAccess();
    const { state } = this;
    const obstacle = turn.obstacle();
    // The connection may have changed during the recount, or the count grown. Once it is written, every window would
    // show the truncation.
    if (recount === undefined || state.phase !== 'executing' || state.step !== 'recounted' || obstacle !== undefined) {
      return obstacle;
    }
    const { review } = state;
    // Made before writing, since the disk may hang there.
    const mayStillSend = executionGate(this.environment, {
      connection: turn.connection,
      plan: review.plan,
      job: turn.journal.ref,
      item: turn.item,
      obstacle: turn.obstacle,
      isDryRunTooOld: () => isTooOld(review, this.agesNow()),
    });
    const record = await this.#writeSent(recount, review, turn);
    if (record === undefined) {
      return undefined;
    }
    if (!this.dispatch({ type: 'sent' })) {
      await this.#write(turn, { kind: 'notSent' });
      this.know(undefined);
      return undefined;
    }
    const { outcome, readers } = await requestExecution(recount.service, record, {
      mayStillSend,
      logProblem: (thrown) => this.logProblem(thrown),
      now: () => this.now,
    });
    if (outcome.kind === 'notSent') {
      await this.#holdBack(turn, outcome.failing);
      return outcome.failing;
    }
    this.environment.host.sent(record.connectionId, record.plan);
    await this.#conclude(turn, { ...record, readers }, outcome);
    return undefined;
  }

  /** Takes over what the watch or another window found out about the truncation that was sent. */
  follow(record: TruncationRecord): void {
    if (this.record?.id === record.id) {
      this.know(record);
    }
  }

  /** Undefined if that failed. */
  async #recount(question: ItemQuestion, { connection }: ItemTurn): Promise<Recount | undefined> {
    try {
      const service = this.serviceOf(connection);
      const { report, baseline } = await countBeforeExecution(service, question.review.plan, this.now);
      const count = { report, ...this.timesTaken() };
      this.dispatch({ type: 'recounted', ...count, hasNewCaution: this.hasNewCaution(question, count) });
      return { service, baseline };
    } catch (thrown) {
      // A change of the connection cancels the count, and is the reason to show.
      this.checkAccess();
      this.dispatch({ type: 'notSent', failing: taskTexts.unsent(this.logProblem(thrown)) });
      return undefined;
    }
  }

  /**
   * Writes the truncation where every window sees it, so that no crash loses it.
   * @returns undefined if another window has dismissed it, or nothing could be written.
   */
  async #writeSent(
    { service, baseline }: Recount,
    { plan, report, at }: DryRunReview,
    turn: ItemTurn,
  ): Promise<TruncationRecord | undefined> {
    const { connection, journal, item } = turn;
    try {
      const record = await journal.writeSent(
        { kind: 'dryRun', at, item, report, baseline },
        {
          kind: 'sent',
          at: this.now,
          item,
          actorUrn: connection.actorUrn,
          callerUrn: service.server.callerUrn,
          sizeBefore: this.environment.host.sizeOf(connection.id, plan),
        },
      );
      this.know(record);
      if (record === undefined) {
        await this.#write(turn, { kind: 'notSent' });
        this.dispatch({ type: 'notSent', failing: taskTexts.forgotten() });
      }
      return record;
    } catch (thrown) {
      // Part of it may be written.
      await this.#write(turn, { kind: 'notSent' });
      this.dispatch({ type: 'notSent', failing: taskTexts.notRecorded(this.logProblem(thrown).next) });
      return undefined;
    }
  }

  /** Returns to the review, or to the fields if that no longer counts. */
  async #holdBack(turn: ItemTurn, failing: Problem): Promise<void> {
    // A truncation that can't be taken back says too much rather than too little.
    await this.#write(turn, { kind: 'notSent' });
    this.know(undefined);
    this.dispatch({ type: 'heldBack', failing });
    this.checkAccess(true);
  }

  async #conclude(
    turn: ItemTurn,
    record: TruncationRecord,
    outcome: Exclude<ExecutionOutcome, { kind: 'notSent' }>,
  ): Promise<void> {
    const { concluded, notifyNotStored } = this.environment.host;
    if (outcome.kind === 'nothingHappened') {
      const { failing, status, serverText } = outcome;
      const ending = { kind: 'failed', reason: 'refused', failing } as const;
      await this.#write(turn, { kind: 'refused', status, serverText });
      this.know(undefined);
      this.dispatch({ type: 'ended', ending });
      concluded({ ...record, ending, endedAt: this.now });
      return;
    }
    let known: TruncationRecord;
    let isStored: boolean;
    if (outcome.kind === 'started') {
      const { taskId } = outcome;
      known = { ...record, taskId };
      this.know(known);
      isStored = await this.#write(turn, { kind: 'task', taskId });
    } else {
      const { ending, taskEnd } = outcome;
      const learned = { ending, taskEnd, readers: record.readers, endedAt: this.now };
      known = { ...record, ...learned };
      this.know(known);
      isStored = await this.#write(turn, { kind: 'unknown', ...learned });
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
