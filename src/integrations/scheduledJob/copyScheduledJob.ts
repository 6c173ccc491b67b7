/** Copies a job that truncates regularly, as a shell script. Sends nothing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { headersLeftOut } from '../../connections/additionalHeaders.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ServicePool } from '../../connections/servicePool.ts';
import { indexNameText } from '../../indices/indexName.ts';
import { language } from '../../language.ts';
import { USUAL_OPERATIONS_PATH } from '../../service/server/operationsEndpoint.ts';
import { problemText } from '../../truncation/problem.ts';
import type { ReviewedIndex } from '../../truncation/dryRun.ts';
import type { Clipboard } from '../../ui/clipboard.ts';
import { formatsOf } from '../../ui/formats.ts';
import { offerToOpen, showWarning } from '../../ui/messages.ts';
import { jobIndices, type JobIndex } from './jobLimits.ts';
import { shellScript } from './shellScript.ts';

interface ScheduledJobParts {
  readonly extensionUri: vscode.Uri;
  readonly services: Pick<ServicePool, 'get'>;
  readonly clipboard: Clipboard;
}

/** @param reviewed At least one. */
export async function copyScheduledJob(
  connection: Connection,
  reviewed: readonly ReviewedIndex[],
  { extensionUri, services, clipboard }: ScheduledJobParts,
): Promise<void> {
  const found = jobIndices(reviewed);
  if ('sentence' in found) {
    void showWarning(problemText(found));
    return;
  }
  const template = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'media', 'truncate.sh'));
  const operationsPath = services.get(connection).server.operationsPath ?? USUAL_OPERATIONS_PATH;
  const target = { baseUrl: connection.baseUrl, operationsPath, indices: found.indices };
  const script = shellScript(new TextDecoder().decode(template), target);
  await clipboard.copy(script);
  const said = [copiedText(connection, found.indices), ...headersLeftOut(connection)].join(' ');
  void offerToOpen(said, script, 'shellscript');
}

/** Says what each run does. */
function copiedText(connection: Connection, indices: readonly JobIndex[]): string {
  const { duration } = formatsOf(language());
  const byAge = [...Map.groupBy(indices, ({ days }) => days)].map(([days, same]) =>
    // {0} is a list of indices, {1} a time such as "90 days".
    l10n.t('{0} older than {1}', namesText(same), duration(days, 'day')),
  );
  return l10n.t(
    'Copied a shell script for "{0}" ({1}). Each run counts the rows, and deletes them only with EXECUTE=yes. Read the script first.',
    connection.name,
    byAge.join('; '),
  );
}

function namesText(indices: readonly JobIndex[]): string {
  return indices.map(indexNameText).join(', ');
}
