/** Truncations as the journals of all windows hold them, and held them. */
import type { Connection } from '../../src/connections/connection.ts';
import { parseJson } from '../../src/json.ts';
import { jobFrom, shownTruncations, type Job } from '../../src/truncation/storedJob.ts';
import { blockingReason, type TruncationRecord } from '../../src/truncation/sentTruncation.ts';
import { isSame, type ReceivedPlan } from './server.ts';
import { LAST_MOMENT_MILLIS, type Timeline } from './timeline.ts';

export class StoredTruncations {
  readonly #timeline: Pick<Timeline, 'now'>;
  /** The window that wrote each truncation first, by ID. */
  readonly #writers = new Map<string, number>();
  /** IDs of the truncations in each journal. */
  readonly #idsIn = new Map<string, readonly string[]>();
  /** Each truncation as it was stored last, by ID. */
  readonly #last = new Map<string, TruncationRecord>();
  /** Time at which each truncation was first written, by ID. */
  readonly #writtenAt = new Map<string, number>();
  /** Task of each truncation that was ever stored, by the truncation's ID. */
  readonly #taskIds = new Map<string, string>();
  /** Since when truncations block their index, by ID. */
  readonly #blockingSince = new Map<string, number>();
  /** IDs of truncations that the user forgot. */
  readonly forgotten = new Set<string>();
  /** When forgotten ones were deleted, by ID. */
  readonly #deletedAt = new Map<string, number>();

  constructor(timeline: Pick<Timeline, 'now'>) {
    this.#timeline = timeline;
  }

  /** A window has changed a journal. */
  changed(name: string, job: Job | undefined, window: number): void {
    const now = new Map((job ? shownTruncations(job) : []).map((record) => [record.id, record]));
    const before = this.#idsIn.get(name) ?? [];
    [...now.keys()].forEach((id) => this.#writers.set(id, this.#writers.get(id) ?? window));
    this.#idsIn.set(name, [...now.keys()]);
    before.filter((id) => !now.has(id)).forEach((id) => this.#deleted(id));
    now.forEach((record) => this.#stored(record));
  }

  #deleted(id: string): void {
    this.#blockingSince.delete(id);
    if (this.forgotten.has(id) && !this.#deletedAt.has(id)) {
      this.#deletedAt.set(id, this.#timeline.now);
    }
  }

  #stored(record: TruncationRecord): void {
    const { id, taskId } = record;
    this.#last.set(id, record);
    this.#writtenAt.set(id, this.writtenAt(id) ?? this.#timeline.now);
    if (taskId !== undefined) {
      this.#taskIds.set(id, taskId);
    }
    if (blockingReason(record) !== undefined) {
      this.#blockingSince.set(id, this.#blockingSince.get(id) ?? this.#timeline.now);
    } else {
      this.#blockingSince.delete(id);
    }
  }

  writtenAt(id: string): number | undefined {
    return this.#writtenAt.get(id);
  }

  taskIdOf(id: string): string | undefined {
    return this.#taskIds.get(id);
  }

  /**
   * True if another truncation of the index may hide rows or reindex.
   * @param isSent Of two that are written at the same time, at most one is sent.
   */
  isBlocked(
    plan: ReceivedPlan,
    { id, baseUrl }: Connection,
    own: string | undefined,
    isSent: (id: string) => boolean,
  ): boolean {
    return [...this.#blockingSince].some(([other, since]) => {
      const record = this.#last.get(other);
      return (
        other !== own &&
        (record?.connectionId === id || record?.baseUrl === baseUrl) &&
        record.plan.aspect === plan.aspect &&
        (since < this.#timeline.now - LAST_MOMENT_MILLIS || isSent(other))
      );
    });
  }

  /**
   * Finds the record of an execution, as a window opened now would: the latest of its window. A window can't know yet
   * that another one has just forgotten it.
   */
  recordOf(window: number, plan: ReceivedPlan, connection: Connection): TruncationRecord | undefined {
    const justDeleted = [...this.#deletedAt.keys()].filter(
      (id) => (this.#deletedAt.get(id) ?? 0) > this.#timeline.now - LAST_MOMENT_MILLIS,
    );
    return [...[...this.#idsIn.values()].flat(), ...justDeleted]
      .flatMap((id) => this.#last.get(id) ?? [])
      .filter(
        (record) =>
          this.#writers.get(record.id) === window &&
          record.connectionId === connection.id &&
          record.baseUrl === connection.baseUrl &&
          record.ending === undefined &&
          isSame(plan, record.plan),
      )
      .toSorted((a, b) => (this.writtenAt(a.id) ?? 0) - (this.writtenAt(b.id) ?? 0))
      .at(-1);
  }
}

/** @param name Name of the journal. */
export function jobOfJournal(name: string, text: string): Job | undefined {
  const [connectionId = '', id = ''] = name.split('.');
  const [first, ...lines] = text.split('\n').filter((line) => line !== '');
  return jobFrom({ connectionId, id }, parseJson(first ?? ''), lines.map(parseJson));
}
