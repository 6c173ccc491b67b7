/** Opens wizards, brings them back after a reload, and keeps them in step with what happens around them. */
import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { ServicePool } from '../../connections/servicePool.ts';
import type { IndexLists } from '../../indices/indexLists.ts';
import { COMMANDS, WIZARD_VIEW_TYPE } from '../../manifest.ts';
import * as l10n from '@vscode/l10n';
import type { Clipboard } from '../../ui/clipboard.ts';
import { handleOf } from '../../ui/handles.ts';
import type { Log } from '../../ui/log.ts';
import type { Notices } from '../../ui/notices.ts';
import { emptyDraft, withSafeStrategy, type PlanDraft } from '../../truncation/plan.ts';
import type { DraftStore } from './draftStore.ts';
import type { AgeHistogramStore } from '../../rowsByAge/ageHistogramStore.ts';
import type { RunFactory } from '../../truncation/runFactory.ts';
import type { TruncationRun } from '../../truncation/run.ts';
import type { TaskWatch } from '../../truncation/watch.ts';
import type { TruncationRecord } from '../../truncation/record.ts';
import type { TruncationStore } from '../../truncation/truncationStore.ts';
import { parsePanelState } from '../protocol.ts';
import type { WizardPanel } from './panel.ts';
import { language } from '../../language.ts';
import { formatsOf, reportedSizeText } from '../../ui/formats.ts';

interface WizardPanelsParts {
  readonly extensionUri: vscode.Uri;
  readonly store: ConnectionStore;
  readonly services: ServicePool;
  readonly indexLists: IndexLists;
  readonly records: TruncationStore;
  readonly drafts: DraftStore;
  readonly rowsByAge: AgeHistogramStore;
  readonly newRun: RunFactory;
  readonly watch: TaskWatch;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
  readonly log: Log;
}

interface OpenWizard {
  readonly panel: WizardPanel;
  readonly connectionId: string;
}

export class WizardPanels implements vscode.Disposable {
  readonly #parts: WizardPanelsParts;
  readonly #open = new Set<OpenWizard>();
  readonly #subscriptions: vscode.Disposable;
  readonly #showing = new vscode.EventEmitter<void>();
  /** Another truncation may be in sight now, or out of sight. */
  readonly onDidChangeShowing = this.#showing.event;

  constructor(parts: WizardPanelsParts) {
    this.#parts = parts;
    const updateOf = (connectionId: string | undefined): void => {
      for (const wizard of this.#open) {
        if (connectionId === undefined || wizard.connectionId === connectionId) {
          wizard.panel.update();
        }
      }
    };
    this.#subscriptions = vscode.Disposable.from(
      parts.indexLists.onDidChange(updateOf),
      parts.store.onDidChange(() => updateOf(undefined)),
      parts.watch.onDidChange(({ connectionId }) => updateOf(connectionId)),
      parts.records.onDidChange((connectionId) => this.#follow(connectionId)),
      vscode.window.registerWebviewPanelSerializer(WIZARD_VIEW_TYPE, {
        deserializeWebviewPanel: (panel, state: unknown) => this.#restore(panel, state),
      }),
    );
  }

  /** A wizard for an index, or for one that is still to be named. */
  async open(
    connection: Connection,
    target: { readonly entityType: string | undefined; readonly aspect: string | undefined } | undefined,
  ): Promise<void> {
    const empty = emptyDraft(target?.entityType, target?.aspect);
    const open = [...this.#open].find(
      ({ connectionId, panel }) => connectionId === connection.id && panel.isAskingFor(empty),
    );
    if (open !== undefined) {
      open.panel.reveal();
      return;
    }
    await this.#show(this.#newPanel(), connection.id, this.#parts.drafts.of(connection.id, empty) ?? empty);
  }

  /** The wizard of a truncation that was sent: the one that is open, or a new one. */
  async showRecord(record: TruncationRecord): Promise<void> {
    const open = [...this.#open].find(({ panel }) => panel.run.record?.id === record.id);
    if (open === undefined) {
      await this.#show(this.#newPanel(), record.connectionId, record);
    } else {
      open.panel.reveal();
    }
  }

  /** The wizard that is the active editor. */
  get active(): { readonly connectionId: string; readonly run: TruncationRun } | undefined {
    const active = [...this.#open].find(({ panel }) => panel.isActive);
    return active && { connectionId: active.connectionId, run: active.panel.run };
  }

  /** Whether a person sees this truncation in its wizard right now. */
  isShowing(recordId: string): boolean {
    return [...this.#open].some(({ panel }) => panel.isVisible && panel.run.recordId === recordId);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#showing.dispose();
    for (const { panel } of this.#open) {
      panel.dispose();
    }
  }

  /** An end that another window saw reaches the wizards here too, as does a size that was read after it. */
  #follow(connectionId: string): void {
    for (const wizard of [...this.#open].filter((one) => one.connectionId === connectionId)) {
      const { record } = wizard.panel.run;
      const stored = record && this.#parts.records.get(connectionId, record.id);
      if (stored !== undefined && JSON.stringify(stored) !== JSON.stringify(record)) {
        wizard.panel.run.follow(stored);
      }
      wizard.panel.update();
    }
  }

  #newPanel(): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(WIZARD_VIEW_TYPE, l10n.t('Truncate Index'), vscode.ViewColumn.Active);
  }

  async #restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { store, records, drafts } = this.#parts;
    await Promise.all([store.load(), records.load()]);
    const kept = parsePanelState(state);
    const connectionId = kept?.restore.connectionId ?? store.inUse()?.id;
    if (connectionId === undefined || store.get(connectionId) === undefined) {
      panel.dispose();
      return;
    }
    // The page knew under which id its truncation would be written down before anything was sent.
    const record = kept?.restore.recordId === undefined ? undefined : records.get(connectionId, kept.restore.recordId);
    // Ours is at least as new as what VS Code kept of the panel, if it kept anything.
    const draft = kept?.draft?.entityType
      ? (drafts.of(connectionId, kept.draft) ?? withSafeStrategy(kept.draft))
      : drafts.latest(connectionId);
    await this.#show(panel, connectionId, record ?? draft ?? emptyDraft());
  }

  async #show(
    webviewPanel: vscode.WebviewPanel,
    connectionId: string,
    from: PlanDraft | TruncationRecord,
  ): Promise<void> {
    const { store, services, indexLists, records } = this.#parts;
    // Loaded with the first wizard: nobody waits for it while VS Code starts.
    const { onDemand } = await import('../../truncation/onDemand.ts');
    const run = await this.#parts.newRun(connectionId, from);
    const panel = new onDemand.WizardPanel(webviewPanel, run, {
      extensionUri: this.#parts.extensionUri,
      watch: this.#parts.watch,
      clipboard: this.#parts.clipboard,
      notices: this.#parts.notices,
      log: this.#parts.log,
      counting: {
        connection: () => store.get(connectionId),
        service: (connection) => services.get(connection),
        store: this.#parts.rowsByAge,
      },
      signIn: () => vscode.commands.executeCommand(COMMANDS.connectionSignIn, handleOf({ connectionId })),
      showingChanged: () => this.#showing.fire(),
      draftChanged: (draft) => void this.#parts.drafts.keep(connectionId, draft),
      listIndexName: async (target) => {
        const list = indexLists.get(connectionId);
        await list.refresh();
        await list.ensureLoaded();
        return list.failure === undefined ? list.physicalName(target) : undefined;
      },
      facts: () => {
        const current = store.get(connectionId);
        const indices = indexLists.get(connectionId);
        return {
          connection: current,
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
          sizeOf: (draft) => indices.sizeOf(draft),
          physicalName: (target) => indices.physicalName(target),
          laterSizeOf: (recordId) => records.get(connectionId, recordId)?.laterSize,
          underWay: current === undefined ? [] : records.underWayOn(current, Date.now()),
        };
      },
    });
    const wizard = { panel, connectionId };
    this.#open.add(wizard);
    panel.onDidDispose(() => {
      this.#open.delete(wizard);
      panel.dispose();
      this.#showing.fire();
    });
    this.#showing.fire();
    // For the sizes and the suggestions: the tree may never have been opened.
    void indexLists.get(connectionId).ensureTried();
  }
}
