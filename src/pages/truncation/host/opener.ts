/** Opens truncation pages, and restores them after a reload. */
import type * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { type IndexName, isSameIndex } from '../../../indices/indexName.ts';
import type { AgeHistogramStore } from '../../../rowsByAge/ageHistogramStore.ts';
import { RowsByAge } from '../../../rowsByAge/rowsByAge.ts';
import { systemClock } from '../../../time.ts';
import { cutoffInDays, USUAL_DAYS } from '../../../truncation/cutoff.ts';
import { JobRun } from '../../../truncation/jobRun.ts';
import { emptyDraft, withAge, type PlanDraft } from '../../../truncation/plan.ts';
import type { TruncationRecord } from '../../../truncation/record.ts';
import { cutoffProposalFor } from '../../../truncation/texts/consequenceTexts.ts';
import type { PagePanelOpener, PagePanelRegistry } from '../../kit/host/panelRegistry.ts';
import { parsePageState } from '../protocol.ts';
import { TruncationPanel, type TruncationParts } from './panel.ts';

export interface TruncationOpenerOptions extends TruncationParts {
  readonly rowsByAge: AgeHistogramStore;
}

export type TruncationPanelRegistry = PagePanelRegistry<TruncationPanel, TruncationPanelOpener>;

export class TruncationPanelOpener implements PagePanelOpener {
  readonly #options: TruncationOpenerOptions;
  readonly #registry: TruncationPanelRegistry;
  /** Pages that are being opened: a double-click asks for one twice. */
  readonly #opening = new Set<string>();

  constructor(options: TruncationOpenerOptions, registry: TruncationPanelRegistry) {
    this.#options = options;
    this.#registry = registry;
  }

  /**
   * Shows the page of an index.
   * @param asks Counts rows if that is cheap. Otherwise nothing is asked of the server before the user does.
   */
  async truncate(connection: Connection, target: IndexName, asks: boolean): Promise<void> {
    const key = JSON.stringify([connection.id, target.entityType, target.aspect]);
    if (this.#opening.has(key) || this.#registry.revealPanel((page) => page.isAskingFor(connection.id, target))) {
      return;
    }
    this.#opening.add(key);
    try {
      const draft = withCurrentAge(newDraft(target));
      const page = await this.#show(this.#registry.createPanel(), connection, draft, asks);
      if (asks) {
        page.countWhenLoaded();
      }
    } finally {
      this.#opening.delete(key);
    }
  }

  /** Shows a sent truncation in its page or a new one. */
  async showTruncation(record: TruncationRecord): Promise<void> {
    const connection = this.#options.store.get(record.connectionId);
    if (connection !== undefined && !this.#registry.revealPanel(({ item }) => item.record?.id === record.id)) {
      await this.#show(this.#registry.createPanel(), connection, record);
    }
  }

  async restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { store, jobs } = this.#options;
    await Promise.all([store.load(), jobs.load()]);
    const { restore: { connectionId = '', recordId = '' } = {}, draft } = parsePageState(state) ?? {};
    // The page knew its record's ID before sending.
    const from = jobs.get(connectionId, recordId) ?? (draft && withCurrentAge(draft));
    const connection = store.get(connectionId);
    if (from === undefined || connection === undefined) {
      panel.dispose();
    } else {
      await this.#show(panel, connection, from);
    }
  }

  async #show(
    panel: vscode.WebviewPanel,
    connection: Connection,
    from: PlanDraft | TruncationRecord,
    loadsSizes = true,
  ): Promise<TruncationPanel> {
    const { store, services, rowsByAge, jobs, indexLists, log } = this.#options;
    const { id: connectionId } = connection;
    const job = await JobRun.ofOne(this.#options, connectionId, from);
    const index = 'plan' in from ? from.plan : from;
    const counts = new RowsByAge(index, {
      connection: () => store.get(connectionId),
      service: (there) => services.get(there),
      store: rowsByAge,
      isTruncating: () => {
        const now = store.get(connectionId);
        const underWay = now === undefined ? [] : jobs.underWayOn(now, Date.now());
        return underWay.some(({ plan }) => isSameIndex(plan, index));
      },
      clock: systemClock,
      observe: (failure) => log.failure(failure),
    });
    const page = new TruncationPanel(panel, connection, job, counts, this.#options);
    this.#registry.addPanel(page);
    // The tree may be closed, or couldn't load them.
    if (loadsSizes) {
      void indexLists.get(connectionId).ensureTried();
    }
    return page;
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
