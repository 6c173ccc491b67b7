/** What is there of the overviews from the start: how they are opened, and that VS Code brings them back. The rest is loaded on demand. */
import * as vscode from 'vscode';
import { OVERVIEW_VIEW_TYPE } from '../../manifest.ts';
import { Emitter } from '../../platform/events.ts';
import type { OverviewPanels, OverviewPanelsParts } from './panels.ts';

export class Overviews implements vscode.Disposable {
  readonly #parts: Omit<OverviewPanelsParts, 'showingChanged'>;
  readonly #serializer: vscode.Disposable;
  readonly #showing = new Emitter<void>();
  #panels: OverviewPanels | undefined;
  #loading: Promise<OverviewPanels> | undefined;
  /** Another truncation may be in sight now, or out of sight. */
  readonly onDidChangeShowing = this.#showing.event;

  constructor(parts: Omit<OverviewPanelsParts, 'showingChanged'>) {
    this.#parts = parts;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(OVERVIEW_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await this.#loaded()).restore(panel, state),
    });
  }

  /** Shows the overview of a connection, and loads its sizes unless that was done. */
  async open(connectionId: string): Promise<void> {
    await (await this.#loaded()).open(connectionId);
  }

  /** Whether a person sees in an overview how a truncation goes on, right now. */
  isShowing(recordId: string): boolean {
    return this.#panels?.isShowing(recordId) ?? false;
  }

  /** What was confirmed for several indices at once and not sent. */
  async forgetConnection(connectionId: string): Promise<void> {
    await (await this.#loaded()).forgetConnection(connectionId);
  }

  dispose(): void {
    this.#serializer.dispose();
    this.#showing.dispose();
    void this.#loading?.then((panels) => panels.dispose());
  }

  #loaded(): Promise<OverviewPanels> {
    return (this.#loading ??= import('../../truncation/onDemand.ts').then(
      ({ onDemand }) =>
        (this.#panels = new onDemand.OverviewPanels({
          ...this.#parts,
          showingChanged: () => this.#showing.fire(),
        })),
    ));
  }
}
