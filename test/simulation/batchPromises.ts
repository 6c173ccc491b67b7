/** Promises about batches that windows send, continue or dismiss. */
import type { TruncationPlan } from '../../src/service/indices/truncation.ts';
import { itemsLeft, plansLeft, type BatchRecord } from '../../src/batch/batchStore.ts';
import type { Timeline } from './timeline.ts';

/** A confirmed batch, and the object that sends it. */
export interface ConfirmedBatch {
  readonly by: { readonly recordId: string | undefined };
  /** ID of the interrupted batch that it continues. */
  readonly continues: string | undefined;
}

/** An item of a batch when it is sent. */
interface SentItem {
  readonly aspect: string;
  /** ID of its batch. */
  readonly batch: string;
  readonly recordId: string;
  readonly window: number;
  /** The server did nothing, and the run said so: the item may be sent again. */
  isTakenBack: boolean;
}

/** Everything that was really sent. */
interface SentTruncations {
  /** IDs of the records that a new window finds, and of those that servers executed. */
  readonly begun: readonly string[];
  readonly acted: readonly string[];
  readonly sent: readonly TruncationPlan[];
  readonly removedConnections: ReadonlySet<string>;
}

/** Changes less than this before an execution leaves come too late, in ms, because its credential is being read. */
export const LAST_MOMENT_MILLIS = 1_000;

/** From the mark of an item, which a dismissal prevents, to its execution, in ms. */
const SENDING_MILLIS = 100;

export class BatchPromises {
  readonly #timeline: Pick<Timeline, 'now'>;
  readonly #sent: SentItem[] = [];
  /** The batch that each batch continues, by ID. */
  readonly #continues = new Map<string, string>();
  /** Each batch as first written, with the time. */
  readonly #written = new Map<string, { readonly at: number; readonly batch: BatchRecord }>();
  /** Each batch as last written, by ID. */
  readonly #stored = new Map<string, BatchRecord>();
  /** IDs of other batches that shared an item with a batch, by its ID: both are parts of the same confirmed one. */
  readonly #relatives = new Map<string, Set<string>>();
  /** When each batch was dismissed by the window that removed it. */
  readonly #dismissed = new Map<string, number>();
  /** Plans of batches that the user dismissed. */
  readonly #dismissedPlans = new Set<string>();

  constructor(timeline: Pick<Timeline, 'now'>) {
    this.#timeline = timeline;
  }

  /** IDs of the connections that have batches. */
  get connections(): readonly string[] {
    return [...new Set([...this.#stored.values()].map(({ connectionId }) => connectionId))];
  }

  written(batch: BatchRecord): void {
    if (!this.#written.has(batch.id)) {
      this.#written.set(batch.id, { at: this.#timeline.now, batch });
      const ids = new Set(batch.items.map(({ recordId }) => recordId));
      const parts = [...this.#stored.values()].filter(({ items }) => items.some(({ recordId }) => ids.has(recordId)));
      const relatives = new Set([batch.id]);
      for (const { id } of parts) this.#relatives.get(id)?.forEach((relative) => relatives.add(relative));
      relatives.forEach((id) => this.#relatives.set(id, relatives));
    }
    this.#stored.set(batch.id, batch);
  }

  /** The user dismisses a batch. A window that is sending an item meanwhile reports itself that it was not sent. */
  dismissing(batch: BatchRecord): void {
    batch.items.forEach(({ plan }) => this.#dismissedPlans.add(planKey(plan)));
  }

  /** The window that removed the batch reports that it is dismissed. */
  dismissed(batch: string): void {
    this.#dismissed.set(batch, this.#timeline.now);
  }

  /** A window reports that nothing was started: the item may be sent again. */
  takenBack(window: number, recordId: string): void {
    for (const item of this.#sent) {
      item.isTakenBack ||= item.window === window && item.recordId === recordId;
    }
  }

  /** @returns the promise that confirming it would break, if any */
  confirming(plan: TruncationPlan, { continues = '' }: ConfirmedBatch): string | undefined {
    const before = this.#written.get(continues)?.batch.items.find((item) => item.plan.aspect === plan.aspect)?.plan;
    // A server without strategies chooses one itself, and reindexes are excluded. A server with strategies gets the
    // safe one.
    const isSameStrategy =
      plan.strategy === 'server' ||
      plan.strategy === before?.strategy ||
      (before?.strategy === 'server' && plan.strategy === 'deleteByQuery');
    return before === undefined || (isSameStrategy && planText(before) === planText(plan))
      ? undefined
      : 'an item of a batch is continued differently from what was confirmed';
  }

  /** @returns the promise that sending it would break, if any */
  sending(
    { recordId, aspect, window }: Pick<SentItem, 'recordId' | 'aspect' | 'window'>,
    { by, continues }: ConfirmedBatch,
  ): string | undefined {
    const batch = by.recordId ?? recordId;
    if (continues !== undefined && continues !== batch) {
      this.#continues.set(batch, continues);
    }
    const item = { recordId, aspect, window, batch, isTakenBack: false };
    const broken = this.#isDismissed(batch)
      ? 'a dismissed item of a batch is sent'
      : this.#sent.some((other) => this.#isSame(item, other))
        ? 'an item of a batch is sent twice'
        : undefined;
    this.#sent.push(item);
    return broken;
  }

  /**
   * Compares the batches that a new window finds with those that were written.
   * @returns the broken promise, if any
   */
  found(batches: readonly BatchRecord[], truth: SentTruncations): string | undefined {
    const notSent = new Set(batches.flatMap((batch) => itemsLeft(batch).map(({ recordId }) => recordId)));
    if (truth.acted.some((recordId) => notSent.has(recordId))) {
      return 'an item of a batch is called not sent, and a server deletes its rows';
    }
    if (truth.begun.some((recordId) => notSent.has(recordId))) {
      return 'an item of a batch is called not sent, and a window that died may have sent it';
    }
    const items = [...this.#stored.values()].flatMap((batch) => batch.items);
    const known = new Set([
      ...batches.flatMap((batch) => batch.items.map(({ plan }) => planKey(plan))),
      ...items
        .filter(({ isSent, recordId }) => isSent || truth.begun.includes(recordId))
        .map(({ plan }) => planKey(plan)),
      ...truth.sent.map(planKey),
      ...this.#dismissedPlans,
    ]);
    const isLost = (batch: BatchRecord): boolean =>
      !truth.removedConnections.has(batch.connectionId) && plansLeft(batch).some((plan) => !known.has(planKey(plan)));
    return [...this.#stored.values()].some(isLost)
      ? 'items of a batch were not sent, and a new window does not know'
      : undefined;
  }

  /** An item that was moved to another batch, and on from there, before the dismissal may be sent. */
  #isDismissed(batch: string): boolean {
    return this.#lineOf(batch).some((id, index, line) => {
      const dismissedAt = this.#dismissed.get(id) ?? Infinity;
      const successor = line[index - 1];
      // The batch of a window that continues a dismissed one is written before the window finds that out.
      const takenAt = index < 2 || successor === undefined ? this.#timeline.now : this.#written.get(successor)?.at;
      return (takenAt ?? 0) > dismissedAt + SENDING_MILLIS;
    });
  }

  #lineOf(batch: string): readonly string[] {
    const before = this.#continues.get(batch);
    return before === undefined || before === batch ? [batch] : [batch, ...this.#lineOf(before)];
  }

  /** True for the same item in any window, and any part of its batch. */
  #isSame(item: SentItem, other: SentItem): boolean {
    const relatives = this.#relatives.get(item.batch) ?? new Set([item.batch]);
    return !other.isTakenBack && other.aspect === item.aspect && relatives.has(other.batch);
  }
}

function planText({ aspect, endTimeMillis, batchSize, timeoutSeconds }: TruncationPlan): string {
  return JSON.stringify([aspect, endTimeMillis, batchSize, timeoutSeconds]);
}

export function planKey({ aspect, endTimeMillis }: Pick<TruncationPlan, 'aspect' | 'endTimeMillis'>): string {
  return `${aspect} ${endTimeMillis}`;
}
