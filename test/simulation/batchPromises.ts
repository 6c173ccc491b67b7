/** The promises about several indices that are confirmed at once, across the windows that send, continue or dismiss them. */
import type { TruncationPlan } from '../../src/service/indices/truncation.ts';
import { itemsLeft, plansLeft } from '../../src/batch/batchRecord.ts';
import type { BatchRecord } from '../../src/batch/batchRecord.ts';
import type { Timeline } from './timeline.ts';

/** Several that were confirmed at once, and what sends them in turn. */
export interface Together {
  readonly by: { readonly recordId: string | undefined };
  /** Id of the interrupted batch that these are left of. */
  readonly continues: string | undefined;
}

/** One of several as it is sent. */
interface SentItem {
  readonly place: string;
  readonly aspect: string;
  /** Ids of its batch and of all those that it is left of. */
  readonly batches: readonly string[];
  readonly recordId: string;
  readonly window: number;
  readonly at: number;
  /** The server did nothing, and the run said so: it may be sent again. */
  isTakenBack: boolean;
}

/** All that was sent, as it really happened. */
interface SentTruncations {
  /** IDs of records that a new window finds, and of those that servers acted on. */
  readonly begun: readonly string[];
  readonly acted: readonly string[];
  readonly sent: readonly TruncationPlan[];
  readonly removedConnections: ReadonlySet<string>;
}

/** What happens in so many ms before an execution leaves comes too late for it: the credential is read meanwhile. */
export const LAST_MOMENT_MILLIS = 1_000;

/** Between the last look at what other windows did and the execution, in ms. */
const SENDING_MILLIS = 300;

export class BatchPromises {
  readonly #timeline: Pick<Timeline, 'now'>;
  readonly #sent: SentItem[] = [];
  /** The batch that each one is left of. */
  readonly #continues = new Map<string, string>();
  /** Each batch as it was first written down, and when. */
  readonly #written = new Map<string, { readonly at: number; readonly batch: BatchRecord }>();
  /** By place and ID, as each was written down last. */
  readonly #stored = new Map<string, { readonly place: string; readonly batch: BatchRecord }>();
  readonly #dismissed = new Map<string, { readonly at: number; readonly place: string }>();
  /** Those that a person no longer wants, of interrupted ones. */
  readonly #dismissedPlans = new Set<string>();

  constructor(timeline: Pick<Timeline, 'now'>) {
    this.#timeline = timeline;
  }

  /** Connections of which several truncations were written down at once. */
  get connections(): readonly string[] {
    return [...new Set([...this.#stored.values()].map(({ batch }) => batch.connectionId))];
  }

  written(place: string, batch: BatchRecord): void {
    this.#stored.set(`${place} ${batch.id}`, { place, batch });
    if (!this.#written.has(batch.id)) {
      this.#written.set(batch.id, { at: this.#timeline.now, batch });
    }
  }

  dismissing(batch: BatchRecord): void {
    plansLeft(batch).forEach((plan) => this.#dismissedPlans.add(planKey(plan)));
  }

  /** A window says that the batch is dismissed. */
  dismissed(batch: string, place: string): void {
    this.#dismissed.set(batch, { at: this.#timeline.now, place });
  }

  /** A window says that nothing came of what it sent: it may be sent again. */
  takenBack(window: number, recordId: string): void {
    for (const item of this.#sent) {
      item.isTakenBack ||= item.window === window && item.recordId === recordId;
    }
  }

  /** @returns the promise that is broken by a yes to go on with this one, if any is. */
  confirming(plan: TruncationPlan, { continues = '' }: Together): string | undefined {
    const before = this.#written.get(continues)?.batch.items.find((item) => item.plan.aspect === plan.aspect)?.plan;
    // A server that takes no strategy chooses by itself; a reindex is then left out. Once it takes one, it is told the safe one.
    const isSameStrategy =
      plan.strategy === 'server' ||
      plan.strategy === before?.strategy ||
      (before?.strategy === 'server' && plan.strategy === 'deleteByQuery');
    return before === undefined || (isSameStrategy && planText(before) === planText(plan))
      ? undefined
      : 'one of several is gone on with otherwise than it was confirmed';
  }

  /** @returns the promise that is broken by sending this one, if any is. */
  sending(
    { recordId, aspect, place, window }: Pick<SentItem, 'recordId' | 'aspect' | 'place' | 'window'>,
    { by, continues }: Together,
  ): string | undefined {
    const batch = by.recordId ?? recordId;
    if (continues !== undefined && continues !== batch) {
      this.#continues.set(batch, continues);
    }
    const at = this.#timeline.now;
    const item = { recordId, aspect, place, window, batches: this.#lineOf(batch), at, isTakenBack: false };
    const broken = this.#isDismissed(item)
      ? 'one of several is sent that was dismissed'
      : this.#sent.some((other) => isSame(item, other))
        ? 'one of several is sent twice'
        : undefined;
    this.#sent.push(item);
    return broken;
  }

  /**
   * Compares what a new window finds with what was written down.
   * @returns the promise that is broken, if one is.
   */
  found(place: string, batches: readonly BatchRecord[], truth: SentTruncations): string | undefined {
    const notSent = new Set(batches.flatMap((batch) => itemsLeft(batch).map(({ recordId }) => recordId)));
    if (truth.acted.some((recordId) => notSent.has(recordId))) {
      return 'one of several is called not sent, and a server deletes its rows';
    }
    if (truth.begun.some((recordId) => notSent.has(recordId))) {
      return 'one of several is called not sent, and a window that died may have sent it';
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
    return stored.some(isLost) ? 'some of several were not sent, and a new window knows nothing of it' : undefined;
  }

  /** One that was taken over from a batch before it was dismissed goes on. */
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

/** Whichever window sends it, and of whichever batch that it is left of. */
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
