/** The overview's job, as its page drives it. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { type IndexName, indexNameKey } from '../../../indices/indexName.ts';
import { COMMANDS } from '../../../manifest.ts';
import type { Disposable } from '../../../platform/events.ts';
import type { TruncationRef } from '../../../truncation/commands.ts';
import { cutoffDaysBefore } from '../../../truncation/cutoff.ts';
import type { JobEnvironment } from '../../../truncation/jobEnvironment.ts';
import { JobRun, type AskUser } from '../../../truncation/jobRun.ts';
import { emptyDraft } from '../../../truncation/plan.ts';
import { jobReceipt, jobReceiptFileName } from '../../../truncation/receipt.ts';
import { showInformation, showWarning } from '../../../ui/messages.ts';
import type { MessageHandlers } from '../../kit/host/pagePanel.ts';
import { offerReceipt, runTreeCommand } from '../../kit/host/actions.ts';
import type { JobIntent, JobView } from '../protocol.ts';
import { offerJobAutomation, type JobAutomationParts } from './jobAutomation.ts';
import { draftsOfRest, underWayOf } from './interruptedView.ts';
import { jobView } from './jobView.ts';
import { jobEndMessage } from './jobEndMessage.ts';

export interface JobSessionParts extends JobEnvironment, JobAutomationParts {
  readonly isTreeVisible: () => boolean;
}

interface JobSessionPage {
  /** Not called once the page is closed. */
  readonly isVisible: () => boolean;
  /** Called when the view changed. */
  readonly changed: () => void;
  readonly confirm: AskUser;
  /** By its ID in the table. Undefined for one that can't be truncated. */
  readonly findIndex: (id: string) => IndexName | undefined;
  readonly truncateAlone: (target: IndexName) => Promise<void>;
}

export class JobSession implements vscode.Disposable {
  readonly #connectionId: string;
  readonly #environment: JobSessionParts;
  readonly #page: JobSessionPage;
  readonly #job: JobRun;
  readonly #subscription: Disposable;
  #isPageClosed = false;

  constructor(connectionId: string, environment: JobSessionParts, page: JobSessionPage) {
    this.#connectionId = connectionId;
    this.#environment = environment;
    this.#page = page;
    this.#job = JobRun.ofMany(environment, connectionId);
    this.#subscription = this.#job.onDidChange(page.changed);
  }

  get view(): JobView {
    const { jobs, watch, host } = this.#environment;
    const connection = this.#connection;
    return jobView({
      connection,
      job: this.#job,
      interrupted: connection === undefined ? [] : jobs.interrupted(connection, Date.now()),
      sizeOf: (target) => host.sizeOf(this.#connectionId, target),
      watch,
      now: Date.now(),
    });
  }

  /** @param name IANA name of the user's. An unknown one is read as the host's own. */
  set timeZone(name: string) {
    this.#job.timeZone = name;
  }

  /** True while the page shows all indices. */
  get isChoosing(): boolean {
    return this.#job.state.phase === 'choosing';
  }

  /** True while it may send more: of its ends, the user is told by one message. */
  get isUnderWay(): boolean {
    return this.#job.state.phase === 'executing';
  }

  /** True if a truncation is one of its items. */
  has(recordId: string): boolean {
    return this.#job.has(recordId);
  }

  handlers(): MessageHandlers<JobIntent> {
    const job = this.#job;
    return {
      dryRun: ({ ids, days }) => this.#dryRun(ids, days),
      dryRunAgain: () => job.countAgain(),
      automate: () => offerJobAutomation(job, () => this.#connection, this.#environment),
      receipt: () =>
        offerReceipt(
          jobReceiptFileName(Date.now()),
          jobReceipt(job.plannedItems, this.#connection?.name ?? '', Date.now()),
          this.#environment,
        ),
      cancel: () => job.cancel(),
      tick: ({ place, isTicked, at, cautions }) => job.tick(place, isTicked, at, cautions),
      truncateAlone: ({ place }) => this.#truncateAlone(place),
      show: ({ place }) => this.#show(place),
      execute: () => this.#execute(),
      stop: () => job.stop(),
      startOver: () => job.startOver(),
      continue: ({ jobId }) => this.#continue(jobId),
      dismiss: ({ jobId }) =>
        this.#environment.jobs.dismissRest({ connectionId: this.#connectionId, id: jobId }, Date.now()),
    };
  }

  /** As it is stored now. Undefined if it was removed. */
  get #connection(): Connection | undefined {
    return this.#environment.store.get(this.#connectionId);
  }

  dispose(): void {
    this.#isPageClosed = true;
    this.#subscription.dispose();
    this.#job.dispose();
  }

  async #dryRun(ids: readonly string[], days: number): Promise<void> {
    const endTimeMillis = cutoffDaysBefore(days, Date.now());
    const targets = ids.flatMap((id) => this.#page.findIndex(id) ?? []);
    const drafts = new Map(
      targets.map((target) => [
        indexNameKey(target),
        { draft: { ...emptyDraft(target.entityType, target.aspect), endTimeMillis } },
      ]),
    );
    if (drafts.size > 0) {
      await this.#job.countAll([...drafts.values()]);
    }
  }

  async #execute(): Promise<void> {
    let isAgreed = false;
    await this.#job.execute(async (question, heldBack) => (isAgreed = await this.#page.confirm(question, heldBack)));
    this.#notifyEnd(isAgreed);
  }

  /** Says how it ended, or why the rest was not sent, unless the user sees it or removed the connection. */
  #notifyEnd(isAgreed: boolean): void {
    const connection = this.#connection;
    if (connection === undefined || (!this.#isPageClosed && this.#page.isVisible())) {
      return;
    }
    const { text, isTrouble, isInTree } =
      jobEndMessage({
        job: this.#job,
        connectionName: connection.name,
        isPageClosed: this.#isPageClosed,
        isAgreed,
      }) ?? {};
    // The tree shows how each ended, but not what was left out.
    if (text !== undefined && (isInTree !== true || !this.#environment.isTreeVisible())) {
      const show = l10n.t('Show');
      void (isTrouble === true ? showWarning : showInformation)(text, show).then((chosen) => {
        if (chosen === show) {
          void runTreeCommand(COMMANDS.indexOverview, { connectionId: connection.id });
        }
      });
    }
  }

  async #truncateAlone(place: number): Promise<void> {
    const { state } = this.#job.items[place] ?? {};
    if (state !== undefined) {
      await this.#page.truncateAlone(state.draft);
    }
  }

  async #show(place: number): Promise<void> {
    const { record } = this.#job.items[place] ?? {};
    if (record !== undefined) {
      const ref: TruncationRef = { connectionId: this.#connectionId, recordId: record.id };
      await runTreeCommand(COMMANDS.taskShow, ref);
    }
  }

  /** Continues an interrupted job as it is stored now: another window may have sent some of its items. */
  async #continue(jobId: string): Promise<void> {
    const { jobs } = this.#environment;
    await jobs.reload();
    const connection = this.#connection;
    const interrupted = connection === undefined ? [] : jobs.interrupted(connection, Date.now());
    const found = interrupted.find(({ job }) => job.id === jobId);
    if (found !== undefined && underWayOf(found.job, Date.now()) === undefined) {
      await this.#job.countAll(draftsOfRest(found), found.job);
    }
  }
}
