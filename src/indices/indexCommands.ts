/** Commands to add, forget, copy, export and sort time series indices. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language, plural } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { forConnection } from '../connections/forConnection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { COMMANDS } from '../manifest.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import { singleStep, askPick } from '../ui/inputSteps.ts';
import { offerToOpen } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import { saveFile } from '../ui/saveFile.ts';
import { indexSizesAsCsv, indexSizesAsJson, exportFileName } from './exportSizes.ts';
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
  /** Folder of the last export. */
  let lastFolder: vscode.Uri | undefined;

  commands.handle(
    COMMANDS.indexAdd,
    forConnection(store, l10n.t('Add Index'), async ({ id }, title) => {
      const target = await askIndexName(title);
      await (target && indexLists.addIndexName(id, target));
    }),
  );

  commands.handle(
    COMMANDS.indexForget,
    forConnection(store, l10n.t('Forget Added Index'), async (connection, title, clicked) => {
      const index = await pickIndex(indexLists, connection, clicked, title, { fits: ({ isAdded }) => isAdded });
      const name = index && indexNameOf(index);
      await (name && indexLists.forgetIndexName(connection.id, name));
    }),
  );

  commands.handle(
    COMMANDS.indexCopyName,
    forConnection(store, l10n.t('Copy Index Name'), async (connection, title, clicked) => {
      const index = await pickIndex(indexLists, connection, clicked, title);
      if (index !== undefined) {
        await clipboard.copy(index.indexName);
        notices.done(l10n.t('"{0}" copied', index.indexName));
      }
    }),
  );

  commands.handle(
    COMMANDS.indexExport,
    forConnection(store, l10n.t('Export Index Sizes'), async (connection, title) => {
      const list = indexLists.get(connection.id);
      await list.ensureTried();
      if (list.failure !== undefined) {
        throw list.failure;
      }
      const question = {
        title,
        fileName: exportFileName(connection.name, new Date()),
        folder: lastFolder,
        filters: { CSV: ['csv'], JSON: ['json'] },
        saveLabel: l10n.t('Export'),
      };
      const file = await saveFile(question, (format) =>
        format === 'json' ? indexSizesAsJson(list.indices) : indexSizesAsCsv(list.indices),
      );
      if (file !== undefined) {
        lastFolder = vscode.Uri.joinPath(file, '..');
        void offerToOpen(exportedText(list.indices.length), () => vscode.commands.executeCommand('vscode.open', file));
      }
    }),
  );

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

function exportedText(count: number): string {
  const number = formatsOf(language()).number(count);
  return plural(count, l10n.t('{0} index exported', number), l10n.t('{0} indices exported', number));
}
