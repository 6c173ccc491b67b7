/**
 * Drives the state machine of one truncation: asks the server, asks the person, writes down what is sent. The wizard and the
 * quick flow are two faces of it.
 */
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import { ServiceFailure, asFailure } from '../service/failure.ts';
import type { Execution } from '../service/indices.ts';
import type { Service } from '../service/service.ts';
import { confirmTruncation } from '../ui/confirm.ts';
import { settings } from '../ui/settings.ts';
import { readDryRun } from './dryRunReport.ts';
import type { DryRunReport } from './dryRunReport.ts';
import { cautionFor } from './plan.ts';
import type { PlanDraft, TruncationPlan } from './plan.ts';
import { resumed } from './resumed.ts';
import { taskTexts } from './taskTexts.ts';
import { editing, next as stateAfter } from './truncation.ts';
import type { Failing, TruncationEvent, TruncationState } from './truncation.ts';
import type { TruncationRecord } from './truncationRecord.ts';
import { truncationQuestion } from './truncationQuestion.ts';
import type { TruncationRecords } from './truncationRecords.ts';

export interface RunParts {
  readonly connection: () => Connection | undefined;
  readonly service: (connection: Connection) => Service;
  readonly records: TruncationRecords;
  /** Told of each plan that was sent. */
  readonly sent: (plan: TruncationPlan) => void;
  /** Of the index, in bytes, if it is known. */
  readonly sizeOf: (plan: TruncationPlan) => number | undefined;
  /** Told of each failure, for the log. */
  readonly observe: (failure: ServiceFailure) => void;
}

export class TruncationRun implements vscode.Disposable {
  readonly #parts: RunParts;
  readonly #changed = new vscode.EventEmitter<void>();
  #state: TruncationState;
  #record: TruncationRecord | undefined;
  #dryRun: AbortController | undefined;
  #lastFailure: ServiceFailure | undefined;
  #disposed = false;
  /** The person's time zone; the host may run in another. */
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  readonly onDidChange = this.#changed.event;

  /** @param from What is to be typed on, or a truncation that was sent before, to be looked at. */
  constructor(parts: RunParts, from: PlanDraft | TruncationRecord) {
    this.#parts = parts;
    if ('plan' in from) {
      this.#record = from;
      this.#state = resumed(from);
    } else {
      this.#state = editing(from);
    }
  }

  get state(): TruncationState {
    return this.#state;
  }

  /** The truncation that was sent from here, once one was. */
  get record(): TruncationRecord | undefined {
    return this.#record;
  }

  /** Whether the way of deleting can be chosen on this server. */
  get forceFlagsKnown(): boolean {
    const connection = this.#parts.connection();
    return connection !== undefined && this.#parts.service(connection).dialect.forceFlags === true;
  }

  /** For "Copy Details". */
  get lastFailure(): ServiceFailure | undefined {
    return this.#lastFailure;
  }

  edit(draft: PlanDraft): void {
    this.#apply({ type: 'edited', draft });
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
      this.#record = undefined;
      this.#changed.fire();
    }
  }

  async dryRun(): Promise<void> {
    const before = this.#state;
    this.#apply({ type: 'dryRunStarted' });
    const state = this.#state;
    if (state === before || state.phase !== 'dryRunning') {
      return;
    }
    this.#dryRun?.abort();
    const stop = (this.#dryRun = new AbortController());
    const { plan } = state;
    try {
      const report = await this.#count(plan, stop.signal);
      if (this.#apply({ type: 'dryRunAnswered', plan, report, at: Date.now() }) && report.isReport) {
        await this.#learnForceFlags(plan, stop.signal);
      }
    } catch (thrown) {
      if (!stop.signal.aborted) {
        this.#apply({ type: 'dryRunFailed', failing: this.#failing(thrown) });
      }
    }
  }

  /**
   * From a review to a running task: asks the person, counts again, writes down, sends once.
   * @param whileSending Shows that something is under way, once the questions are answered.
   */
  async execute(whileSending: <T>(work: () => Promise<T>) => Promise<T> = (work) => work()): Promise<void> {
    const connection = this.#parts.connection();
    // Only the call that opened the questions goes on: a second click meanwhile finds them open and ends here.
    const isMine = connection !== undefined && this.#apply({ type: 'executeAsked', now: Date.now(), maxAge: settings.dryRunMaxAgeMillis() });
    const state = this.#state;
    if (!isMine || state.phase !== 'confirming') {
      return;
    }
    const { plan } = state.review;
    const caution = cautionFor(plan.endTimeMillis, Date.now());
    const yes =
      (caution === undefined || state.draft.cautionAccepted) && (await confirmTruncation(truncationQuestion(connection.name, state.review, caution, this.timeZone)).catch(() => false));
    if (!yes) {
      this.#apply({ type: 'declined' });
      return;
    }
    if (this.#disposed) {
      void vscode.window.showWarningMessage(vscode.l10n.t('Nothing was deleted: the wizard was closed before the last question was answered.'));
    } else if (this.#apply({ type: 'confirmed', plan })) {
      await whileSending(() => this.#countAgainAndSend(connection, plan));
    }
  }

  /** The end of the task that was sent from here, as the watch saw it. */
  follow(record: TruncationRecord): void {
    if (this.#record?.id === record.id) {
      this.#record = record;
      if (record.ending !== undefined) {
        this.#apply({ type: 'ended', ending: record.ending });
      }
      this.#changed.fire();
    }
  }

  /** A wizard that is closed changes nothing of what was sent. */
  dispose(): void {
    this.#disposed = true;
    this.#dryRun?.abort();
    this.#changed.dispose();
  }

  async #countAgainAndSend(connection: Connection, plan: TruncationPlan): Promise<void> {
    const service = this.#parts.service(connection);
    try {
      const report = await this.#count(plan, undefined);
      this.#apply({ type: 'recounted', report, at: Date.now() });
    } catch (thrown) {
      this.#apply({ type: 'notSent', failing: this.#failing(thrown) });
      return;
    }
    // Read afresh: the count may have sent it back to review.
    const state = this.state;
    if (state.phase !== 'executing' || state.step !== 'recounted') {
      return;
    }
    if (this.#disposed || this.#parts.connection()?.baseUrl !== connection.baseUrl) {
      this.#apply({ type: 'notSent', failing: { sentence: vscode.l10n.t('Nothing was sent: the wizard was closed or the connection was changed.') } });
      return;
    }
    const record: TruncationRecord = {
      id: crypto.randomUUID(),
      connectionId: connection.id,
      plan,
      report: state.review.report,
      reviewedAt: state.review.at,
      sentAt: Date.now(),
      sizeBefore: this.#parts.sizeOf(plan),
    };
    // Written down first: whatever happens from here on, it is known that something was sent.
    try {
      await this.#keep(record);
    } catch (thrown) {
      this.#record = undefined;
      this.#apply({ type: 'notSent', failing: this.#failing(thrown) });
      return;
    }
    if (!this.#apply({ type: 'sent' })) {
      await this.#drop(record);
      return;
    }
    this.#parts.sent(plan);
    let execution: Execution;
    try {
      execution = await service.indices.execute(plan);
    } catch (thrown) {
      await this.#failed(record, thrown);
      return;
    }
    // Not a failure of the execution any more, whatever happens to the note of it.
    await this.#answered(record, execution);
  }

  async #answered(record: TruncationRecord, execution: Execution): Promise<void> {
    if (execution.kind === 'started') {
      this.#apply({ type: 'started', taskId: execution.taskId });
      await this.#keep({ ...record, taskId: execution.taskId });
      this.#changed.fire();
      return;
    }
    // An answer that is no task's id is a refusal in the server's words (facts §5.1): nothing runs.
    await this.#drop(record);
    const failing = {
      sentence: vscode.l10n.t('The server did not start the deletion: {0}', execution.serverText),
      next: vscode.l10n.t('Change the plan and run the dry run again.'),
    };
    this.#apply({ type: 'ended', ending: { kind: 'failed', failing, failures: [] } });
  }

  async #failed(record: TruncationRecord, thrown: unknown): Promise<void> {
    const failing = this.#failing(thrown);
    const failure = this.#lastFailure;
    if (failure !== undefined && isReindexImpossible(failure)) {
      await this.#drop(record);
      const next = vscode.l10n.t('Start over with "Delete by query": this index cannot be reindexed.');
      this.#apply({ type: 'ended', ending: { kind: 'failed', failing: { ...failing, next }, failures: [] } });
    } else if (failure?.mayHaveActed === true) {
      const looked = await this.#lookWhatHappened(record);
      // After the alias was moved to the new index a failure has the same words, and hides the rows that stay.
      const reindexBroke = /reindex failed/i.test(failure.serverText ?? '');
      const ending = { kind: 'unknown', failing: reindexBroke ? { sentence: failing.sentence, next: taskTexts.failed('reindex').next } : looked } as const;
      await this.#keep({ ...record, ending, endedAt: Date.now() });
      this.#apply({ type: 'ended', ending });
    } else {
      await this.#drop(record);
      this.#apply({ type: 'ended', ending: { kind: 'failed', failing, failures: [] } });
    }
  }

  /** The answer is lost and the request is never repeated: a count tells whether rows are going. */
  async #lookWhatHappened(record: TruncationRecord): Promise<Failing> {
    const lost = taskTexts.lost();
    const now = await this.#count(record.plan, undefined).catch(() => undefined);
    if (now?.rows === undefined || record.report.rows === undefined) {
      return lost;
    }
    return {
      sentence: lost.sentence,
      next:
        now.rows.toDelete < record.report.rows.toDelete
          ? vscode.l10n.t('A new count shows that rows are going ({0} are left), so it runs. Run the dry run again in a while.', now.rows.toDelete)
          : vscode.l10n.t('A new count shows no change yet. Run the dry run again in a while before you decide to truncate once more; it is never sent again by itself.'),
    };
  }

  /** A dry run, read; one that does not do what was asked is a failure. */
  async #count(plan: TruncationPlan, signal: AbortSignal | undefined): Promise<DryRunReport> {
    const connection = this.#parts.connection();
    if (connection === undefined) {
      throw new ServiceFailure('badRequest', vscode.l10n.t('This connection was removed.'), { next: vscode.l10n.t('Close this and choose an index of another connection.') });
    }
    const service = this.#parts.service(connection);
    const report = readDryRun(await service.indices.dryRun(plan, signal));
    if (plan.strategy !== 'server' && report.strategy !== 'unknown' && report.strategy !== plan.strategy) {
      throw new ServiceFailure('unsupported', vscode.l10n.t('The server would not delete in the way that was chosen.'), {
        serverText: report.serverText,
        next: vscode.l10n.t('Leave the way of deleting to the server.'),
      });
    }
    return report;
  }

  /** Asked once, beside the report: that it cannot be answered takes nothing from what the dry run said. */
  async #learnForceFlags(plan: TruncationPlan, signal: AbortSignal): Promise<void> {
    const connection = this.#parts.connection();
    const service = connection && this.#parts.service(connection);
    if (service === undefined || service.dialect.forceFlags !== undefined) {
      return;
    }
    try {
      service.dialect.learnedForceFlags(await service.indices.knowsForceFlags(plan, signal));
      this.#changed.fire();
    } catch {
      // Asked again with the next dry run.
    }
  }

  #failing(thrown: unknown): Failing {
    const failure = asFailure(thrown);
    this.#lastFailure = failure;
    this.#parts.observe(failure);
    return { sentence: failure.message, next: failure.next };
  }

  /** A connection that was removed meanwhile took its records along: none comes back. */
  async #keep(record: TruncationRecord): Promise<void> {
    this.#record = record;
    if (this.#parts.connection() === undefined) {
      return;
    }
    await this.#parts.records.save(record);
  }

  async #drop(record: TruncationRecord): Promise<void> {
    this.#record = undefined;
    await this.#parts.records.forget(record);
  }

  /** @returns whether the event had a place in the state. */
  #apply(event: TruncationEvent): boolean {
    const state = stateAfter(this.#state, event);
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

/** The index was never reindexed, so its name is no alias (facts §5.1): nothing was started. */
function isReindexImpossible(failure: ServiceFailure): boolean {
  const text = failure.serverText ?? '';
  return /should be an alias/i.test(text) || (failure.status === 400 && /async reindex failed/i.test(text));
}
