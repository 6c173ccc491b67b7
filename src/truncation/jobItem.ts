/** An item of a job: its rules on the page where the job began, and from the yes on its count, journal, request and response. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { holdsPipelineState } from '../indices/timeseriesAspects.ts';
import type { MetadataService } from '../service/service.ts';
import { firstUnaccepted } from './cautions.ts';
import { countBeforeExecution } from './countRows.ts';
import { executionGate, requestExecution, type ExecutionOutcome } from './execution.ts';
import { ItemReview, type ItemQuestion } from './itemReview.ts';
import type { JobJournal } from './jobStore.ts';
import type { JobOrigin } from './jobState.ts';
import type { Problem } from './problem.ts';
import type { TruncationRecord } from './sentTruncation.ts';
import { isTooOld, type DryRunReview, type ReviewedIndex } from './dryRun.ts';
import { type TruncationState } from './state.ts';
import { noticeText, nothingToDeleteText } from './texts/reviewTexts.ts';
import { taskTexts } from './texts/taskTexts.ts';

/** Progress of an item once its job was confirmed. */
type ItemStatus = 'waiting' | 'counting' | 'sending' | 'running' | 'finished' | 'failed' | 'unknown' | 'notSent';

interface Exclusion extends Problem {
  /** True if that is all: an index in which no row at all is found may hide them. */
  readonly hasNothingToDelete?: boolean;
}

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

export class JobItem extends ItemReview {
  readonly #origin: JobOrigin;

  /** The user can deselect it. */
  isSelected: boolean;
  /** Its turn to be sent: still to come, reached, or never reached. */
  turn: 'before' | 'now' | 'never' = 'before';

  constructor(origin: JobOrigin, isSelected: boolean, ...item: ConstructorParameters<typeof ItemReview>) {
    super(...item);
    this.#origin = origin;
    this.isSelected = isSelected;
  }

  get status(): ItemStatus {
    const { state, turn } = this;
    switch (state.phase) {
      case 'executing':
        return turn === 'now' && state.step !== 'recounting'
          ? 'sending'
          : ({ before: 'waiting', now: 'counting', never: 'notSent' } as const)[turn];
      case 'running':
      case 'finished':
        return state.phase;
      case 'failed':
        return state.record === undefined || state.record.ending?.kind === 'failed' ? 'failed' : 'unknown';
      default:
        return 'notSent';
    }
  }

  /** Why it can't be part of the plan. Undefined also before its dry run has ended. */
  get exclusion(): Exclusion | undefined {
    const { state } = this;
    if (this.#origin === 'wizard' || !this.hasBegun) {
      return undefined;
    }
    if (state.phase === 'editing') {
      return state.failing ?? { sentence: l10n.t('Dry run canceled') };
    }
    if (state.phase !== 'reviewed') {
      return undefined;
    }
    const { rows } = state.review.report;
    // Rows that another truncation may have hidden are not gone.
    return (
      this.blocking ??
      unreadReason(state) ??
      (rows?.toDelete === 0
        ? { sentence: nothingToDeleteText(rows), hasNothingToDelete: rows.total > 0 }
        : aloneReason(state.review))
    );
  }

  /** True if its rows are deleted once the job is confirmed: ticked, with all that it warns of. */
  get isInPlan(): boolean {
    const { state } = this;
    const areCautionsAccepted = firstUnaccepted(this.cautions, state.draft.acceptedCautions) === undefined;
    return this.isSelected && state.phase === 'reviewed' && this.exclusion === undefined && areCautionsAccepted;
  }

  /** Dry run that a recipe or a scheduled job can repeat: of the overview, one that was sent and didn't fail. */
  get repeatable(): ReviewedIndex | undefined {
    const { record, status } = this;
    const isSent = record !== undefined && status !== 'failed' && status !== 'unknown';
    return this.#origin === 'wizard' || isSent ? this.reviewedIndex : undefined;
  }

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
      isDryRunTooOld: () => isTooOld(review, this.clockTimes),
    });
    const record = await this.#writeSent(recount, review, turn);
    if (record === undefined || !this.dispatch({ type: 'sent', record })) {
      // Whatever part of it is written: one that can't be taken back says too much rather than too little.
      await this.#write(turn, { kind: 'notSent' });
      return undefined;
    }
    const outcome = await requestExecution(recount.service, record, {
      mayStillSend,
      logProblem: (thrown) => this.logProblem(thrown),
      now: () => this.now,
    });
    if (outcome.kind === 'notSent') {
      await this.#write(turn, { kind: 'notSent' });
      // To the review, or to the fields if that no longer counts.
      this.dispatch({ type: 'heldBack', failing: outcome.failing });
      this.checkAccess(true);
      return outcome.failing;
    }
    this.environment.host.sent(record.connectionId, record.plan);
    await this.#conclude(turn, record, outcome);
    return undefined;
  }

  /** Takes over what the watch or another window found out about the truncation that was sent. */
  follow(record: TruncationRecord): void {
    this.dispatch({ type: 'learned', record });
  }

  /** Undefined if that failed. */
  async #recount(question: ItemQuestion, { connection }: ItemTurn): Promise<Recount | undefined> {
    try {
      const service = this.serviceOf(connection);
      const { report, baseline } = await countBeforeExecution(service, question.review.plan, this.now);
      const count = { report, ...this.clockTimes };
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
    { connection, journal, item }: ItemTurn,
  ): Promise<TruncationRecord | undefined> {
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
      if (record === undefined) {
        this.dispatch({ type: 'notSent', failing: taskTexts.forgotten() });
      }
      return record;
    } catch (thrown) {
      this.dispatch({ type: 'notSent', failing: taskTexts.notRecorded(this.logProblem(thrown)) });
      return undefined;
    }
  }

  async #conclude(
    turn: ItemTurn,
    record: TruncationRecord,
    outcome: Exclude<ExecutionOutcome, { kind: 'notSent' }>,
  ): Promise<void> {
    const { concluded, notifyNotStored } = this.environment.host;
    if (outcome.kind === 'nothingHappened') {
      const { failing } = outcome;
      await this.#write(turn, { kind: 'refused' });
      // While its page still knows it, which may be in sight.
      concluded(record, failing);
      this.dispatch({ type: 'refused', failing });
      return;
    }
    const fact =
      outcome.kind === 'started' ? ({ ...outcome, kind: 'task' } as const) : { ...outcome, endedAt: this.now };
    const { kind: _, ...learned } = fact;
    const known: TruncationRecord = { ...record, ...learned };
    this.dispatch({ type: 'learned', record: known });
    if (!(await this.#write(turn, fact))) {
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

/**
 * The overview shows sums of rows, and only deletes by query: losing state, or a reindex that can hide rows, needs a
 * decision of its own.
 */
function aloneReason({ plan, report }: DryRunReview): Problem | undefined {
  return report.rows === undefined || report.strategy !== 'deleteByQuery' || holdsPipelineState(plan)
    ? { sentence: l10n.t('It can only be truncated alone.') }
    : undefined;
}

function unreadReason({ review, failing }: Extract<TruncationState, { phase: 'reviewed' }>): Problem | undefined {
  const notice = noticeText(review);
  return failing ?? (notice === undefined ? undefined : { sentence: notice });
}
