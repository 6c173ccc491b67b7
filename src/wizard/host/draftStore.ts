/**
 * Half-filled plans of this workspace (workspaceState). VS Code keeps a panel's state too, but in a browser a reload may come
 * before it was written; and a wizard that was closed is opened again with what was typed.
 */
import type * as vscode from 'vscode';
import { hasSameSpelling } from '../../indices/indexName.ts';
import { withSafeStrategy, type PlanDraft } from '../../truncation/plan.ts';
import { parseDraft } from '../protocol.ts';

const KEY = 'planDrafts.';
/** Enough for all the wizards that anybody has open. */
const MOST_DRAFTS = 10;

export class DraftStore {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The one typed last on a connection. */
  latest(connectionId: string): PlanDraft | undefined {
    return this.#all(connectionId)[0];
  }

  of(connectionId: string, target: Pick<PlanDraft, 'entityType' | 'aspect'>): PlanDraft | undefined {
    return this.#all(connectionId).find((draft) => hasSameSpelling(draft, target));
  }

  async keep(connectionId: string, draft: PlanDraft): Promise<void> {
    // A yes to a risky cut-off is not kept: it is asked for again.
    const kept = { ...draft, cautionAccepted: false };
    await this.#write(connectionId, [kept, ...this.#others(connectionId, draft)].slice(0, MOST_DRAFTS));
  }

  /** What was sent is no draft any more. */
  async forget(connectionId: string, target: Pick<PlanDraft, 'entityType' | 'aspect'>): Promise<void> {
    await this.#write(connectionId, this.#others(connectionId, target));
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#memory.update(KEY + connectionId, undefined);
  }

  #others(connectionId: string, target: Pick<PlanDraft, 'entityType' | 'aspect'>): PlanDraft[] {
    return this.#all(connectionId).filter((draft) => !hasSameSpelling(draft, target));
  }

  #all(connectionId: string): readonly PlanDraft[] {
    const stored = this.#memory.get<unknown>(KEY + connectionId);
    return Array.isArray(stored)
      ? stored.flatMap((entry) => {
          const draft = parseDraft(entry);
          return draft === undefined ? [] : [withSafeStrategy(draft)];
        })
      : [];
  }

  async #write(connectionId: string, drafts: readonly PlanDraft[]): Promise<void> {
    await this.#memory.update(KEY + connectionId, drafts.length > 0 ? drafts : undefined);
  }
}
