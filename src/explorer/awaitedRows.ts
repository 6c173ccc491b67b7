/**
 * Rows whose children VS Code is waiting for, or drawing. A refresh of one of them, or of a row above, makes it draw the
 * children twice, or lose the rows below a child that it expands by itself. So the refresh comes after they are drawn.
 */
import type { Clock } from '../time.ts';
import type { ExplorerNode } from './node.ts';

/** An estimate, since VS Code doesn't say when it has drawn rows. A slower window draws them twice. */
const DRAWING_MILLIS = 200;

/** A question of VS Code for the children of a row. */
interface ChildrenRequest {
  readonly row: ExplorerNode;
  /** Set once they were returned. */
  stopTimer?: () => void;
}

export class AwaitedRows {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #requests = new Set<ChildrenRequest>();
  /** Refreshes of changed rows that wait. */
  readonly #late = new Map<ExplorerNode, () => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Returns the children of a row, which counts as awaited until they are drawn. */
  async childrenOf(row: ExplorerNode): Promise<readonly ExplorerNode[]> {
    const request: ChildrenRequest = { row };
    this.#requests.add(request);
    try {
      return (await row.children?.()) ?? [];
    } finally {
      request.stopTimer = this.#clock.after(DRAWING_MILLIS, () => {
        this.#requests.delete(request);
        this.#refreshLate();
      });
    }
  }

  /** Calls `refresh` for a changed row: at once, or once its children, and those of rows below, are drawn. */
  refresh(row: ExplorerNode, refresh: () => void): void {
    this.#late.set(row, refresh);
    this.#refreshLate();
  }

  dispose(): void {
    this.#late.clear();
    this.#requests.forEach(({ stopTimer }) => stopTimer?.());
  }

  #refreshLate(): void {
    const awaited = new Set([...this.#requests].flatMap(({ row }) => rowAndThoseAbove(row)));
    for (const [row, refresh] of this.#late) {
      if (!awaited.has(row)) {
        this.#late.delete(row);
        refresh();
      }
    }
  }
}

function rowAndThoseAbove(row: ExplorerNode): ExplorerNode[] {
  return [row, ...(row.parent === undefined ? [] : rowAndThoseAbove(row.parent))];
}
