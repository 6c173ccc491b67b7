/** A truncation that was sent: how far it is, what came of it, what to do next. */
import { html, nothing, type TemplateResult } from 'lit';
import type { TaskView } from '../protocol.ts';
import { icons } from '../../../webview/page/icons.ts';
import type { Page } from './page.ts';

export function taskSection(page: Page): TemplateResult | typeof nothing {
  const { words } = page;
  const { task } = page.view;
  if (task === undefined) {
    return nothing;
  }
  return html`<section class="task" aria-labelledby="task-heading">
    <h2 id="task-heading" tabindex="-1">${words.task}</h2>
    ${outcome(task)} ${task.state === 'running' ? progress(page, task) : nothing} ${failures(page, task)} ${facts(page, task)}
    ${task.state === 'running' || task.state === 'unknown'
      ? html`<button type="button" class="secondary" @click=${() => page.send('checkTask')}>${words.checkNow}</button>`
      : nothing}
  </section>`;
}

function outcome({ state, sentence, next }: TaskView): TemplateResult {
  const text = html`<div>
    <p>${sentence}</p>
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

function progress({ words }: Page, { percent }: TaskView): TemplateResult {
  return html`<vscode-progress-bar
    aria-label=${words.taskProgress}
    .value=${percent}
    .indeterminate=${percent === undefined}
  ></vscode-progress-bar>`;
}

function failures({ words }: Page, task: TaskView): TemplateResult | typeof nothing {
  return task.failures.length === 0
    ? nothing
    : html`<h3>${words.failures}</h3>
        <ul>
          ${task.failures.map((failure) => html`<li class="quoted">${failure}</li>`)}
        </ul>`;
}

function facts({ words, formats, send }: Page, task: TaskView): TemplateResult {
  const id = (text: string): TemplateResult => html`<code id="task-id">${text}</code>
    <button type="button" class="secondary" aria-describedby="task-id" @click=${() => send('copyTaskId')}>${words.copy}</button>`;
  return html`<dl>
    ${fact(words.taskId, task.id === undefined ? undefined : id(task.id))} ${fact(words.startedAt, formats.shortTime(task.startedAt))}
    ${fact(words.endedAt, task.endedAt === undefined ? undefined : formats.shortTime(task.endedAt))}
    ${fact(words.sizeBefore, task.sizeBefore)} ${fact(words.sizeAfter, task.sizeAfter)}
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
