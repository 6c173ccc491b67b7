/** The stages of the page: choosing a plan, reviewing its dry run, and the outcome once it was sent. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { DEFAULT_BATCH_SIZE } from '../../../truncation/plan.ts';
import { strategyTexts } from '../../../truncation/texts/strategyTexts.ts';
import {
  button,
  calloutBox,
  failureNotice,
  foldedDetails,
  icons,
  optionalParagraph,
  problemId,
  problemLine,
  signInButton,
  taskProgress,
} from '../../kit/page/elements.ts';
import { rowFigures } from '../../kit/page/rowFigures.ts';
import type { DryRunReportView, OutcomeView, TruncationPageView } from '../protocol.ts';
import { cutoffQuestion } from './cutoffFields.ts';
import { cancelButton, primaryButton, progressLine, type Stage, type TruncationPageModel } from './frame.ts';
import { rowsByAgeSection } from './ageChart.ts';

export const STAGES: Readonly<Record<Stage, (page: TruncationPageModel) => TemplateResult>> = {
  choose: chooseStage,
  review: reviewStage,
  outcome: outcomeStage,
};

function chooseStage(page: TruncationPageModel): TemplateResult {
  return html`${cutoffQuestion(page)} ${failureNotice(page)} ${indexFacts(page)} ${rowsByAgeSection(page)}
    ${advancedFields(page)}`;
}

function indexFacts({ view, formats }: TruncationPageModel): TemplateResult {
  return html`<div class="where stack">
    <dl>
      <div>
        <dt>${l10n.t('Size')}</dt>
        <dd>${view.indexBytes === undefined ? l10n.t('Unknown') : formats.size(view.indexBytes)}</dd>
      </div>
      <div>
        <dt>${l10n.t('Acting as')}</dt>
        <dd><bdi>${view.connection.actor || l10n.t('Unknown')}</bdi></dd>
      </div>
    </dl>
  </div>`;
}

/** Folded fields for batch size, timeout and any strategy. */
function advancedFields(page: TruncationPageModel): TemplateResult {
  const { view, formats } = page;
  // Unfold problems, so that they can be seen and focused.
  const open =
    page.advancedOpen ||
    page.visibleProblem('batchSize') !== undefined ||
    page.visibleProblem('timeoutSeconds') !== undefined;
  return html`<details
    class="folded"
    .open=${open}
    @toggle=${({ target }: Event & { target: HTMLDetailsElement }) => (page.advancedOpen = target.open)}
  >
    <summary>${icons.chevron}<h2>${l10n.t('Advanced')}</h2></summary>
    ${numberField(
      page,
      'batchSize',
      l10n.t('Batch size'),
      l10n.t('Rows deleted per batch. If empty: {0}.', formats.number(DEFAULT_BATCH_SIZE)),
    )}
    ${numberField(
      page,
      'timeoutSeconds',
      l10n.t('Timeout in seconds'),
      l10n.t(
        'On PostgreSQL, stops the deletion after this time. On Elasticsearch and OpenSearch, only limits the wait for unavailable shards.',
      ),
    )}
    ${view.canChooseStrategy ? strategyField(page) : nothing}
  </details>`;
}

/** A text field: number fields drop invalid text and react to the wheel. */
function numberField(
  page: TruncationPageModel,
  name: 'batchSize' | 'timeoutSeconds',
  label: string,
  help: string,
): TemplateResult {
  const problem = page.visibleProblem(name);
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input
      id=${name}
      class="short"
      type="text"
      inputmode="numeric"
      autocomplete="off"
      maxlength="32"
      aria-describedby="${problemId(name, problem)} ${name}-help"
      aria-invalid=${problem !== undefined}
      ?readonly=${!page.editable}
      .value=${page.draft[name]}
      @input=${({ target }: InputEvent & { target: HTMLInputElement }) => page.edit({ [name]: target.value })}
      @focusout=${() => page.leaveField(name)}
    />
    ${problemLine(name, problem)}
    <p class="help" id="${name}-help">${help}</p>
  </div>`;
}

function strategyField(page: TruncationPageModel): TemplateResult {
  const { draft, editable } = page;
  const choices: readonly [typeof draft.strategy, string][] = [
    ['deleteByQuery', l10n.t('Delete by query (recommended): rows are deleted in place; the others stay searchable')],
    ['server', l10n.t('As the server decides: it reindexes if more than half of the rows would be deleted')],
    ['reindex', l10n.t('Reindex')],
  ];
  return html`<fieldset class="field" aria-describedby="strategy-help">
    <legend>${l10n.t('Strategy')}</legend>
    <p class="help" id="strategy-help">${strategyTexts.reindex.meaning()}</p>
    ${choices.map(
      ([strategy, label]) => html`<label class="check">
        <input
          type="radio"
          name="strategy"
          value=${strategy}
          ?disabled=${!editable}
          .checked=${draft.strategy === strategy}
          @change=${() => page.edit({ strategy })}
        />
        <span>${label}</span>
      </label>`,
    )}
  </fieldset>`;
}

function reviewStage(page: TruncationPageModel): TemplateResult {
  const { view, send, report } = page;
  const mayGoBack = view.phase === 'reviewed' && view.primary.intent !== 'goBack';
  return html`${report === undefined ? nothing : reportSection(page, report)}
    <section>
      ${primaryButton(
        page,
        view.phase === 'dryRunning'
          ? cancelButton(page)
          : mayGoBack
            ? html`${button(l10n.t('Back'), () => send({ type: 'goBack' }))} ${automateButton(page)}`
            : nothing,
      )}
      ${progressLine(page)}
    </section>
    ${failureNotice(page)} ${report === undefined ? nothing : foldedDetails(report.details, send)}`;
}

function automateButton({ send }: TruncationPageModel): TemplateResult {
  return button(l10n.t('Automate…'), () => send({ type: 'automate' }));
}

function reportSection(page: TruncationPageModel, report: DryRunReportView): TemplateResult {
  return html`<section aria-labelledby="report-heading">
    <div class="tight stack">
      <h2 id="report-heading" tabindex="-1">${report.heading}</h2>
      <p>${report.scope}</p>
    </div>
    ${report.notice === undefined ? nothing : calloutBox('warning', html`<p>${report.notice}</p>`)}
    ${report.rows === undefined ? nothing : rowFigures(report.rows, page.formats)}
    ${optionalParagraph(report.consequences)} ${page.view.cautions.map((caution) => cautionBox(page, caution))}
  </section>`;
}

/** A box to tick before the rows can be deleted. */
function cautionBox(
  { view, report, send }: TruncationPageModel,
  { kind, text }: TruncationPageView['cautions'][number],
): TemplateResult {
  return html`<label class="callout warning check">
    ${icons.warning}
    <input
      type="checkbox"
      id="caution-${kind}"
      ?disabled=${view.phase !== 'reviewed'}
      .checked=${live(view.draft.acceptedCautions.includes(kind))}
      @change=${({ target }: Event & { target: HTMLInputElement }) =>
        send({ type: 'tick', caution: kind, isTicked: target.checked, at: report?.at ?? 0 })}
    />
    <span>${text}</span>
  </label>`;
}

function outcomeStage(page: TruncationPageModel): TemplateResult {
  const { outcome } = page.view;
  const isOver = outcome?.isOver !== false;
  return html`${failureNotice(page)} ${outcome === undefined ? nothing : outcomeSection(page, outcome)}
    <section>${primaryButton(
      page,
      html`${outcome === undefined ? nothing : sentButtons(page, outcome)}
      ${isOver ? button(l10n.t('New Truncation'), () => page.send({ type: 'startOver' })) : nothing}`,
    )}</section>
    ${outcome === undefined ? nothing : foldedDetails(outcome.details, page.send)}`;
}

function sentButtons(page: TruncationPageModel, { canCheck, isOver }: OutcomeView): TemplateResult {
  const { send, view } = page;
  return html`${canCheck ? button(l10n.t('Check Now'), () => page.checkNow()) : nothing}
  ${view.phase === 'finished' ? automateButton(page) : nothing}
  ${isOver ? button(l10n.t('Copy Receipt'), () => send({ type: 'receipt' })) : nothing}`;
}

function outcomeSection({ send }: TruncationPageModel, outcome: OutcomeView): TemplateResult {
  const { mark, isOver, headline, scope, next, isSignedOut, percent, pace, lastCheck } = outcome;
  const text = html`<div>
    <h2 id="outcome-heading" tabindex="-1">${headline}</h2>
    ${optionalParagraph(scope)} ${optionalParagraph(next)}
    ${isSignedOut === true ? html`<div class="buttons">${signInButton(send)}</div>` : nothing}
  </div>`;
  return html`<section class="outcome" aria-labelledby="outcome-heading">
    ${mark === 'running' ? text : calloutBox(CALLOUTS[mark], text)}
    ${isOver ? nothing : html`${taskProgress(percent)} ${optionalParagraph(pace)}`}
    ${optionalParagraph(lastCheck, 'help')}
  </section>`;
}

const CALLOUTS = { failed: 'error', done: 'done', unknown: 'warning', warning: 'warning' } as const;
