/** The overview's job, as its page drives it. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { type IndexName, indexNameKey } from '../../../indices/indexName.ts';
import { COMMANDS } from '../../../manifest.ts';
import type { Disposable } from '../../../platform/events.ts';
import { MILLIS_PER_DAY } from '../../../time.ts';
import type { TruncationRef } from '../../../truncation/commands.ts';
import type { JobEnvironment } from '../../../truncation/jobEnvironment.ts';
import { JobRun, type AskUser } from '../../../truncation/jobRun.ts';
import { emptyDraft } from '../../../truncation/plan.ts';
import { handleOf } from '../../../ui/handles.ts';
import { showInformation, showWarning } from '../../../ui/messages.ts';
import type { JobIntent, JobView } from '../protocol.ts';
import { JobExports, type JobExportParts } from './jobExports.ts';
import { draftsOfRest, underWayOf } from './interruptedView.ts';
import { jobView } from './jobView.ts';
import { jobEndMessage } from './jobEndMessage.ts';

interface JobSessionPage {
  /** Not called once the page is closed. */
  readonly isVisible: () => boolean;
  readonly isTreeVisible: () => boolean;
  /** Called when the view changed. */
  readonly changed: () => void;
  readonly confirm: AskUser;
  readonly truncateAlone: (target: IndexName) => Promise<void>;
}

export class JobSession implements vscode.Disposable {
  readonly #connectionId: string;
  readonly #environment: JobEnvironment;
  readonly #page: JobSessionPage;
  readonly #job: JobRun;
  readonly #exports: JobExports;
  readonly #subscription: Disposable;
  #isPageClosed = false;

  constructor(connectionId: string, environment: JobEnvironment & JobExportParts, page: JobSessionPage) {
    this.#connectionId = connectionId;
    this.#environment = environment;
    this.#page = page;
    this.#job = JobRun.ofMany(environment, connectionId);
    this.#exports = new JobExports(this.#job, () => this.#connection, environment);
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

  /** @param findTarget Finds a row of the table by its ID. Undefined for an index that can't be truncated. */
  async handle(intent: JobIntent, findTarget: (id: string) => IndexName | undefined): Promise<void> {
    const job = this.#job;
    switch (intent.type) {
      case 'dryRun': {
        const endTimeMillis = Date.now() - intent.days * MILLIS_PER_DAY;
        const targets = new Map(
          intent.ids.flatMap((id) => {
            const target = findTarget(id);
            return target === undefined ? [] : [[indexNameKey(target), target] as const];
          }),
        );
        return targets.size === 0
          ? undefined
          : job.countAll(
              [...targets.values()].map(({ entityType, aspect }) => ({
                draft: { ...emptyDraft(entityType, aspect), endTimeMillis },
              })),
            );
      }
      case 'dryRunAgain':
        return job.countAgain();
      case 'automate':
        return this.#exports.offerAutomation();
      case 'receipt':
        return this.#exports.offerReceipt();
      case 'cancel':
        return job.cancel();
      case 'tick':
        return job.tick(intent.place, intent.isTicked, intent.at, intent.cautions);
      case 'truncateAlone':
        return this.#truncateAlone(intent.place);
      case 'show':
        return this.#show(intent.place);
      case 'execute': {
        let isAgreed = false;
        await job.execute(async (question, heldBack) => (isAgreed = await this.#page.confirm(question, heldBack)));
        return this.#notifyEnd(isAgreed);
      }
      case 'stop':
        return job.stop();
      case 'startOver':
        return job.startOver();
      case 'continue':
        return this.#continue(intent.jobId);
      case 'dismiss':
        return this.#environment.jobs.dismissRest({ connectionId: this.#connectionId, id: intent.jobId }, Date.now());
    }
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
    if (text !== undefined && (isInTree !== true || !this.#page.isTreeVisible())) {
      const show = l10n.t('Show');
      void (isTrouble === true ? showWarning : showInformation)(text, show).then((chosen) => {
        if (chosen === show) {
          void vscode.commands.executeCommand(COMMANDS.indexOverview, handleOf({ connectionId: connection.id }));
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
      await vscode.commands.executeCommand(COMMANDS.taskShow, handleOf(ref));
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
