/** Opens truncation pages, restores them after a reload, and keeps them in step with what they show. */
import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import type { IndexLists } from '../../../indices/indexLists.ts';
import { type IndexName, isSameIndex } from '../../../indices/indexName.ts';
import { COMMANDS } from '../../../manifest.ts';
import { disposeAll, type Disposable } from '../../../platform/events.ts';
import { copyGcRecipe } from '../../../recipe/copyRecipe.ts';
import type { AgeHistogramStore } from '../../../rowsByAge/ageHistogramStore.ts';
import { RowsByAge } from '../../../rowsByAge/rowsByAge.ts';
import { ServiceFailure } from '../../../service/failure/failure.ts';
import { systemClock } from '../../../time.ts';
import { cutoffInDays, USUAL_DAYS } from '../../../truncation/cutoff.ts';
import { taskTexts } from '../../../truncation/texts/taskTexts.ts';
import type { JobEnvironment } from '../../../truncation/jobEnvironment.ts';
import { JobRun } from '../../../truncation/jobRun.ts';
import { checkDraft, emptyDraft, withAge, type PlanDraft } from '../../../truncation/plan.ts';
import { rowsGone, type TruncationRecord } from '../../../truncation/record.ts';
import type { ReviewedIndex } from '../../../truncation/state.ts';
import { cutoffProposalFor } from '../../../truncation/texts/consequenceTexts.ts';
import type { TaskWatch } from '../../../truncation/watch.ts';
import { handleOf } from '../../../ui/handles.ts';
import type { Log } from '../../../ui/log.ts';
import type { PageHost } from '../../kit/host/pagePanel.ts';
import type { PagePanelOpener, PagePanelRegistry } from '../../kit/host/panelRegistry.ts';
import { parsePageState } from '../protocol.ts';
import { offerAutomation } from '../../kit/host/automate.ts';
import type { PlanDraftStore } from './draftStore.ts';
import { TruncationPanel, type TruncationActions, type TruncationServer } from './panel.ts';

export interface TruncationOpenerOptions extends PageHost, JobEnvironment {
  readonly log: Log;
  readonly watch: TaskWatch;
  readonly indexLists: IndexLists;
  readonly drafts: PlanDraftStore;
  readonly rowsByAge: AgeHistogramStore;
  readonly isOverviewOpen: (connectionId: string) => boolean;
  /** @param indices The reviewed one, if there is one. */
  readonly copyScheduledJob: (connection: Connection, indices: readonly ReviewedIndex[]) => Promise<void>;
}

export type TruncationPanelRegistry = PagePanelRegistry<TruncationPanel, TruncationPanelOpener>;

export class TruncationPanelOpener implements PagePanelOpener {
  readonly #options: TruncationOpenerOptions;
  readonly #registry: TruncationPanelRegistry;
  readonly #subscriptions: readonly Disposable[];

  constructor(options: TruncationOpenerOptions, registry: TruncationPanelRegistry) {
    this.#options = options;
    this.#registry = registry;
    this.#subscriptions = [
      options.indexLists.onDidChange((connectionId) => this.#followIndices(connectionId)),
      options.store.onDidChange(() => registry.updatePanels()),
      options.watch.onDidChange(({ connectionId }) => registry.updatePanels(connectionId)),
      options.jobs.onDidChange((connectionId) => registry.updatePanels(connectionId)),
    ];
  }

  /** Shows the page of an index, which counts rows if that is cheap. */
  async truncate(connection: Connection, target: IndexName): Promise<void> {
    const isAskingForIt = ({ connectionId, content }: { connectionId: string; content: TruncationPanel }): boolean =>
      connectionId === connection.id && content.isAskingFor(target);
    if (!this.#registry.revealPanel(isAskingForIt)) {
      const draft = this.#options.drafts.draftOf(connection.id, target) ?? newDraft(target);
      const page = await this.#show(this.#registry.createPanel(), connection.id, withCurrentAge(draft));
      page.countWhenLoaded();
    }
  }

  /** Shows a sent truncation in its page or a new one. */
  async showTruncation(record: TruncationRecord): Promise<void> {
    if (!this.#registry.revealPanel(({ content }) => content.item.record?.id === record.id)) {
      await this.#show(this.#registry.createPanel(), record.connectionId, record);
    }
  }

  /** Copies the cutoff of the active page as a recipe for the server's own cleanup. @throws ServiceFailure */
  async copyRecipe(): Promise<void> {
    const { activePanel } = this.#registry;
    await (activePanel && this.#copyRecipeOf(activePanel.connectionId, activePanel.content));
  }

  /** Copies a job that repeats the reviewed truncation of the active page. @throws ServiceFailure */
  async copyJob(): Promise<void> {
    const { activePanel } = this.#registry;
    await (activePanel && this.#copyJobOf(activePanel.connectionId, activePanel.content));
  }

  async restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { store, jobs, drafts } = this.#options;
    await Promise.all([store.load(), jobs.load()]);
    const { restore, draft: typed } = parsePageState(state) ?? {};
    const connectionId = restore?.connectionId ?? store.inUse()?.id;
    if (connectionId === undefined || store.get(connectionId) === undefined) {
      panel.dispose();
      return;
    }
    // The page knew its record's ID before sending.
    const record = restore?.recordId === undefined ? undefined : jobs.get(connectionId, restore.recordId);
    // The stored draft is never older than VS Code's panel state.
    const draft = typed?.entityType ? (drafts.draftOf(connectionId, typed) ?? typed) : drafts.latestDraft(connectionId);
    const from = record ?? (draft && withCurrentAge(draft));
    if (from === undefined) {
      panel.dispose();
    } else {
      await this.#show(panel, connectionId, from);
    }
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
  }

  async #copyRecipeOf(connectionId: string, page: TruncationPanel): Promise<void> {
    const { store, services, indexLists, watch, clipboard } = this.#options;
    const connection = store.get(connectionId);
    if (connection === undefined) {
      return;
    }
    const { record, state } = page.item;
    const checked = record ?? checkDraft(state.draft);
    if ('problems' in checked) {
      throw new ServiceFailure('badRequest', Object.values(checked.problems)[0] ?? '');
    }
    const chosenAt = record?.reviewedAt ?? ('review' in state ? state.review.at : Date.now());
    const server = { connection, service: services.get(connection), list: indexLists.get(connection.id), watch };
    await copyGcRecipe([{ ...checked.plan, chosenAt }], server, clipboard);
  }

  async #copyJobOf(connectionId: string, page: TruncationPanel): Promise<void> {
    const connection = this.#options.store.get(connectionId);
    if (connection !== undefined) {
      const { record, state } = page.item;
      const review = record ? { ...record, at: record.reviewedAt } : 'review' in state ? state.review : undefined;
      // The connection may have another address since, where these rows are not.
      const isThere = review !== undefined && (record === undefined || record.baseUrl === connection.baseUrl);
      const reviewed = isThere ? [{ ...review, deletedSince: rowsGone(record) }] : [];
      await this.#options.copyScheduledJob(connection, reviewed);
    }
  }

  /** A sign-in or sign-out drops the list, which the tree loads only while it is open. */
  #followIndices(connectionId: string): void {
    if (this.#registry.listPanels(connectionId).length > 0) {
      void this.#options.indexLists.get(connectionId).ensureShown();
      this.#registry.updatePanels(connectionId);
    }
  }

  async #show(
    panel: vscode.WebviewPanel,
    connectionId: string,
    from: PlanDraft | TruncationRecord,
  ): Promise<TruncationPanel> {
    const { store, services, rowsByAge, jobs, watch, indexLists, log } = this.#options;
    const job = await JobRun.ofOne(this.#options, connectionId, from);
    const index = 'plan' in from ? from.plan : from;
    const counts = new RowsByAge(index, {
      connection: () => store.get(connectionId),
      service: (connection) => services.get(connection),
      store: rowsByAge,
      isTruncating: () => {
        const connection = store.get(connectionId);
        const underWay = connection === undefined ? [] : jobs.underWayOn(connection, Date.now());
        return underWay.some(({ plan }) => isSameIndex(plan, index));
      },
      counted: (connection, target) => watch.judgeAgain(connection, target),
      clock: systemClock,
      observe: (failure) => log.failure(failure),
    });
    const content = new TruncationPanel(panel, job, counts, {
      host: this.#options,
      watch,
      server: this.#server(connectionId),
      actions: this.#actions(connectionId),
    });
    this.#registry.addPanel({ connectionId, panel, content });
    // Sizes need the list; the tree may be closed.
    void indexLists.get(connectionId).ensureTried();
    return content;
  }

  #server(connectionId: string): TruncationServer {
    const { store, services, indexLists, jobs, isOverviewOpen } = this.#options;
    return {
      connection: () => store.get(connectionId),
      service: () => {
        const connection = store.get(connectionId);
        return connection && services.get(connection);
      },
      facts: (target, except) => {
        const connection = store.get(connectionId);
        const indices = indexLists.get(connectionId);
        const blocking = connection && jobs.inTheWay(connection, target, except, Date.now());
        return {
          connection,
          blocking: blocking && taskTexts.blockedBy(blocking),
          isSignedOut: indices.failure?.kind === 'signedOut',
          indexSize: indices.reportedSizeOf(target),
          indexName: indices.physicalName(target),
          forceFlagsKnown: connection !== undefined && services.get(connection).capabilities.forceFlags === true,
          isOnPostgres: indices.isLoaded || indices.failure !== undefined ? indices.hasTotalsOnly : undefined,
          isOverviewOpen: isOverviewOpen(connectionId),
        };
      },
      listIndexName: async (target) => {
        const list = indexLists.get(connectionId);
        await list.refresh();
        await list.ensureLoaded();
        return list.failure === undefined ? list.physicalName(target) : undefined;
      },
    };
  }

  #actions(connectionId: string): TruncationActions {
    const run = (command: string): Thenable<unknown> =>
      vscode.commands.executeCommand(command, handleOf({ connectionId }));
    return {
      draftChanged: (draft) => {
        // Nothing is stored for a connection that was removed.
        if (this.#options.store.get(connectionId) !== undefined) {
          void this.#options.drafts.storeDraft(connectionId, draft);
        }
      },
      signIn: () => run(COMMANDS.connectionSignIn),
      automate: (page) =>
        offerAutomation({
          copyRecipe: () => this.#copyRecipeOf(connectionId, page),
          copyJob: () => this.#copyJobOf(connectionId, page),
        }),
      showOverview: async () => (this.#options.isOverviewOpen(connectionId) ? run(COMMANDS.indexOverview) : undefined),
    };
  }
}

function newDraft(target: IndexName): PlanDraft {
  const cutoff = cutoffInDays(cutoffProposalFor(target)?.days ?? USUAL_DAYS);
  return { ...emptyDraft(target.entityType, target.aspect), cutoff };
}

/** An age means days before now, whenever it was entered. */
function withCurrentAge(draft: PlanDraft): PlanDraft {
  return draft.cutoff === undefined || draft.cutoff.kind === 'days' ? withAge(draft, Date.now()) : draft;
}
