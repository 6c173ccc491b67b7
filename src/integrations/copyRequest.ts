/** Copies a dry run of an index as a command line. The token comes from an environment variable. */
import * as l10n from '@vscode/l10n';
import { TRUNCATE } from '../service/failure/privileges.ts';
import { indexNameProblem, indexNameText } from '../indices/indexName.ts';
import { headersLeftOut } from '../connections/additionalHeaders.ts';
import { handleForConnection } from '../connections/forConnection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { pickNamedIndex } from '../indices/pickIndex.ts';
import { COMMANDS } from '../manifest.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { DEFAULT_BATCH_SIZE } from '../truncation/plan.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import { showInformation } from '../ui/messages.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { loopbackHost, shellSafeAddress } from '../service/http/baseUrl.ts';
import { USUAL_OPERATIONS_PATH } from '../service/server/operationsEndpoint.ts';
import { truncationBody, type TruncationPlan } from '../service/indices/truncationRequest.ts';

interface CopyRequestParts {
  readonly store: ConnectionStore;
  readonly services: ServicePool;
  readonly indexLists: IndexLists;
  readonly clipboard: Clipboard;
}

export function registerCopyRequest(commands: CommandRegistry, parts: CopyRequestParts): void {
  const handle = handleForConnection(commands, parts.store);
  handle(COMMANDS.indexCopyRequest, l10n.t('Copy Dry Run as cURL'), async (connection, title, clicked) => {
    const target = await pickNamedIndex(parts.indexLists, connection, clicked, title);
    if (target === undefined) {
      return;
    }
    const { operationsPath, forceFlags } = parts.services.get(connection).server;
    const plan = {
      ...target,
      endTimeMillis: Date.now() - 90 * MILLIS_PER_DAY,
      batchSize: DEFAULT_BATCH_SIZE,
      timeoutSeconds: undefined,
      // As on the truncation page: sent with dryRun false, the server's own choice may hide every row (PROTOCOL.md §7.5).
      strategy: forceFlags === false ? 'server' : 'deleteByQuery',
    } as const;
    const path = operationsPath ?? USUAL_OPERATIONS_PATH;
    await parts.clipboard.copy(dryRunAsCurl(connection.baseUrl, path, plan));
    const copied = l10n.t(
      'Copied a cURL command for a dry run on "{0}" (rows older than 90 days). Set ACCESS_TOKEN before running it.',
      connection.name,
    );
    void showInformation([copied, ...headersLeftOut(connection)].join(' '));
  });
}

/**
 * Always a dry run: a copied command must not delete.
 * @param path Path of the operations endpoint on this server.
 * @throws ServiceFailure `badRequest` for an invalid name. The target shell and its quoting are unknown,
 * so nothing that any shell interprets is allowed.
 */
export function dryRunAsCurl(baseUrl: string, path: string, plan: TruncationPlan): string {
  const problem = indexNameProblem(plan.entityType) ?? indexNameProblem(plan.aspect);
  if (problem !== undefined) {
    throw new ServiceFailure('badRequest', l10n.t('"{0}" can\'t be copied as a command line.', indexNameText(plan)), {
      next: problem,
    });
  }
  const body = JSON.stringify(
    truncationBody({ ...plan, entityType: plan.entityType.trim(), aspect: plan.aspect.trim() }, true),
  );
  const host = loopbackHost(baseUrl);
  return [
    // On standard input, since every user can see the arguments of a process. No settings of curl apply.
    'echo "Authorization: Bearer $ACCESS_TOKEN" | curl -q --header @-',
    ...(host === undefined ? [] : [`  --noproxy ${host}`]),
    `  --request POST '${shellSafeAddress(baseUrl + path)}?action=${TRUNCATE.name}'`,
    "  --header 'Content-Type: application/json'",
    `  --data '${body}'`,
  ].join(' \\\n');
}
