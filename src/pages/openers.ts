/** Opens the pages, and restores them after a reload. Loaded with the first. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import type { IndexName } from '../indices/indexName.ts';
import { mayHoldPipelineState } from '../indices/timeseriesAspects.ts';
import { copyScheduledJob } from '../integrations/scheduledJob/copyScheduledJob.ts';
import { OVERVIEW_VIEW_TYPE, WIZARD_VIEW_TYPE } from '../manifest.ts';
import { copyGcRecipe } from '../integrations/recipe/copyRecipe.ts';
import { cutoffInDays } from '../truncation/cutoff.ts';
import type { FollowedTruncations } from '../truncation/watching/follow.ts';
import { emptyDraft, withAge, type PlanDraft } from '../truncation/plan.ts';
import type { TruncationRecord } from '../truncation/sentTruncation.ts';
import { proposedAge } from '../truncation/proposedCutoff.ts';
import { createJobHost } from '../truncation/truncations.ts';
import { newPanel, type OpenPages } from './kit/host/openPages.ts';
import { OverviewPanel, type OverviewPanelOptions } from './overview/host/panel.ts';
import { parsePanelState } from './overview/protocol.ts';
import { TruncationPanel, type TruncationParts } from './truncation/host/panel.ts';
import { parsePageState } from './truncation/protocol.ts';

type PanelParts = TruncationParts & OverviewPanelOptions;

interface PageParts extends Omit<PanelParts, 'host' | 'copyRecipe' | 'copyJob' | 'isOverviewOpen'> {
  readonly credentials: CredentialStore;
  readonly followed: FollowedTruncations;
  readonly truncations: OpenPages<TruncationPanel>;
  readonly overviews: OpenPages<OverviewPanel>;
}

export type PageOpeners = ReturnType<typeof createPageOpeners>;

export function createPageOpeners(given: PageParts) {
  const { indexLists, rowsByAge, followed, overviews } = given;
  const parts = {
    ...given,
    host: createJobHost({
      sizeOf: (connectionId, plan) => indexLists.get(connectionId).sizeBytesOf(plan),
      sent: (connectionId, plan) => void rowsByAge.forget(connectionId, plan),
      concluded: (record, refusal) => followed.concluded(record, refusal),
    }),
    isOverviewOpen: (id: string) => overviews.isOpen(id),
    copyRecipe: (connection, reviewed) => {
      const cutoffs = reviewed.map(({ plan, at }) => ({ ...plan, chosenAt: at }));
      return copyGcRecipe(cutoffs, given.services.get(connection), given.clipboard);
    },
    copyJob: (connection, reviewed) => {
      // No job deletes state. Of it alone, it says why.
      const others = reviewed.filter(({ plan }) => !mayHoldPipelineState(plan));
      return copyScheduledJob(connection, others.length === 0 ? reviewed : others, given);
    },
  } satisfies PanelParts;
  return { ...truncationOpeners(parts, given.truncations), ...overviewOpeners(parts, overviews) };
}

function truncationOpeners(parts: PanelParts, truncations: OpenPages<TruncationPanel>) {
  const { store, jobs, indexLists } = parts;
  const load = (): Promise<unknown> => Promise.all([store.load(), jobs.load()]);
  const show = (panel: vscode.WebviewPanel, connection: Connection, from: PlanDraft | TruncationRecord) => {
    const page = new TruncationPanel(panel, connection, from, parts);
    truncations.add(page);
    return page;
  };
  const showNew = (connection: Connection, from: PlanDraft | TruncationRecord): TruncationPanel =>
    show(newPanel(WIZARD_VIEW_TYPE, l10n.t('Truncate Index')), connection, from);
  // The tree may be closed, or couldn't load them.
  const loadSizes = ({ id }: Connection): unknown => void indexLists.get(id).ensureTried();
  return {
    /**
     * Shows the page of an index.
     * @param asks Counts rows if that is cheap. Otherwise nothing is asked of the server before the user does.
     */
    truncate: async (connection: Connection, target: IndexName, asks: boolean): Promise<void> => {
      await load();
      if (!truncations.revealPanel((page) => page.isAskingFor(connection.id, target))) {
        const page = showNew(connection, newDraft(target));
        if (asks) {
          loadSizes(connection);
          page.countWhenLoaded();
        }
      }
    },
    /** Shows a sent truncation in its page or a new one. */
    showTruncation: async (record: TruncationRecord): Promise<void> => {
      await load();
      const connection = store.get(record.connectionId);
      if (connection !== undefined && !truncations.revealPanel(({ item }) => item.record?.id === record.id)) {
        showNew(connection, record);
        loadSizes(connection);
      }
    },
    /** Fills a restored panel from its unparsed state, or closes it. Asks nothing of the server. */
    restoreTruncation: async (panel: vscode.WebviewPanel, state: unknown): Promise<void> => {
      await load();
      const { restore: { connectionId = '', recordId = '' } = {}, draft } = parsePageState(state) ?? {};
      const from = jobs.get(connectionId, recordId) ?? (draft && withCurrentAge(draft));
      const connection = store.get(connectionId);
      if (from === undefined || connection === undefined) {
        panel.dispose();
      } else {
        show(panel, connection, from);
      }
    },
  };
}

function newDraft(target: IndexName): PlanDraft {
  const cutoff = cutoffInDays(proposedAge(target));
  return withCurrentAge({ ...emptyDraft(target.entityType, target.aspect), cutoff });
}

/** An age means days before now, whenever it was entered. */
function withCurrentAge(draft: PlanDraft): PlanDraft {
  return draft.cutoff === undefined || draft.cutoff.kind === 'days' ? withAge(draft, Date.now()) : draft;
}

function overviewOpeners(parts: PanelParts, overviews: OpenPages<OverviewPanel>) {
  const { store, jobs, indexLists } = parts;
  const show = async (panel: vscode.WebviewPanel, connectionId: string): Promise<void> => {
    const connection = store.get(connectionId);
    if (connection === undefined || overviews.isOpen(connectionId)) {
      panel.dispose();
      return;
    }
    overviews.add(new OverviewPanel(panel, connection, parts));
    await Promise.all([jobs.load(), indexLists.get(connectionId).ensureTried()]);
  };
  return {
    /** Shows a connection's overview, and loads missing sizes. */
    openOverview: async (connectionId: string): Promise<void> => {
      if (!overviews.revealPanel((open) => open.connectionId === connectionId)) {
        await show(newPanel(OVERVIEW_VIEW_TYPE, l10n.t('Time Series Indices')), connectionId);
      }
    },
    /** Fills a restored panel from its unparsed state, or closes it. */
    restoreOverview: async (panel: vscode.WebviewPanel, state: unknown): Promise<void> => {
      await store.load();
      await show(panel, parsePanelState(state)?.connectionId ?? '');
    },
  };
}
