/** Copies a job that truncates regularly, as a shell script or as a Kubernetes CronJob. Sends nothing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { headersLeftOut } from '../../connections/additionalHeaders.ts';
import type { Connection } from '../../connections/connection.ts';
import type { ServicePool } from '../../connections/servicePool.ts';
import { indexNameText } from '../../indices/indexName.ts';
import { language } from '../../language.ts';
import { USUAL_OPERATIONS_PATH } from '../../service/server/operationsEndpoint.ts';
import { problemText } from '../../truncation/outcome.ts';
import type { ReviewedIndex } from '../../truncation/state.ts';
import type { Clipboard } from '../../ui/clipboard.ts';
import { formatsOf } from '../../ui/formats.ts';
import { askPick, singleStep } from '../../ui/inputSteps.ts';
import { showWarning } from '../../ui/messages.ts';
import { offerToOpen } from '../../ui/messages.ts';
import { cronJob } from './cronJob.ts';
import { jobIndices, type JobIndex } from './jobIndices.ts';
import { shellScript } from './shellScript.ts';

interface ScheduledJobParts {
  readonly extensionUri: vscode.Uri;
  readonly services: Pick<ServicePool, 'get'>;
  readonly clipboard: Clipboard;
}

type JobForm = 'script' | 'cronJob';

/** @param reviewed If empty, the user learns that a dry run is needed. */
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
  const form = await askForm();
  if (form === undefined) {
    return;
  }
  const template = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'media', 'truncate.sh'));
  const operationsPath = services.get(connection).server.operationsPath ?? USUAL_OPERATIONS_PATH;
  const target = { baseUrl: connection.baseUrl, operationsPath, indices: found.indices };
  const script = shellScript(new TextDecoder().decode(template), target);
  const job = form === 'script' ? script : cronJob(script);
  await clipboard.copy(job);
  const said = [copiedText(form, found.indices), ...headersLeftOut(connection)].join(' ');
  void offerToOpen(said, async () => {
    const document = { content: job, language: form === 'script' ? 'shellscript' : 'yaml' };
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(document));
  });
}

async function askForm(): Promise<JobForm | undefined> {
  const items: readonly { readonly label: string; readonly detail: string; readonly form: JobForm }[] = [
    { label: l10n.t('Shell Script'), detail: l10n.t('For cron or another scheduler'), form: 'script' },
    {
      label: l10n.t('Kubernetes CronJob'),
      detail: l10n.t('Runs the same script every day at 03:30 UTC'),
      form: 'cronJob',
    },
  ];
  const answer = await askPick(singleStep(l10n.t('Copy as Scheduled Job')), {
    items,
    placeholder: l10n.t('Select a format'),
  });
  return answer.kind === 'value' ? answer.value.form : undefined;
}

/** Says what each run does. */
function copiedText(form: JobForm, indices: readonly JobIndex[]): string {
  const { duration } = formatsOf(language());
  const byAge = [...Map.groupBy(indices, ({ days }) => days)].map(([days, same]) =>
    // {0} is a list of indices, {1} a time such as "90 days".
    l10n.t('{0} older than {1}', namesText(same), duration(days, 'day')),
  );
  const rows = byAge.join('; ');
  return form === 'script'
    ? l10n.t(
        'Copied a shell script. Each run counts these rows, and deletes them only if EXECUTE is yes: {0}. Read the script first.',
        rows,
      )
    : l10n.t(
        'Copied a Kubernetes CronJob. Each run counts these rows, and deletes them only if EXECUTE is yes: {0}. Read it first.',
        rows,
      );
}

function namesText(indices: readonly JobIndex[]): string {
  return indices.map(indexNameText).join(', ');
}
