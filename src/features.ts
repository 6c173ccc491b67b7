/** Builds the features in the order in which they need each other. Loaded with the first view, command or page, or to migrate. */
import * as vscode from 'vscode';
import { registerConnectionCommands } from './connections/connectionCommands.ts';
import type { ConnectionStore } from './connections/connectionStore.ts';
import { registerCopyFailureDetails } from './connections/copyFailureDetails.ts';
import { CredentialStore } from './connections/credentialStore.ts';
import { ServicePool } from './connections/servicePool.ts';
import { remoteBeside } from './connections/whereItRuns.ts';
import { ExpandedRows } from './explorer/expandedRows.ts';
import { Explorer, registerExplorerCommands } from './explorer/explorer.ts';
import type { ExplorerTreeView } from './explorer/explorerView.ts';
import { registerIndexCommands } from './indices/indexCommands.ts';
import { IndexLists } from './indices/indexLists.ts';
import { registerCopyRequest } from './integrations/copyRequest.ts';
import { registerOpenTerminal } from './integrations/openTerminal.ts';
import { TerminalTokens } from './integrations/terminalTokens.ts';
import { COMMANDS } from './manifest.ts';
import type { Folders } from './platform/folder.ts';
import type { Memento } from './platform/storage.ts';
import { systemClock } from './time.ts';
import { systemNetworkOf } from './service/http/network.ts';
import { registerPageCommands } from './pages/commands.ts';
import type { PageOpeners } from './pages/openers.ts';
import { OpenPages } from './pages/kit/host/openPages.ts';
import type { OverviewPanel } from './pages/overview/host/panel.ts';
import { RememberedTicks } from './pages/overview/host/rememberedTicks.ts';
import type { TruncationPanel } from './pages/truncation/host/panel.ts';
import { AgeHistogramStore } from './rowsByAge/ageHistogramStore.ts';
import { registerTokenCommands } from './tokens/tokenCommands.ts';
import { createTokenStores } from './tokens/tokenLists.ts';
import { registerTruncationCommands } from './truncation/commands.ts';
import { reloadSharedStores } from './truncation/jobStore.ts';
import type { TruncationRecord } from './truncation/record.ts';
import { createTruncations, followTruncations, truncationsThere } from './truncation/truncations.ts';
import { settings } from './ui/settings.ts';
import type { Clipboard } from './ui/clipboard.ts';
import { CommandRegistry } from './ui/commands.ts';
import { registerHelp } from './ui/help.ts';
import { Log } from './ui/log.ts';
import { Notices } from './ui/notices.ts';

export { migrate } from './migrate.ts';

/** The parts that exist since startup. */
interface StartupParts {
  readonly folders: Folders;
  /** VS Code's global state. */
  readonly shared: Memento;
  readonly store: ConnectionStore;
  readonly clipboard: Clipboard;
  readonly explorer: ExplorerTreeView;
}

export function createFeatures(context: vscode.ExtensionContext, startup: StartupParts) {
  const { folders, shared, store } = startup;
  const clock = systemClock;
  const log = new Log();
  const notices = new Notices(log);
  const commands = new CommandRegistry(notices);
  const ui = { log, notices, commands, clipboard: startup.clipboard };
  const credentials = new CredentialStore(context.secrets, store, clock);
  const services = new ServicePool(store, credentials, shared, {
    timeoutMillis: settings.requestTimeoutMillis,
    network: systemNetworkOf(context.extension.packageJSON.version, remoteBeside()),
    log,
  });
  const connections = { store, credentials, services };
  const tokens = createTokenStores(connections, folders, shared);
  const terminalTokens = new TerminalTokens({ ...connections, ...tokens, log });
  const indexLists = new IndexLists(store, credentials, services, folders, shared);
  const truncations = createTruncations({ ...connections, indexLists, folders, clock });
  const { jobs, watch } = truncations;
  const rowsByAge = new AgeHistogramStore(shared);
  const rememberedTicks = new RememberedTicks(shared);
  const expandedRows = new ExpandedRows(context.workspaceState);
  const isTreeVisible = () => startup.explorer.isVisible;
  const pages = { truncations: new OpenPages<TruncationPanel>(), overviews: new OpenPages<OverviewPanel>() };
  const importPages = async (): Promise<PageOpeners> => {
    const { createPageOpeners } = await import('./pages/openers.ts');
    return createPageOpeners({
      ...connections,
      ...ui,
      ...truncations,
      extensionUri: context.extensionUri,
      indexLists,
      rowsByAge,
      followed,
      rememberedTicks,
      isTreeVisible,
      ...pages,
    });
  };
  let loading: Promise<PageOpeners> | undefined;
  const loadPages = (): Promise<PageOpeners> => (loading ??= importPages());
  const lists = { store, indexLists };
  registerPageCommands(commands, lists, pages.truncations, loadPages);
  const followed = followTruncations(
    truncations,
    store,
    (id) => isTreeVisible() || Object.values(pages).some((open) => open.isShowing(id)),
  );
  const forgetConnection = async (id: string): Promise<void> => {
    const remembering = [tokens.memory, indexLists, jobs, rowsByAge, expandedRows, rememberedTicks];
    await Promise.all(remembering.map((one) => one.forgetConnection(id)));
  };
  const explorer = new Explorer({
    ...connections,
    ...tokens,
    indexLists,
    jobs,
    watch,
    view: startup.explorer,
    expandedRows,
  });

  registerExplorerCommands(commands, explorer);
  registerCopyFailureDetails(commands, { ...connections, ...ui }, context.extension.packageJSON.version);
  registerConnectionCommands(commands, {
    ...connections,
    ...ui,
    forgetConnection,
    uncopiedTokens: (id) => tokens.held.uncopiedCount(id),
    truncationsThere: (id) => truncationsThere(jobs, clock, id),
    reloadRows: (id) => explorer.refresh(id),
    showRow: (id) => explorer.showConnection(id),
  });
  registerTokenCommands(commands, { ...connections, ...tokens, ...ui });
  registerOpenTerminal(commands, { ...connections, ...tokens, ...ui, terminalTokens });
  registerIndexCommands(commands, { store, indexLists, ...ui });
  registerCopyRequest(commands, { store, services, indexLists, ...ui });
  const showRecord = async (record: TruncationRecord): Promise<void> => (await loadPages()).showTruncation(record);
  registerTruncationCommands(commands, { store, jobs, followed, showRecord, ...ui });
  registerHelp(commands, context.extensionUri);
  commands.handle(COMMANDS.logShow, () => log.show());

  // In reverse order of need; the log last.
  const views = [explorer, followed, pages.truncations, pages.overviews, terminalTokens];
  const stores = [truncations, watch, jobs, indexLists, tokens.tokenLists, services, credentials];
  return {
    commands,
    explorer,
    loadPages,
    /** Reads again what other windows may have stored. Never throws. */
    reload: async () => {
      await reloadSharedStores({ store, credentials, jobs });
      await Promise.all([tokens.memory.reload(), indexLists.reloadAdded()]);
      explorer.drawOutdatedRows();
    },
    dispose: () => [...views, ...stores, log].forEach((one) => void one.dispose()),
  };
}
