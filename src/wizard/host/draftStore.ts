/**
 * Drafts of plans, stored per workspace. VS Code keeps a panel's state too, but a browser may reload before it is
 * written, and a closed wizard opens again with its draft.
 */
import type * as vscode from 'vscode';
import { hasSameSpelling } from '../../indices/indexName.ts';
import { withSafeStrategy, type PlanDraft } from '../../truncation/plan.ts';
import { parseDraft } from '../protocol.ts';

const KEY = 'planDrafts.';
/** More than the wizards that are open at once. */
const MOST_DRAFTS = 10;

export class DraftStore {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The latest draft of a connection. */
  latest(connectionId: string): PlanDraft | undefined {
    return this.#all(connectionId)[0];
  }

  of(connectionId: string, target: Pick<PlanDraft, 'entityType' | 'aspect'>): PlanDraft | undefined {
    return this.#all(connectionId).find((draft) => hasSameSpelling(draft, target));
  }

  async keep(connectionId: string, draft: PlanDraft): Promise<void> {
    // A risky cutoff must be accepted again.
    const kept = { ...draft, cautionAccepted: false };
    await this.#write(connectionId, [kept, ...this.#others(connectionId, draft)].slice(0, MOST_DRAFTS));
  }

  /** Drops the draft of a plan that was sent. */
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
