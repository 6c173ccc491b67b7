/** A truncation that was sent: how far it is, what came of it, what to do next. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { TaskView } from '../protocol.ts';
import { icons } from '../../../webview/page/icons.ts';
import type { Page } from './page.ts';

export function taskSection(page: Page): TemplateResult | typeof nothing {
  const { task } = page.view;
  if (task === undefined) {
    return nothing;
  }
  return html`<section class="task" aria-labelledby="task-heading">
    ${outcome(task)} ${task.state === 'running' ? progress(page, task) : sizes(task)} ${failures(page, task)} ${facts(page, task)}
    ${
      task.state === 'running' || task.state === 'unknown'
        ? html`<button type="button" class="secondary" @click=${() => page.send('checkTask')}>${l10n.t('Check Now')}</button>`
        : nothing
    }
  </section>`;
}

/** The verdict is the heading: what one looks for first. */
function outcome({ state, sentence, next }: TaskView): TemplateResult {
  const text = html`<div>
    <h2 id="task-heading" tabindex="-1">${sentence}</h2>
    ${next === undefined ? nothing : html`<p>${next}</p>`}
  </div>`;
  switch (state) {
    case 'failed':
      return html`<div class="callout error">${icons.error}${text}</div>`;
    case 'unknown':
      return html`<div class="callout warning">${icons.warning}${text}</div>`;
    case 'finished':
      return html`<div class="callout done">${icons.done}${text}</div>`;
    default:
      return text;
  }
}

function sizes({ sizeBefore, sizeAfter }: TaskView): TemplateResult | typeof nothing {
  return sizeBefore === undefined && sizeAfter === undefined
    ? nothing
    : html`<dl class="figures">${fact(l10n.t('Size before'), sizeBefore)} ${fact(l10n.t('Size after'), sizeAfter)}</dl>`;
}

function progress(_: Page, { percent }: TaskView): TemplateResult {
  return html`<vscode-progress-bar
    aria-label=${l10n.t('Task progress')}
    .value=${percent}
    .indeterminate=${percent === undefined}
  ></vscode-progress-bar>`;
}

function failures(_: Page, task: TaskView): TemplateResult | typeof nothing {
  return task.failures.length === 0
    ? nothing
    : html`<h3>${l10n.t('Failures')}</h3>
        <ul>
          ${task.failures.map((failure) => html`<li class="quoted">${failure}</li>`)}
        </ul>`;
}

function facts({ formats, send }: Page, task: TaskView): TemplateResult {
  const id = (text: string): TemplateResult => html`<code id="task-id">${text}</code>
    <button type="button" class="secondary" aria-describedby="task-id" @click=${() => send('copyTaskId')}>${l10n.t('Copy')}</button>`;
  return html`<dl>
    ${fact(l10n.t('Task ID'), task.id === undefined ? undefined : id(task.id))} ${fact(l10n.t('Started'), formats.exactTime(task.startedAt))}
    ${fact(l10n.t('Ended'), task.endedAt === undefined ? undefined : formats.exactTime(task.endedAt))}
    ${task.state === 'running' ? fact(l10n.t('Size before'), task.sizeBefore) : nothing}
  </dl>`;
}

/** One name and its value, or nothing where the value is not known. */
function fact(name: string, value: string | TemplateResult | undefined): TemplateResult | typeof nothing {
  return value === undefined
    ? nothing
    : html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;
}
