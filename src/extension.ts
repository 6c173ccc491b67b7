/** Builds the parts in the order in which they need each other. No network and no secret is touched here. */
import * as vscode from 'vscode';
import { registerConnectionCommands } from './connections/connectionCommands.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { CredentialStore } from './connections/credentialStore.ts';
import { finishRemovals } from './connections/removal.ts';
import { ServicePool } from './connections/servicePool.ts';
import { showConnectionInUse } from './connections/statusBar.ts';
import { Explorer, registerExplorerCommands } from './explorer/explorer.ts';
import { registerIndexCommands } from './indices/indexCommands.ts';
import { IndexLists } from './indices/indexLists.ts';
import { createApi } from './integrations/api.ts';
import type { ExtensionApi } from './integrations/api.ts';
import { registerCopyRequest } from './integrations/copyRequest.ts';
import { useLanguage } from './language.ts';
import { COMMANDS } from './manifest.ts';
import { durableFolder } from './platform/durableFolder.ts';
import type { DurableFolder } from './platform/durableFolder.ts';
import { SteadyMemento } from './platform/memento.ts';
import { systemClock } from './service/clock.ts';
import { systemNetwork } from './service/http/transport.ts';
import { registerOverview } from './overview/host/commands.ts';
import { AgeHistogramStore } from './rowsByAge/ageHistogramStore.ts';
import type { PageOpeners } from './pages.ts';
import { registerTokenCommands } from './tokens/tokenCommands.ts';
import { createTokenStores } from './tokens/tokens.ts';
import { registerTruncationCommands } from './truncation/commands.ts';
import { reloadSharedStores } from './truncation/sharedStores.ts';
import type { TruncationRecord } from './truncation/record.ts';
import { createTruncations, followTruncations, truncationsThere } from './truncation/truncations.ts';
import { settings } from './ui/settings.ts';
import { createUserInterface, onWindowFocus } from './ui/userInterface.ts';
import { registerWizard } from './wizard/host/commands.ts';
import { DraftStore } from './wizard/host/draftStore.ts';

export function activate(context: vscode.ExtensionContext): ExtensionApi {
  useLanguage(vscode.env.language, vscode.l10n.bundle);
  const clock = systemClock;
  const shared = new SteadyMemento(context.globalState);
  const workspace = context.workspaceState;
  const storage = (name: string): DurableFolder =>
    durableFolder(vscode.Uri.joinPath(context.globalStorageUri, name).fsPath);
  const folder = storage('records');

  const ui = createUserInterface(shared, clock);
  const { log, commands, clipboard } = ui;
  const credentials = new CredentialStore(context.secrets, shared, folder, clock);
  const store = new ConnectionStore(shared, workspace, folder, clock);
  const services = new ServicePool(store, credentials, shared, {
    timeoutMillis: settings.requestTimeoutMillis,
    network: systemNetwork,
    log,
  });
  const connections = { store, credentials, services };
  const tokens = createTokenStores(connections, shared);
  const indexLists = new IndexLists(store, credentials, services, shared, storage('sizes'), (id) =>
    truncations.laterSizes.settled(id),
  );
  const truncations = createTruncations({ ...connections, indexLists, shared, folder, clock });
  const { records, watch } = truncations;
  const drafts = new DraftStore(workspace);
  const rowsByAge = new AgeHistogramStore(shared);
  let loading: Promise<PageOpeners> | undefined;
  const pages = (): Promise<PageOpeners> =>
    (loading ??= import('./pages.ts').then(({ createPageOpeners }) =>
      createPageOpeners({
        ...connections,
        ...ui,
        ...truncations,
        extensionUri: context.extensionUri,
        indexLists,
        drafts,
        rowsByAge,
        followed,
        shared,
        folder,
        clock,
      }),
    ));
  const lists = { store, indexLists };
  const wizards = registerWizard(commands, lists, async (registry) => (await pages()).openWizards(registry));
  const overviews = registerOverview(commands, store, async (registry) => (await pages()).openOverviews(registry));
  const followed = followTruncations(truncations, store, [wizards, overviews], clock);
  const forgetConnection = async (id: string): Promise<void> => {
    const batches = { forgetConnection: async () => (await overviews.opener()).forgetConnection(id) };
    const remembering = [tokens.created, tokens.superseded, indexLists, records, drafts, rowsByAge, batches];
    await Promise.all(remembering.map((one) => one.forgetConnection(id)));
  };
  const explorer = new Explorer({
    ...connections,
    ...tokens,
    indexLists,
    records,
    watch,
    credentialTokenId: (id) => store.get(id)?.credentialTokenId,
    finishRemovals: () => finishRemovals({ ...connections, forgetConnection }),
  });

  registerExplorerCommands(commands, explorer, { store, ...ui });
  registerConnectionCommands(commands, {
    ...connections,
    ...ui,
    forgetConnection,
    uncopiedTokens: (id) => tokens.created.heldSecretCount(id),
    truncationsThere: (id) => truncationsThere(records, clock, id),
  });
  registerTokenCommands(commands, { ...connections, ...tokens, ...ui });
  registerIndexCommands(commands, { store, indexLists, ...ui });
  registerCopyRequest(commands, { store, services, indexLists, ...ui });
  const showRecord = async (record: TruncationRecord): Promise<void> => (await wizards.opener()).showRecord(record);
  registerTruncationCommands(commands, { store, records, followed, showRecord, ...ui });
  commands.register(COMMANDS.logShow, () => log.show());

  const focus = onWindowFocus(() => {
    void reloadSharedStores({ store, credentials, records });
    void clipboard.clearDue();
  });
  void clipboard.clearDue();
  // Disposed in reverse order of need; the log last.
  const views = [focus, showConnectionInUse(store), explorer, followed, wizards, overviews];
  const stores = [truncations.laterSizes, watch, records, indexLists, tokens.tokenLists, services, credentials, store];
  const disposables = [...views, ...stores, commands, clipboard, log];
  context.subscriptions.push(new vscode.Disposable(() => disposables.forEach((one) => void one.dispose())));
  return createApi(store, context.extensionMode === vscode.ExtensionMode.Test ? { explorer, context } : {});
}
