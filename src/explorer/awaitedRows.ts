/**
 * Rows whose children VS Code waits for. Told of a change of theirs meanwhile, it would draw the children twice, so it is
 * told once it has drawn them.
 */
import type { Clock } from '../time.ts';
import type { ExplorerNode } from './node.ts';

/** For two hundred rows and more, even of a slow window. */
const DRAWING_MILLIS = 200;

export class AwaitedRows {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #awaited = new Set<ExplorerNode>();
  /** Rows to refresh, with what cancels that. */
  readonly #late = new Map<ExplorerNode, () => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Returns the children of a row, which is awaited until then. */
  async childrenOf(row: ExplorerNode): Promise<readonly ExplorerNode[]> {
    this.#awaited.add(row);
    try {
      return (await row.children?.()) ?? [];
    } finally {
      this.#awaited.delete(row);
    }
  }

  /** Calls `refresh` for a row that has changed: now, or once VS Code has drawn what it waits for there. */
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
