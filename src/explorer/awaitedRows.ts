/**
 * Rows whose children VS Code is waiting for. A refresh in the meantime makes it draw the children twice, so the refresh
 * comes after they are drawn.
 */
import type { Clock } from '../time.ts';
import type { ExplorerNode } from './node.ts';

/** An estimate, since VS Code doesn't say when it has drawn rows. A slower window draws them twice. */
const DRAWING_MILLIS = 200;

export class AwaitedRows {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #awaited = new Set<ExplorerNode>();
  /** Rows to refresh, with what cancels that. */
  readonly #late = new Map<ExplorerNode, () => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Returns the children of a row. Until then the row counts as awaited. */
  async childrenOf(row: ExplorerNode): Promise<readonly ExplorerNode[]> {
    this.#awaited.add(row);
    try {
      return (await row.children?.()) ?? [];
    } finally {
      this.#awaited.delete(row);
    }
  }

  /** Calls `refresh` for a changed row: at once, or later if VS Code waits for its children or for a child's. */
  refresh(row: ExplorerNode, refresh: () => void): void {
    if (![...this.#awaited].some((one) => one === row || one.parent === row)) {
      refresh();
      return;
    }
    this.#late.get(row)?.();
    const cancel = this.#clock.after(DRAWING_MILLIS, () => {
      this.#late.delete(row);
      refresh();
    });
    this.#late.set(row, cancel);
  }

  dispose(): void {
    this.#late.forEach((cancel) => cancel());
  }
}
