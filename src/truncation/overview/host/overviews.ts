/** What is there of the overviews from the start: how they are opened, and that VS Code brings them back. The rest is loaded on demand. */
import * as vscode from 'vscode';
import { OVERVIEW_VIEW_TYPE } from '../../../manifest.ts';
import type { OverviewPanels, OverviewPanelsParts } from './panels.ts';

export class Overviews implements vscode.Disposable {
  readonly #parts: OverviewPanelsParts;
  readonly #serializer: vscode.Disposable;
  #panels: Promise<OverviewPanels> | undefined;

  constructor(parts: OverviewPanelsParts) {
    this.#parts = parts;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(OVERVIEW_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await this.#loaded()).restore(panel, state),
    });
  }

  /** Shows the overview of a connection, and loads its sizes unless that was done. */
  async open(connectionId: string): Promise<void> {
    await (await this.#loaded()).open(connectionId);
  }

  /** What was confirmed for several indices at once and not sent. */
  async forgetConnection(connectionId: string): Promise<void> {
    await (await this.#loaded()).forgetConnection(connectionId);
  }

  dispose(): void {
    this.#serializer.dispose();
    void this.#panels?.then((panels) => panels.dispose());
  }

  #loaded(): Promise<OverviewPanels> {
    return (this.#panels ??= import('../../onDemand.ts').then(
      ({ onDemand }) => new onDemand.OverviewPanels(this.#parts),
    ));
  }
}
