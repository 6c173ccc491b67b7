/** A truncation that was sent: its progress, its outcome and the next step. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { secondaryButton } from '../../webview/page/buttons.ts';
import type { LocalizedFormats } from '../../ui/formats.ts';
import type { TaskView } from '../protocol.ts';
import { icons } from '../../webview/page/icons.ts';
import { signInButton } from './frame.ts';
import type { WizardPage } from './wizardPage.ts';
import type { WizardIntent } from './wizardLink.ts';

export function taskSection(page: WizardPage): TemplateResult | typeof nothing {
  const { task } = page.view;
  if (task === undefined) {
    return nothing;
  }
  return html`<section class="task" aria-labelledby="task-heading">
    ${outcomeCallout(page, task)} ${task.state === 'running' ? progressBar(page, task) : nothing}
    ${task.lastLook === undefined ? nothing : html`<p class="help">${task.lastLook}</p>`} ${mergeAdvice(page, task)}
    ${failureList(page, task)} ${taskFacts(page, task)}
    <div class="buttons">${task.canCheck ? secondaryButton(l10n.t('Check Now'), () => page.send('checkTask')) : nothing}
    ${requestButtons(page, task)} ${task.state === 'running' ? nothing : receiptButtons(page)}</div>
  </section>`;
}

/** The outcome is the heading, because users look for it first. */
function outcomeCallout(
  { send }: WizardPage,
  { state, sentence, next, isTrouble, isSignedOut }: TaskView,
): TemplateResult {
  const text = html`<div>
    <h2 id="task-heading" tabindex="-1">${sentence}</h2>
    ${next === undefined ? nothing : html`<p>${next}</p>`}
    ${isSignedOut === true ? html`<div class="buttons">${signInButton({ isSignedOut }, send)}</div>` : nothing}
  </div>`;
  switch (state) {
    case 'failed':
      return html`<div class="callout error">${icons.error}${text}</div>`;
    case 'unknown':
      return html`<div class="callout warning">${icons.warning}${text}</div>`;
    case 'finished':
      return html`<div class="callout done">${icons.done}${text}</div>`;
    case 'running':
      return isTrouble ? html`<div class="callout warning">${icons.warning}${text}</div>` : text;
  }
}

/** Only for an administrator of the cluster, because DataHub has no such operation. */
function mergeAdvice({ send }: WizardPage, { merge: request }: TaskView): TemplateResult | typeof nothing {
  return request === undefined
    ? nothing
    : html`<p>${request.advice}</p>
        <dl>${factRow(
          l10n.t('Request'),
          html`<code id="merge-request">${request.request}</code>
            ${secondaryButton(l10n.t('Copy Request'), () => send({ type: 'copyRequests', for: 'merge' }), 'merge-request')}`,
        )}</dl>`;
}

/** Buttons that copy requests for an administrator of the search cluster. */
function requestButtons({ send }: WizardPage, { requests }: TaskView): TemplateResult {
  const labels: Readonly<Record<TaskView['requests'][number], string>> = {
    repair: l10n.t('Copy Requests for Administrator'),
    cancel: l10n.t('Copy Cancel Request'),
    throttle: l10n.t('Copy Throttle Request'),
  };
  return html`${requests.map((kind) =>
    secondaryButton(labels[kind], () => send({ type: 'copyRequests', for: kind })),
  )}`;
}

/** The receipt as text for a ticket, or as a file. */
function receiptButtons({ send }: WizardPage): TemplateResult {
  const choices: readonly [string, WizardIntent][] = [
    [l10n.t('Copy Receipt'), { type: 'copyReceipt', format: 'markdown' }],
    [l10n.t('Copy Receipt as JSON'), { type: 'copyReceipt', format: 'json' }],
    // The dialog offers both formats.
    [l10n.t('Save Receipt…'), 'saveReceipt'],
  ];
  return html`${choices.map(([label, intent]) => secondaryButton(label, () => send(intent)))}`;
}

function progressBar(_: WizardPage, { percent, pace }: TaskView): TemplateResult {
  return html`<vscode-progress-bar
    aria-label=${l10n.t('Task progress')}
    .value=${percent}
    .indeterminate=${percent === undefined}
  ></vscode-progress-bar>
  ${pace === undefined ? nothing : html`<p>${pace}</p>`}`;
}

function failureList(_: WizardPage, task: TaskView): TemplateResult | typeof nothing {
  return task.failures.length === 0
    ? nothing
    : html`<h3>${l10n.t('Failures')}</h3>
        <ul>
          ${task.failures.map((failure) => html`<li class="quoted">${failure}</li>`)}
        </ul>`;
}

/** Without a response, it was sent but may not have started. */
function taskFacts({ formats, send }: WizardPage, task: TaskView): TemplateResult {
  const id = (text: string): TemplateResult => html`<code id="task-id">${text}</code>
    ${secondaryButton(l10n.t('Copy'), () => send('copyTaskId'), 'task-id')}`;
  return html`<dl>
    ${factRow(l10n.t('Task ID'), task.id === undefined ? undefined : id(task.id))}
    ${factRow(task.id === undefined ? l10n.t('Sent') : l10n.t('Started'), formats.exactTime(task.startedAt))}
    ${factRow(l10n.t('Ended'), task.endedAt === undefined ? undefined : formats.exactTime(task.endedAt))}
    ${factRow(l10n.t('Duration'), task.endedAt === undefined ? undefined : durationText(task.endedAt - task.startedAt, formats))}
    ${factRow(l10n.t('Size before'), task.sizeBefore)} ${factRow(l10n.t('Size later'), laterSizeText(task, formats))}
  </dl>`;
}

/** Shows when the size was measured, because the index may have grown since. */
function laterSizeText({ laterSize }: TaskView, formats: LocalizedFormats): string | undefined {
  return laterSize && l10n.t('{0}, as of {1}', laterSize.size, formats.exactTime(laterSize.at));
}

/** Uses the largest unit that isn't too coarse. At least a second. */
function durationText(millis: number, formats: LocalizedFormats): string {
  const seconds = Math.max(1, Math.round(millis / 1_000));
  if (seconds < 2 * 60) {
    return formats.duration(seconds, 'second');
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 2 * 60 ? formats.duration(minutes, 'minute') : formats.duration(Math.round(minutes / 60), 'hour');
}

/** A name with its value; nothing for an unknown value. */
function factRow(name: string, value: string | TemplateResult | undefined): TemplateResult | typeof nothing {
  return value === undefined
    ? nothing
    : html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;
}
