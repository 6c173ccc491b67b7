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
  readonly place: string;
  readonly aspect: string;
  /** IDs of its batch and of those that it continues. */
  readonly batches: readonly string[];
  readonly recordId: string;
  readonly window: number;
  readonly at: number;
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

/** Time between the last check for changes in other windows and the execution, in ms. */
const SENDING_MILLIS = 300;

export class BatchPromises {
  readonly #timeline: Pick<Timeline, 'now'>;
  readonly #sent: SentItem[] = [];
  /** The batch that each batch continues, by ID. */
  readonly #continues = new Map<string, string>();
  /** Each batch as first written, with the time. */
  readonly #written = new Map<string, { readonly at: number; readonly batch: BatchRecord }>();
  /** Each batch as last written, by place and ID. */
  readonly #stored = new Map<string, { readonly place: string; readonly batch: BatchRecord }>();
  readonly #dismissed = new Map<string, { readonly at: number; readonly place: string }>();
  /** Plans of batches that the user dismissed. */
  readonly #dismissedPlans = new Set<string>();

  constructor(timeline: Pick<Timeline, 'now'>) {
    this.#timeline = timeline;
  }

  /** IDs of the connections that have batches. */
  get connections(): readonly string[] {
    return [...new Set([...this.#stored.values()].map(({ batch }) => batch.connectionId))];
  }

  written(place: string, batch: BatchRecord): void {
    this.#stored.set(`${place} ${batch.id}`, { place, batch });
    if (!this.#written.has(batch.id)) {
      this.#written.set(batch.id, { at: this.#timeline.now, batch });
    }
  }

  /** A window that is sending an item meanwhile reports itself that it was not sent. */
  dismissing(batch: BatchRecord): void {
    batch.items.forEach(({ plan }) => this.#dismissedPlans.add(planKey(plan)));
  }

  /** A window reports that the batch is dismissed. */
  dismissed(batch: string, place: string): void {
    this.#dismissed.set(batch, { at: this.#timeline.now, place });
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
    { recordId, aspect, place, window }: Pick<SentItem, 'recordId' | 'aspect' | 'place' | 'window'>,
    { by, continues }: ConfirmedBatch,
  ): string | undefined {
    const batch = by.recordId ?? recordId;
    if (continues !== undefined && continues !== batch) {
      this.#continues.set(batch, continues);
    }
    const at = this.#timeline.now;
    const item = { recordId, aspect, place, window, batches: this.#lineOf(batch), at, isTakenBack: false };
    const broken = this.#isDismissed(item)
      ? 'a dismissed item of a batch is sent'
      : this.#sent.some((other) => isSame(item, other))
        ? 'an item of a batch is sent twice'
        : undefined;
    this.#sent.push(item);
    return broken;
  }

  /**
   * Compares the batches that a new window finds with those that were written.
   * @returns the broken promise, if any
   */
  found(place: string, batches: readonly BatchRecord[], truth: SentTruncations): string | undefined {
    const notSent = new Set(batches.flatMap((batch) => itemsLeft(batch).map(({ recordId }) => recordId)));
    if (truth.acted.some((recordId) => notSent.has(recordId))) {
      return 'an item of a batch is called not sent, and a server deletes its rows';
    }
    if (truth.begun.some((recordId) => notSent.has(recordId))) {
      return 'an item of a batch is called not sent, and a window that died may have sent it';
    }
    const stored = [...this.#stored.values()].flatMap((one) => (one.place === place ? [one.batch] : []));
    const known = new Set([
      ...batches.flatMap(({ items }) => items.map(({ plan }) => planKey(plan))),
      ...stored.flatMap(({ items }) => items.filter(({ isSent }) => isSent).map(({ plan }) => planKey(plan))),
      ...stored.flatMap(({ items }) =>
        items.filter(({ recordId }) => truth.begun.includes(recordId)).map(({ plan }) => planKey(plan)),
      ),
      ...truth.sent.map(planKey),
      ...this.#dismissedPlans,
    ]);
    const isLost = (batch: BatchRecord): boolean =>
      !truth.removedConnections.has(batch.connectionId) && plansLeft(batch).some((plan) => !known.has(planKey(plan)));
    return stored.some(isLost) ? 'items of a batch were not sent, and a new window does not know' : undefined;
  }

  /** An item that was moved to another batch before the dismissal may be sent. */
  #isDismissed({ batches, place, at }: SentItem): boolean {
    return batches.some((batch, index) => {
      const dismissal = this.#dismissed.get(batch);
      const successor = batches[index - 1];
      const takenAt = successor === undefined ? at : (this.#written.get(successor)?.at ?? at);
      const seenMillis = dismissal?.place === place ? LAST_MOMENT_MILLIS : SENDING_MILLIS;
      return dismissal !== undefined && takenAt > dismissal.at + seenMillis;
    });
  }

  #lineOf(batch: string): readonly string[] {
    const before = this.#continues.get(batch);
    return before === undefined || before === batch ? [batch] : [batch, ...this.#lineOf(before)];
  }
}

/** True for the same item in any window or batch. */
function isSame(item: SentItem, other: SentItem): boolean {
  return (
    !other.isTakenBack && other.aspect === item.aspect && other.batches.some((batch) => item.batches.includes(batch))
  );
}

function planText({ aspect, endTimeMillis, batchSize, timeoutSeconds }: TruncationPlan): string {
  return JSON.stringify([aspect, endTimeMillis, batchSize, timeoutSeconds]);
}

export function planKey({ aspect, endTimeMillis }: Pick<TruncationPlan, 'aspect' | 'endTimeMillis'>): string {
  return `${aspect} ${endTimeMillis}`;
}
