/** The wizard's host side: a webview panel, its messages, and the run behind it. The page sends intents and a draft, nothing else. */
import * as vscode from 'vscode';
import { asFailure } from '../../../service/failure/failure.ts';
import { failureReport } from '../../../service/failure/failureReport.ts';
import * as l10n from '@vscode/l10n';
import type { Clipboard } from '../../../ui/clipboard.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import type { Log } from '../../../ui/log.ts';
import type { Notices } from '../../../ui/notices.ts';
import { targetOf } from '../../model/plan.ts';
import type { PlanDraft } from '../../model/plan.ts';
import type { TaskWatch } from '../../watch.ts';
import type { TruncationRun } from '../../run.ts';
import { wizardHtml } from '../../../webview/host/html.ts';
import { draftFrom, parsePageMessage } from '../protocol.ts';
import type { HostMessage, PageMessage } from '../protocol.ts';
import { wizardView } from './view.ts';
import type { WizardFacts } from './view.ts';
import { formatsOf } from '../../../ui/formats.ts';

export interface WizardParts {
  readonly extensionUri: vscode.Uri;
  readonly watch: TaskWatch;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
  readonly log: Log;
  /** Told of what is being typed, so that it survives the panel. */
  readonly draftChanged: (draft: PlanDraft) => void;
  /** What the page shows beside the run's own state. */
  readonly facts: () => Pick<WizardFacts, 'connection' | 'indices' | 'forceFlagsKnown'> & { readonly sizeOf: (draft: PlanDraft) => number | undefined };
}

export class WizardPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #run: TruncationRun;
  readonly #parts: WizardParts;
  readonly #subscriptions: vscode.Disposable[];
  #looking: vscode.Disposable | undefined;
  #isOpen = false;

  constructor(panel: vscode.WebviewPanel, run: TruncationRun, parts: WizardParts) {
    this.#panel = panel;
    this.#run = run;
    this.#parts = parts;
    const dist = vscode.Uri.joinPath(parts.extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist], enableCommandUris: false, enableForms: false };
    this.#subscriptions = [
      run.onDidChange(() => this.update()),
      panel.webview.onDidReceiveMessage((data: unknown) => this.#receive(data)),
      panel.onDidChangeViewState(() => this.#look()),
      parts.watch.onDidChange((record) => run.follow(record)),
    ];
    panel.webview.html = wizardHtml({
      cspSource: panel.webview.cspSource,
      nonce: nonce(),
      scriptUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, 'wizard.js')).toString(),
      styleUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, 'wizard.css')).toString(),
      title: l10n.t('Truncate Index'),
      language: vscode.env.language,
    });
    this.#look();
    this.#setTitle();
  }

  get run(): TruncationRun {
    return this.#run;
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  /** Whether this is a wizard for that index in which nothing was sent yet. */
  isAskingFor(target: Pick<PlanDraft, 'entityType' | 'aspect'>): boolean {
    const { state, record } = this.#run;
    return record === undefined && targetOf(state.draft) === targetOf(target);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  onDidDispose(listener: () => void): void {
    this.#panel.onDidDispose(listener);
  }

  /** Something beside the run's state changed: sizes, the connection, the progress of the task. */
  update(): void {
    this.#setTitle();
    if (this.#isOpen) {
      this.#post({ type: 'view', view: wizardView(this.#facts()) });
    }
  }

  /** What ends with the panel; the task goes on. */
  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#looking?.dispose();
    this.#run.dispose();
  }

  /** Nothing in a message is more than a choice of what is possible anyway. */
  #receive(data: unknown): void {
    const message = parsePageMessage(data);
    if (message !== undefined) {
      this.#act(message).catch((thrown: unknown) => {
        this.#parts.log.bug(`wizard: ${message.type}`, thrown);
        this.#parts.notices.failure(asFailure(thrown));
      });
    }
  }

  async #act(message: PageMessage): Promise<void> {
    const run = this.#run;
    switch (message.type) {
      case 'ready':
        run.timeZone = message.timeZone;
        // A page that is shown again may know an edit that was on its way; a restored one knows less than we do.
        if (message.draft !== undefined && this.#isOpen) {
          run.edit(draftFrom(message.draft));
        }
        this.#isOpen = true;
        this.#post({ type: 'open', translations: vscode.l10n.bundle, locale: vscode.env.language, draft: run.state.draft, view: wizardView(this.#facts()) });
        return;
      case 'edit':
        run.edit(draftFrom(message.draft));
        this.#parts.draftChanged(run.state.draft);
        // Also when nothing changed: the page waits for it.
        this.update();
        return;
      case 'dryRun':
        return run.dryRun();
      case 'cancel':
        run.cancel();
        return;
      case 'execute':
        return run.execute();
      case 'startOver':
        run.startOver({ ...run.state.draft, cautionAccepted: false });
        this.#replaceDraft();
        return;
      case 'useDeleteByQuery': {
        const draft: PlanDraft = { ...run.state.draft, strategy: 'deleteByQuery' };
        run.startOver(draft);
        run.edit(draft);
        this.#replaceDraft();
        return run.dryRun();
      }
      case 'copyTaskId':
        return this.#copy(run.record?.taskId);
      case 'copyDetails':
        return this.#copy(run.lastFailure && failureReport(run.lastFailure, { connection: this.#parts.facts().connection?.name, when: Date.now() }));
      case 'checkTask':
        return run.record === undefined ? undefined : this.#parts.watch.checkNow(run.record);
    }
  }

  async #copy(text: string | undefined): Promise<void> {
    if (text !== undefined) {
      await this.#parts.clipboard.copy(text);
      this.#parts.notices.done(l10n.t('Copied'));
    }
  }

  #facts(): WizardFacts {
    const { sizeOf, ...facts } = this.#parts.facts();
    const { state, record } = this.#run;
    const bytes = sizeOf(state.draft);
    const locale = vscode.env.language;
    return {
      ...facts,
      state,
      record,
      recordId: this.#run.recordId,
      indexSize: bytes === undefined ? undefined : formatsOf(locale).size(bytes),
      progress: record === undefined ? undefined : this.#parts.watch.progress(record.id),
      trouble: record === undefined ? undefined : this.#parts.watch.trouble(record.id),
      now: Date.now(),
      locale,
    };
  }

  #replaceDraft(): void {
    this.#post({ type: 'draft', draft: this.#run.state.draft, view: wizardView(this.#facts()) });
  }

  #post(message: HostMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own channel to the page, not window.postMessage
    void this.#panel.webview.postMessage(message);
  }

  #setTitle(): void {
    const { draft } = this.#run.state;
    this.#panel.title = inPlainText(draft.entityType === '' || draft.aspect === '' ? l10n.t('Truncate Index') : l10n.t('Truncate {0}', targetOf(draft)));
  }

  /** Tasks are watched while the panel is visible. */
  #look(): void {
    if (this.#panel.visible) {
      this.#looking ??= this.#parts.watch.look();
    } else {
      this.#looking?.dispose();
      this.#looking = undefined;
    }
  }
}

function nonce(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64');
}
