/** Builds the parts in the order in which they need each other. No network and no secret is touched here. */
import * as vscode from 'vscode';
import { registerConnectionCommands } from './connections/connectionCommands.ts';
import { finishRemovals } from './connections/removal.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { ServicePool } from './connections/servicePool.ts';
import { CredentialStore } from './connections/credentialStore.ts';
import { Explorer, registerExplorerCommands } from './explorer/explorer.ts';
import { IndexLists } from './indices/indexLists.ts';
import { registerIndexCommands } from './indices/indexCommands.ts';
import { createApi } from './integrations/api.ts';
import type { Api } from './integrations/api.ts';
import { registerCopyRequest } from './integrations/copyRequest.ts';
import { COMMANDS } from './manifest.ts';
import { durableFolder } from './platform/durableFolder.ts';
import { SteadyMemento } from './platform/steadyMemento.ts';
import { systemClock } from './service/clock.ts';
import { systemNetwork } from './service/http/transport.ts';
import { CreatedTokens } from './tokens/createdTokens.ts';
import { SupersededTokens } from './tokens/supersededTokens.ts';
import { TokenLists } from './tokens/tokenLists.ts';
import { registerTokenCommands } from './tokens/tokenCommands.ts';
import { FollowedTruncations } from './truncation/follow.ts';
import { notifyRunning, tellEnd } from './truncation/notifications.ts';
import { reloadStored } from './truncation/reloadStored.ts';
import { DraftStore } from './truncation/draftStore.ts';
import { TaskWatch } from './truncation/watch.ts';
import { runFactory } from './truncation/runFactory.ts';
import { registerTruncationCommands } from './truncation/commands.ts';
import { targetOf } from './truncation/model/plan.ts';
import { hidesRows, statusOf } from './truncation/model/record.ts';
import type { TruncationRecord } from './truncation/model/record.ts';
import { TruncationStore } from './truncation/truncationStore.ts';
import { WizardPanels } from './truncation/wizard/host/panels.ts';
import { Clipboard } from './ui/clipboard.ts';
import { Commands } from './ui/commands.ts';
import { useLanguage } from './language.ts';
import { Log } from './ui/log.ts';
import { showWarning } from './ui/messages.ts';
import { Notices } from './ui/notices.ts';
import { showConnectionInUse } from './connections/statusBar.ts';
import { settings } from './ui/settings.ts';
import { onWindowFocus } from './ui/windowFocus.ts';

export function activate(context: vscode.ExtensionContext): Api {
  useLanguage(vscode.env.language, vscode.l10n.bundle);
  const log = new Log();
  const notices = new Notices(log);
  const commands = new Commands(notices, log);

  const shared = new SteadyMemento(context.globalState);
  const clock = systemClock;
  const clipboard = new Clipboard({
    system: vscode.env.clipboard,
    memory: shared,
    clock,
    clearMillis: settings.clipboardClearMillis,
    isFocused: () => vscode.window.state.focused,
    tellWithheld: () =>
      void showWarning(vscode.l10n.t("Couldn't clear the clipboard. Copy something else to replace the token.")),
  });
  const folder = durableFolder(vscode.Uri.joinPath(context.globalStorageUri, 'records').fsPath);
  const store = new ConnectionStore(shared, context.workspaceState, folder, clock);
  const credentials = new CredentialStore(context.secrets, shared, folder, clock);
  const services = new ServicePool(store, credentials, shared, {
    timeoutMillis: settings.requestTimeoutMillis,
    network: systemNetwork,
    log,
  });

  const created = new CreatedTokens(shared);
  const superseded = new SupersededTokens(shared);
  const tokenLists = new TokenLists(store, credentials, services, created, superseded);
  const indexLists = new IndexLists(store, credentials, services, shared);
  const records = new TruncationStore(shared, folder, clock);
  const drafts = new DraftStore(context.workspaceState);
  const watch = new TaskWatch(records, services, store, clock, ({ connectionId, plan }) =>
    indexLists.get(connectionId).sizeNow(plan),
  );
  const newRun = runFactory({
    store,
    credentials,
    services,
    indexLists,
    records,
    drafts,
    log,
    concluded: (record) => followed.concluded(record),
  });
  const wizards = new WizardPanels({
    extensionUri: context.extensionUri,
    store,
    services,
    indexLists,
    records,
    drafts,
    newRun,
    watch,
    clipboard,
    notices,
    log,
  });

  const nameOf = ({ connectionId }: TruncationRecord): string => store.get(connectionId)?.name ?? '';
  const followed = new FollowedTruncations({
    watch,
    records,
    isShowing: (recordId) => wizards.isShowing(recordId),
    onDidChangeShowing: wizards.onDidChangeShowing,
    notify: (record, dismissed) => notifyRunning(record, nameOf(record), watch, dismissed),
    tell: (record) => tellEnd(record, nameOf(record), records.get(record.connectionId, record.id) !== undefined),
    clock,
  });

  const credentialTokenId = (id: string): string | undefined => store.get(id)?.credentialTokenId;
  const forgetConnection = async (id: string): Promise<void> => {
    await Promise.all([
      created.forgetConnection(id),
      superseded.forgetConnection(id),
      indexLists.forgetConnection(id),
      records.forgetConnection(id),
      drafts.forgetConnection(id),
    ]);
  };
  const explorer = new Explorer({
    store,
    credentials,
    tokenLists,
    created,
    superseded,
    indexLists,
    records,
    watch,
    credentialTokenId,
    finishRemovals: () => finishRemovals({ store, credentials, services, forgetConnection }),
  });

  registerExplorerCommands(commands, explorer, { store, clipboard });
  registerConnectionCommands(commands, {
    store,
    credentials,
    services,
    notices,
    clipboard,
    truncationsThere: async (id) => {
      await records.load();
      const there = records.of(id);
      return {
        running: there.filter((record) => statusOf(record, clock.now()) === 'running').length,
        hiding: there.filter(hidesRows).map(({ plan }) => targetOf(plan)),
      };
    },
    forgetConnection,
  });
  registerTokenCommands(commands, {
    store,
    credentials,
    services,
    tokenLists,
    created,
    superseded,
    clipboard,
    notices,
  });
  registerIndexCommands(commands, { store, indexLists, clipboard, notices });
  registerCopyRequest(commands, { store, services, indexLists, clipboard });
  registerTruncationCommands(commands, { store, indexLists, records, newRun, wizards, followed, clipboard, notices });
  commands.register(COMMANDS.logShow, () => log.show());

  const focus = onWindowFocus(() => {
    void reloadStored({ store, credentials, records });
    void clipboard.clearDue();
  });
  void clipboard.clearDue();
  // Disposed in reverse order of need; the log last.
  const disposables = [
    focus,
    showConnectionInUse(store),
    explorer,
    followed,
    wizards,
    watch,
    records,
    indexLists,
    tokenLists,
    services,
    credentials,
    store,
    commands,
    clipboard,
    log,
  ];
  context.subscriptions.push(new vscode.Disposable(() => disposables.forEach((one) => void one.dispose())));
  return createApi(store, context.extensionMode === vscode.ExtensionMode.Test ? { explorer, context } : {});
}
