/** Commands to add, forget, copy, export and sort time series indices. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { handleForConnection } from '../connections/forConnection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { COMMANDS } from '../manifest.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import { singleStep, askPick } from '../ui/inputSteps.ts';
import { offerToOpen } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import { indexSizesAsCsv } from './exportSizes.ts';
import type { IndexLists } from './indexLists.ts';
import type { IndexListOrder } from './indexList.ts';
import { askIndexName, pickIndex } from './pickIndex.ts';
import { indexNameOf } from './indexName.ts';

interface IndexCommandParts {
  readonly store: ConnectionStore;
  readonly indexLists: IndexLists;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}

export function registerIndexCommands(commands: CommandRegistry, parts: IndexCommandParts): void {
  const { store, indexLists, clipboard, notices } = parts;
  const handle = handleForConnection(commands, store);

  handle(COMMANDS.indexAdd, l10n.t('Add Index'), async ({ id }, title) => {
    const target = await askIndexName(title);
    await (target && indexLists.addIndexName(id, target));
  });

  handle(COMMANDS.indexForget, l10n.t('Forget Added Index'), async (connection, title, clicked) => {
    const index = await pickIndex(indexLists, connection, clicked, title, { fits: ({ isAdded }) => isAdded });
    const name = index && indexNameOf(index);
    await (name && indexLists.forgetIndexName(connection.id, name));
  });

  handle(COMMANDS.indexCopyName, l10n.t('Copy Index Name'), async (connection, title, clicked) => {
    const index = await pickIndex(indexLists, connection, clicked, title);
    if (index !== undefined) {
      await clipboard.copy(index.indexName);
      notices.done(l10n.t('"{0}" copied', index.indexName));
    }
  });

  handle(COMMANDS.indexExport, l10n.t('Copy Index Sizes as CSV'), async ({ id }) => {
    const list = indexLists.get(id);
    await list.ensureTried();
    if (list.failure !== undefined) {
      throw list.failure;
    }
    const sizes = indexSizesAsCsv(list.indices);
    await clipboard.copy(sizes);
    void offerToOpen(l10n.t('Copied'), sizes, 'csv');
  });

  commands.handle(COMMANDS.indexSort, () => chooseOrder(indexLists));
}

async function chooseOrder(indexLists: IndexLists): Promise<void> {
  const items: (vscode.QuickPickItem & { readonly order: IndexListOrder })[] = [
    { label: l10n.t('Largest First'), order: 'size' },
    { label: l10n.t('By Name'), order: 'name' },
  ];
  const answer = await askPick(singleStep(l10n.t('Sort Indices')), {
    items,
    active: items.find(({ order }) => order === indexLists.order),
    placeholder: l10n.t('Select the order'),
  });
  if (answer.kind === 'value') {
    await indexLists.changeOrder(answer.value.order);
  }
}
