/**
 * Drafts of plans, stored per workspace. VS Code keeps a panel's state too, but a browser may reload before it is
 * written, and a closed wizard opens again with its draft.
 */
import { hasSameSpelling } from '../../../indices/indexName.ts';
import { Storage, type Memento } from '../../../platform/storage.ts';
import type { PlanDraft } from '../../../truncation/plan.ts';
import { parsePlanDraft } from '../protocol.ts';

/** More than the wizards that are open at once. */
const MOST_DRAFTS = 10;

export class PlanDraftStore {
  readonly #drafts: Storage<readonly PlanDraft[]>;

  constructor(workspace: Memento) {
    this.#drafts = new Storage(workspace, 'planDrafts.', parseDrafts);
  }

  latestDraft(connectionId: string): PlanDraft | undefined {
    return this.#storedDrafts(connectionId)[0];
  }

  draftOf(connectionId: string, target: Pick<PlanDraft, 'entityType' | 'aspect'>): PlanDraft | undefined {
    return this.#storedDrafts(connectionId).find((draft) => hasSameSpelling(draft, target));
  }

  async storeDraft(connectionId: string, draft: PlanDraft): Promise<void> {
    await this.#writeDrafts(connectionId, [draft, ...this.#otherDrafts(connectionId, draft)].slice(0, MOST_DRAFTS));
  }

  /** Drops the draft of a plan that was sent. */
  async forgetDraft(connectionId: string, target: Pick<PlanDraft, 'entityType' | 'aspect'>): Promise<void> {
    await this.#writeDrafts(connectionId, this.#otherDrafts(connectionId, target));
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#drafts.set(connectionId, undefined);
  }

  #otherDrafts(connectionId: string, target: Pick<PlanDraft, 'entityType' | 'aspect'>): PlanDraft[] {
    return this.#storedDrafts(connectionId).filter((draft) => !hasSameSpelling(draft, target));
  }

  #storedDrafts(connectionId: string): readonly PlanDraft[] {
    return this.#drafts.get(connectionId) ?? [];
  }

  async #writeDrafts(connectionId: string, drafts: readonly PlanDraft[]): Promise<void> {
    await this.#drafts.set(connectionId, drafts.length > 0 ? drafts : undefined);
  }
}

/** Leaves out damaged ones. */
function parseDrafts(stored: unknown): readonly PlanDraft[] {
  return (Array.isArray(stored) ? stored : []).flatMap((entry) => {
    const draft = parsePlanDraft(entry);
    return draft === undefined ? [] : [draft];
  });
}
