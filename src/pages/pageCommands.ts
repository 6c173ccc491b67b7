/** Registers the commands of both pages at the start. What they open is loaded with the first. */
import * as l10n from '@vscode/l10n';
import { handleForConnection } from '../connections/forConnection.ts';
import { isRowClick } from '../connections/pickConnection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { pickNamedIndex } from '../indices/pickIndex.ts';
import { COMMANDS } from '../manifest.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import type { PageOpeners } from './openers.ts';

/** @param load Called with each page that is opened. */
export function registerPageCommands(
  commands: CommandRegistry,
  { store, indexLists }: { readonly store: ConnectionStore; readonly indexLists: IndexLists },
  load: () => Promise<PageOpeners>,
): void {
  const handle = handleForConnection(commands, store);
  handle(COMMANDS.indexTruncate, l10n.t('Truncate Index'), async (connection, title, clicked) => {
    const target = await pickNamedIndex(indexLists, connection, clicked, title);
    await (target && (await load()).truncate(connection, target, !isRowClick(clicked)));
  });
  handle(COMMANDS.indexOverview, l10n.t('Time Series Indices'), async ({ id }) => (await load()).openOverview(id));
}
