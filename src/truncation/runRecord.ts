/** The record of a run's truncation: written before anything is sent, then kept up to date. */
import type { Connection } from '../connections/connection.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { MetadataService } from '../service/service.ts';
import { type Caution, cautionsFor, firstUnaccepted } from './cautions.ts';
import { draftFrom } from './plan.ts';
import type { Problem } from './outcome.ts';
import { type TruncationRecord, SESSION_ID } from './record.ts';
import type { Confirmation, RunEnvironment } from './runEnvironment.ts';
import { reloadSharedStores } from './truncationStore.ts';
import type { DryRunReview, TruncationState } from './state.ts';
import { taskTexts } from './texts/taskTexts.ts';

/** A confirmed plan whose rows were counted again. */
export interface CountedExecution {
  readonly connection: Connection;
  /** Closed when the connection changes: a service from before the change can't send any more. */
  readonly service: MetadataService;
  readonly plan: TruncationPlan;
  readonly baseline: TruncationRecord['baseline'];
}

export class RunRecord {
  readonly #environment: RunEnvironment;
  readonly #logProblem: (thrown: unknown) => Problem;
  #current: TruncationRecord | undefined;
  /** Chosen before sending, so that a reloaded page can find the record. */
  #id: string;
  /** A record with this ID was written and dropped: none can be written under it again. */
  #isIdUsed = false;

  /** @param id UUID of the next record. @param current The record of a truncation that was sent before. */
  constructor(
    environment: RunEnvironment,
    logProblem: (thrown: unknown) => Problem,
    id: string,
    current: TruncationRecord | undefined,
  ) {
    this.#environment = environment;
    this.#logProblem = logProblem;
    this.#id = id;
    this.#current = current;
  }

  /** Undefined until it is claimed. */
  get current(): TruncationRecord | undefined {
    return this.#current;
  }

  get id(): string {
    return this.#id;
  }

  /** To accept before the truncation, as its state and the earlier ones of its index are. */
  cautions(state: TruncationState, connection: Connection | undefined): readonly Caution[] {
    const { records, clock } = this.#environment;
    const { draft } = state;
    return cautionsFor({
      endTimeMillis: draft.endTimeMillis,
      now: clock.now(),
      review: 'review' in state ? state.review : undefined,
      earlier: connection === undefined ? [] : records.sentTo(connection, draft).filter(({ id }) => id !== this.#id),
    });
  }

  /** True if a new count has a caution that the question didn't name. */
  hasNewCaution({ review, cautions, connection }: Confirmation, count: Pick<DryRunReview, 'report' | 'at'>): boolean {
    const counted = { phase: 'reviewed', draft: draftFrom(review.plan), review: { ...review, ...count } } as const;
    const named = cautions.map(({ kind }) => kind);
    return firstUnaccepted(this.cautions(counted, connection), named) !== undefined;
  }

  renewId(): void {
    if (this.#isIdUsed) {
      this.#isIdUsed = false;
      this.#id = crypto.randomUUID();
    }
  }

  /** The next record is another truncation's. */
  startOver(): void {
    this.#current = undefined;
    this.#id = crypto.randomUUID();
  }

  /** @param review Its report is the new count. */
  compose({ connection, service, plan, baseline }: CountedExecution, review: DryRunReview): TruncationRecord {
    const { clock, sizeOf } = this.#environment;
    const size = sizeOf(connection.id, plan);
    return {
      id: this.#id,
      connectionId: connection.id,
      baseUrl: connection.baseUrl,
      actorUrn: connection.actorUrn,
      callerUrn: service.knownCaller,
      sessionId: SESSION_ID,
      plan,
      report: review.report,
      baseline,
      reviewedAt: review.at,
      sentAt: clock.now(),
      sizeBefore: size.bytes,
      sizePrecision: size.precision,
    };
  }

  /**
   * Writes the record where every window sees it: from then on, no crash loses the truncation.
   * @returns why this window may not send: another one does, or nothing could be written. Undefined if it may.
   */
  async claim(record: TruncationRecord): Promise<Problem | undefined> {
    const { records } = this.#environment;
    this.#current = record;
    try {
      const isMine = await records.claim(record);
      return isMine ? undefined : this.reject(record.connectionId);
    } catch (thrown) {
      return this.takeBack(record, thrown);
    }
  }

  /** Leaves the truncation to another window, which sends it or dismissed it. @returns why this one may not send. */
  reject(connectionId: string): Problem {
    this.#current = undefined;
    this.#isIdUsed = true;
    const isThere = this.#environment.records.get(connectionId, this.#id) !== undefined;
    return isThere ? taskTexts.sentByAnother() : taskTexts.forgotten();
  }

  /** Deletes a claim that nothing was sent for. @param thrown Why storing failed. @returns why nothing is sent. */
  async takeBack(record: TruncationRecord, thrown?: unknown): Promise<Problem> {
    this.#current = undefined;
    this.#isIdUsed = true;
    // Part of the claim may be stored, or the record may be another window's.
    await this.#environment.records.takeBack(record).catch((failure: unknown) => void this.#logProblem(failure));
    return thrown === undefined ? taskTexts.forgotten() : taskTexts.notRecorded(this.#logProblem(thrown).next);
  }

  /** Writes what was learned since the truncation was sent. Failing to is no failure of the truncation. */
  async update(record: TruncationRecord): Promise<void> {
    this.#current = record;
    await reloadSharedStores(this.#environment);
    await this.#environment.records.save(record).catch((thrown: unknown) => {
      this.#logProblem(thrown);
      this.#environment.notifyNotStored();
    });
  }

  /** Deletes the record of a truncation that was not sent, or that the server refused. */
  async drop(record: TruncationRecord): Promise<void> {
    this.#isIdUsed = true;
    this.#current = undefined;
    // A record that can't be deleted says too much rather than too little.
    await this.#environment.records.forget(record).catch((thrown: unknown) => void this.#logProblem(thrown));
  }

  /** Takes over what the watch or another window stored. */
  follow(record: TruncationRecord): void {
    this.#current = record;
  }
}

/** The state of a truncation that was sent before, by whichever window. */
export function resumedState(record: TruncationRecord): TruncationState {
  const { plan, report, reviewedAt: at, taskId, ending } = record;
  // No access matches this review, so it can't be executed again.
  const review = { plan, report, at, access: '', monotonicAt: 0 };
  const draft = draftFrom(plan);
  if (ending === undefined) {
    return taskId === undefined
      ? { phase: 'failed', draft, review, taskId, ending: { kind: 'unknown', reason: 'lost' } }
      : { phase: 'running', draft, review, taskId };
  }
  return ending.kind === 'finished'
    ? { phase: 'finished', draft, review, taskId, ending }
    : { phase: 'failed', draft, review, taskId, ending };
}
