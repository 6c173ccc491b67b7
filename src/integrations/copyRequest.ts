/** Copies a dry run of an index as a command line. */
import * as l10n from '@vscode/l10n';
import { indexNameOf } from '../indices/indexName.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { pickNamedIndex } from '../indices/pickIndex.ts';
import { COMMANDS } from '../manifest.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { DEFAULT_BATCH_SIZE } from '../truncation/plan.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { Commands } from '../ui/commands.ts';
import { showInformation } from '../ui/messages.ts';
import { dryRunAsCurl } from './curl.ts';

interface CopyRequestParts {
  readonly store: ConnectionStore;
  readonly services: ServicePool;
  readonly indexLists: IndexLists;
  readonly clipboard: Clipboard;
}

export function registerCopyRequest(commands: Commands, parts: CopyRequestParts): void {
  commands.handle(COMMANDS.indexCopyRequest, async (clicked) => {
    const picked = await pickNamedIndex(parts, clicked, l10n.t('Copy Dry Run as cURL'), false);
    const index = picked?.index && indexNameOf(picked.index);
    if (picked === undefined || index === undefined) {
      return;
    }
    const path = parts.services.get(picked.connection).capabilities.known.operationsPath ?? '/gms/operations';
    const plan = {
      ...index,
      endTimeMillis: Date.now() - 90 * MILLIS_PER_DAY,
      batchSize: DEFAULT_BATCH_SIZE,
      timeoutSeconds: undefined,
      strategy: 'server',
    } as const;
    await parts.clipboard.copy(dryRunAsCurl(picked.connection.baseUrl, path, plan));
    void showInformation(l10n.t('Copied a cURL dry run (older than 90 days). Set ACCESS_TOKEN before running it.'));
  });
}
