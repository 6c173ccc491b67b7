/** Builds the features in the order in which they need each other. Loaded with the first view, command or page, or to migrate. */
import * as vscode from 'vscode';
import { registerConnectionCommands } from './connections/connectionCommands.ts';
import type { Connection } from './connections/connection.ts';
import { registerCopyFailureDetails } from './connections/copyFailureDetails.ts';
import { mayRotate } from './connections/credentialLife.ts';
import { CredentialStore } from './connections/credentialStore.ts';
import { ServicePool } from './connections/servicePool.ts';
import { remoteBeside } from './connections/extensionPlace.ts';
import { ExpandedRows } from './explorer/expandedRows.ts';
import { Explorer, registerExplorerCommands } from './explorer/explorer.ts';
import type { ExplorerTreeView } from './explorer/explorerView.ts';
import { registerIndexCommands } from './indices/indexCommands.ts';
import { IndexLists } from './indices/indexLists.ts';
import { registerCopyRequest } from './integrations/copyRequest.ts';
import { registerOpenTerminal } from './integrations/openTerminal.ts';
import { COMMANDS } from './manifest.ts';
import { systemClock } from './time.ts';
import { systemNetworkOf } from './service/http/network.ts';
import { registerPageCommands } from './pages/pageCommands.ts';
import type { PageOpeners } from './pages/openers.ts';
import { OpenPages } from './pages/kit/host/openPages.ts';
import type { OverviewPanel } from './pages/overview/host/panel.ts';
import { RememberedTicks } from './pages/overview/host/rememberedTicks.ts';
import type { TruncationPanel } from './pages/truncation/host/panel.ts';
import { AgeHistogramStore } from './rowsByAge/ageHistogramStore.ts';
import type { Startup } from './startup.ts';
import { registerTokenCommands } from './tokens/tokenCommands.ts';
import { createTokenStores } from './tokens/tokenLists.ts';
import { registerTruncationCommands } from './truncation/truncationCommands.ts';
import { reloadSharedStores } from './truncation/jobStore.ts';
import type { TruncationRecord } from './truncation/sentTruncation.ts';
import { createTruncations, followTruncations, truncationsThere } from './truncation/truncations.ts';
import { settings } from './ui/settings.ts';
import { CommandRegistry } from './ui/commandRegistry.ts';
import { Log } from './ui/log.ts';
import { Notices } from './ui/notices.ts';

export function createFeatures(context: vscode.ExtensionContext, startup: Startup, view: ExplorerTreeView) {
  const stores = createStores(context, startup);
  const views = createViews(context, view, stores);
  const { store, credentials, services, tokens, indexLists, truncations, log } = stores;
  const { explorer, followed, pages } = views;
  // The first list tells what the user may do.
  tokens.tokenLists.onDidChange(() => startup.statusItem.update());
  // In reverse order of need; the log last.
  const shown = [explorer, followed, pages.truncations, pages.overviews];
  const stored = [truncations, truncations.watch, truncations.jobs, indexLists, tokens.tokenLists];
  return {
    commands: registerCommands(context, stores, views),
    explorer,
    loadPages: views.loadPages,
    mayRotate: (connection: Connection) => mayRotate(services, connection),
    /** Reads again what other windows may have stored. Never throws. */
    reload: async () => {
      await reloadSharedStores({ store, credentials, jobs: truncations.jobs });
      await Promise.all([tokens.memory.reload(), indexLists.reloadAdded()]);
      explorer.drawOutdatedRows();
    },
    dispose: () => [...shown, ...stored, services, credentials, log].forEach((one) => void one.dispose()),
  };
}

/** Builds the stores and services, which need no view. */
function createStores(context: vscode.ExtensionContext, { folders, shared, store, clipboard }: Startup) {
  const log = new Log();
  const credentials = new CredentialStore(context.secrets, store, systemClock);
  const services = new ServicePool(store, credentials, shared, {
    timeoutMillis: settings.requestTimeoutMillis,
    network: systemNetworkOf(context.extension.packageJSON.version, remoteBeside()),
    log,
  });
  const connections = { store, credentials, services };
  const tokens = createTokenStores(connections, folders, shared);
  const indexLists = new IndexLists(store, credentials, services, folders, shared);
  return {
    ...connections,
    tokens,
    indexLists,
    truncations: createTruncations({ ...connections, indexLists, folders, clock: systemClock }),
    rowsByAge: new AgeHistogramStore(shared),
    rememberedTicks: new RememberedTicks(shared),
    expandedRows: new ExpandedRows(context.workspaceState),
    log,
    notices: new Notices(log),
    clipboard,
  };
}

type Stores = ReturnType<typeof createStores>;

/** The tree, the pages, and what is said where neither shows it. */
function createViews(context: vscode.ExtensionContext, view: ExplorerTreeView, stores: Stores) {
  const { store, tokens, truncations } = stores;
  const pages = { truncations: new OpenPages<TruncationPanel>(), overviews: new OpenPages<OverviewPanel>() };
  const followed = followTruncations(truncations, store, {
    isTreeVisible: () => view.isVisible,
    isOnPage: (id) => Object.values(pages).some((open) => open.isShowing(id)),
  });
  const importPages = async (): Promise<PageOpeners> => {
    const { createPageOpeners } = await import('./pages/openers.ts');
    const { extensionUri } = context;
    return createPageOpeners({ ...stores, ...truncations, ...pages, extensionUri, followed });
  };
  let loading: Promise<PageOpeners> | undefined;
  return {
    explorer: new Explorer({ ...stores, ...tokens, ...truncations, view }),
    pages,
    followed,
    loadPages: (): Promise<PageOpeners> => (loading ??= importPages()),
  };
}

type Views = ReturnType<typeof createViews>;

function registerCommands(context: vscode.ExtensionContext, stores: Stores, views: Views): CommandRegistry {
  const { tokens, indexLists, rowsByAge, expandedRows, rememberedTicks, log } = stores;
  const { jobs } = stores.truncations;
  const { explorer, followed, loadPages } = views;
  const commands = new CommandRegistry(stores.notices);
  const remembering = [tokens.memory, indexLists, jobs, rowsByAge, expandedRows, rememberedTicks];
  registerExplorerCommands(commands, explorer);
  registerCopyFailureDetails(commands, stores, context.extension.packageJSON.version);
  registerConnectionCommands(commands, {
    ...stores,
    forgetConnection: async (id) => {
      await Promise.all(remembering.map((one) => one.forgetConnection(id)));
    },
    uncopiedTokens: (id) => tokens.held.uncopiedCount(id),
    truncationsThere: (id) => truncationsThere(jobs, systemClock, id),
    reloadRows: (id) => explorer.refresh(id),
    showRow: (id) => explorer.showConnection(id),
  });
  registerTokenCommands(commands, { ...stores, ...tokens });
  registerOpenTerminal(commands, { ...stores, ...tokens });
  registerIndexCommands(commands, stores);
  registerCopyRequest(commands, stores);
  registerPageCommands(commands, stores, loadPages);
  const showRecord = async (record: TruncationRecord): Promise<void> => (await loadPages()).showTruncation(record);
  registerTruncationCommands(commands, { ...stores, jobs, followed, showRecord });
  const showDocument = async (name: string): Promise<void> => {
    const document = vscode.Uri.joinPath(context.extensionUri, 'docs', name);
    await vscode.commands.executeCommand('markdown.showPreview', document);
  };
  commands.handle(COMMANDS.helpGuide, () => showDocument('guide.md'));
  commands.handle(COMMANDS.helpTroubleshooting, () => showDocument('troubleshooting.md'));
  commands.handle(COMMANDS.logShow, () => log.show());
  return commands;
}
