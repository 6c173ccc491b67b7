/** Opens wizards, restores them after a reload, and keeps them in step with what they show. */
import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { ServicePool } from '../../../connections/servicePool.ts';
import { disposeAll, type Disposable } from '../../../platform/events.ts';
import type { IndexLists } from '../../../indices/indexLists.ts';
import { COMMANDS } from '../../../manifest.ts';
import { ServiceFailure } from '../../../service/failure/failure.ts';
import type { Clipboard } from '../../../ui/clipboard.ts';
import { handleOf } from '../../../ui/handles.ts';
import type { Log } from '../../../ui/log.ts';
import type { Notices } from '../../../ui/notices.ts';
import { checkDraft, emptyDraft, withSafeStrategy, type PlanDraft } from '../../../truncation/plan.ts';
import type { PlanDraftStore } from './draftStore.ts';
import { copyGcRecipe } from '../../../recipe/copyRecipe.ts';
import { cutoffDaysBefore } from '../../../rowsByAge/fitGoal.ts';
import { cutoffProposalFor } from '../../../truncation/texts/consequenceTexts.ts';
import type { AgeHistogramStore } from '../../../rowsByAge/ageHistogramStore.ts';
import type { JobEnvironment } from '../../../truncation/jobEnvironment.ts';
import { JobRun } from '../../../truncation/jobRun.ts';
import type { TaskWatch } from '../../../truncation/watch.ts';
import { deletedRows, type TruncationRecord } from '../../../truncation/record.ts';
import type { ReviewedIndex } from '../../../truncation/state.ts';
import type { JobStore } from '../../../truncation/jobStore.ts';
import type { PagePanelOpener, PagePanelRegistry } from '../../kit/host/panelRegistry.ts';
import { parsePanelState } from '../protocol.ts';
import { WizardPanel } from './panel.ts';
import { language } from '../../../language.ts';
import { formatsOf, reportedSizeText } from '../../../ui/formats.ts';

/** Proposed on the overview as well. */
const USUAL_DAYS = 90;

export interface WizardOpenerOptions {
  readonly extensionUri: vscode.Uri;
  readonly store: ConnectionStore;
  readonly services: ServicePool;
  readonly indexLists: IndexLists;
  readonly jobs: JobStore;
  readonly drafts: PlanDraftStore;
  readonly rowsByAge: AgeHistogramStore;
  readonly jobEnvironment: JobEnvironment;
  readonly watch: TaskWatch;
  /** @param indices The reviewed one, if there is one. */
  readonly copyScheduledJob: (connection: Connection, indices: readonly ReviewedIndex[]) => Promise<void>;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
  readonly log: Log;
}

export type WizardPanelRegistry = PagePanelRegistry<WizardPanel, WizardPanelOpener>;

export class WizardPanelOpener implements PagePanelOpener {
  readonly #options: WizardOpenerOptions;
  readonly #registry: WizardPanelRegistry;
  readonly #subscriptions: readonly Disposable[];

  constructor(options: WizardOpenerOptions, registry: WizardPanelRegistry) {
    this.#options = options;
    this.#registry = registry;
    this.#subscriptions = [
      options.indexLists.onDidChange((connectionId) => this.#followIndices(connectionId)),
      options.store.onDidChange(() => registry.updatePanels()),
      options.watch.onDidChange(({ connectionId }) => registry.updatePanels(connectionId)),
      options.jobs.onDidChange((connectionId) => registry.updatePanels(connectionId)),
    ];
  }

  /** Shows the wizard for an index, even an unnamed one. */
  async openWizard(
    connection: Connection,
    target: { readonly entityType: string | undefined; readonly aspect: string | undefined } | undefined,
  ): Promise<void> {
    const empty = emptyDraft(target?.entityType, target?.aspect);
    if (
      !this.#registry.revealPanel(
        ({ connectionId, content }) => connectionId === connection.id && content.isAskingFor(empty),
      )
    ) {
      const draft = this.#options.drafts.draftOf(connection.id, empty) ?? empty;
      const proposed = { ...draft, ageInDays: cutoffProposalFor(empty)?.days ?? USUAL_DAYS };
      const dated = withCurrentAge(draft.endTimeMillis === undefined ? proposed : draft, Date.now());
      await this.#showWizard(this.#registry.createPanel(), connection.id, dated);
    }
  }

  /** Shows a sent truncation in its wizard or a new one. */
  async showTruncation(record: TruncationRecord): Promise<void> {
    if (!this.#registry.revealPanel(({ content }) => content.item.record?.id === record.id)) {
      await this.#showWizard(this.#registry.createPanel(), record.connectionId, record);
    }
  }

  /** Copies the cutoff of the active wizard as a recipe for the server's own cleanup. @throws ServiceFailure */
  async copyRecipe(): Promise<void> {
    const { store, services, indexLists, watch, clipboard } = this.#options;
    const active = this.#registry.activePanel;
    const connection = active && store.get(active.connectionId);
    if (active === undefined || connection === undefined) {
      return;
    }
    const { record, state } = active.content.item;
    const checked = record ?? checkDraft(state.draft);
    if ('problems' in checked) {
      throw new ServiceFailure('badRequest', Object.values(checked.problems)[0] ?? '');
    }
    const chosenAt = record?.reviewedAt ?? ('review' in state ? state.review.at : Date.now());
    const server = { connection, service: services.get(connection), list: indexLists.get(connection.id), watch };
    await copyGcRecipe([{ ...checked.plan, chosenAt }], server, clipboard);
  }

  /** Copies a job that repeats the reviewed truncation of the active wizard. @throws ServiceFailure */
  async copyJob(): Promise<void> {
    const { store, copyScheduledJob } = this.#options;
    const active = this.#registry.activePanel;
    const connection = active && store.get(active.connectionId);
    if (active !== undefined && connection !== undefined) {
      const { record, state } = active.content.item;
      const review = record ? { ...record, at: record.reviewedAt } : 'review' in state ? state.review : undefined;
      // The connection may have another address since, where these rows are not.
      const isThere = review !== undefined && (record === undefined || record.baseUrl === connection.baseUrl);
      await copyScheduledJob(connection, isThere ? [{ ...review, deletedSince: deletedRows(record) ?? 0 }] : []);
    }
  }

  async restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { store, jobs, drafts } = this.#options;
    await Promise.all([store.load(), jobs.load()]);
    const kept = parsePanelState(state);
    const connectionId = kept?.restore.connectionId ?? store.inUse()?.id;
    if (connectionId === undefined || store.get(connectionId) === undefined) {
      panel.dispose();
      return;
    }
    // The page knew its record's ID before sending.
    const record = kept?.restore.recordId === undefined ? undefined : jobs.get(connectionId, kept.restore.recordId);
    // The stored draft is never older than VS Code's panel state.
    const draft = kept?.draft?.entityType
      ? (drafts.draftOf(connectionId, kept.draft) ?? withSafeStrategy({ ...kept.draft, acceptedCautions: [] }))
      : drafts.latestDraft(connectionId);
    await this.#showWizard(panel, connectionId, record ?? withCurrentAge(draft ?? emptyDraft(), Date.now()));
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
  }

  /** A sign-in or sign-out drops the list, which the tree loads only while it is open. */
  #followIndices(connectionId: string): void {
    if (this.#registry.listPanels(connectionId).length > 0) {
      void this.#options.indexLists.get(connectionId).ensureShown();
      this.#registry.updatePanels(connectionId);
    }
  }

  async #showWizard(
    panel: vscode.WebviewPanel,
    connectionId: string,
    from: PlanDraft | TruncationRecord,
  ): Promise<void> {
    const { store, services, indexLists, jobs } = this.#options;
    const job = await JobRun.ofOne(this.#options.jobEnvironment, connectionId, from);
    const content = new WizardPanel(panel, job, {
      extensionUri: this.#options.extensionUri,
      watch: this.#options.watch,
      clipboard: this.#options.clipboard,
      notices: this.#options.notices,
      log: this.#options.log,
      counting: {
        connection: () => store.get(connectionId),
        service: (connection) => services.get(connection),
        store: this.#options.rowsByAge,
      },
      signIn: () => vscode.commands.executeCommand(COMMANDS.connectionSignIn, handleOf({ connectionId })),
      showingChanged: () => this.#registry.showingChanged(),
      draftChanged: (draft) => void this.#options.drafts.storeDraft(connectionId, draft),
      listIndexName: async (target) => {
        const list = indexLists.get(connectionId);
        await list.refresh();
        await list.ensureLoaded();
        return list.failure === undefined ? list.physicalName(target) : undefined;
      },
      currentFacts: () => {
        const current = store.get(connectionId);
        const indices = indexLists.get(connectionId);
        return {
          connection: current,
          isSignedOut: indices.failure?.kind === 'signedOut',
          indices: indices.indices.flatMap(({ entityType, aspect, sizeBytes, precision }) =>
            entityType === undefined || aspect === undefined
              ? []
              : [
                  {
                    entityType,
                    aspect,
                    size: reportedSizeText({ bytes: sizeBytes, precision }, formatsOf(language())) ?? '',
                  },
                ],
          ),
          forceFlagsKnown: current !== undefined && services.get(current).capabilities.forceFlags === true,
          isOnPostgres: indices.hasTotalsOnly,
          sizeOf: (draft) => indices.reportedSizeOf(draft),
          physicalName: (target) => indices.physicalName(target),
          underWay: current === undefined ? [] : jobs.underWayOn(current, Date.now()),
        };
      },
    });
    this.#registry.addPanel({ connectionId, panel, content });
    // Sizes and suggestions need the list; the tree may be closed.
    void indexLists.get(connectionId).ensureTried();
  }
}

/** An age means days before now, whenever it was entered. @param now Unix time in ms. */
function withCurrentAge(draft: PlanDraft, now: number): PlanDraft {
  return draft.ageInDays === undefined ? draft : { ...draft, endTimeMillis: cutoffDaysBefore(draft.ageInDays, now) };
}
