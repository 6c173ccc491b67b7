/**
 * State of a job of one to 25 items, from the dry runs to the last end. Pure: the runner drives it, the pages show it.
 *   choosing → dryRunning → planned → confirming → executing → ended
 * Each item has a state machine of its own (state.ts). The wizard's job is planned from the beginning. An event that
 * does not fit changes nothing.
 */

/** Items of a job, at most: a person looks at each of them before a yes. */
export const MAX_ITEMS = 25;

/** The page where a job began, which decides on its rules. */
export type JobOrigin = 'wizard' | 'overview';

type JobPhase = 'choosing' | 'dryRunning' | 'planned' | 'confirming' | 'executing' | 'ended';

export interface JobState {
  readonly origin: JobOrigin;
  readonly phase: JobPhase;
  /** Places of the items that the user is asked about, or confirmed. */
  readonly confirmed: readonly number[] | undefined;
  /** The user stopped it: the running item is the last one. */
  readonly isStopping: boolean;
}

export type JobEvent =
  | { readonly type: 'countingBegan' }
  | { readonly type: 'countingEnded' }
  | { readonly type: 'checking'; readonly places: readonly number[] }
  /** By the user, or the question was withdrawn. */
  | { readonly type: 'declined' }
  | { readonly type: 'confirmed' }
  | { readonly type: 'stopped' }
  /** `isSent`: one of its items. */
  | { readonly type: 'concluded'; readonly isSent: boolean }
  | { readonly type: 'startedOver' };

export function jobIn(phase: JobPhase, origin: JobOrigin): JobState {
  return { origin, phase, confirmed: undefined, isStopping: false };
}

/** Returns the same object if the event does not fit. */
export function reduceJobState(job: JobState, event: JobEvent): JobState {
  const { origin, phase } = job;
  switch (event.type) {
    case 'countingBegan':
      return isBusy(job) ? job : jobIn('dryRunning', origin);
    case 'countingEnded':
      return phase === 'dryRunning' ? { ...job, phase: 'planned' } : job;
    case 'checking':
      return phase === 'planned' && event.places.length > 0
        ? { ...job, phase: 'confirming', confirmed: event.places }
        : job;
    case 'declined':
      return phase === 'confirming' ? { ...job, phase: 'planned', confirmed: undefined } : job;
    case 'confirmed':
      return phase === 'confirming' ? { ...job, phase: 'executing' } : job;
    case 'stopped':
      return phase === 'executing' ? { ...job, isStopping: true } : job;
    case 'concluded':
      if (phase !== 'executing') {
        return job;
      }
      // The wizard's plan may be confirmed again unless it was sent.
      return origin === 'wizard' && !event.isSent
        ? { ...job, phase: 'planned', confirmed: undefined }
        : { ...job, phase: 'ended' };
    case 'startedOver':
      if (origin === 'wizard') {
        // The former one was sent, though its task may not be stored yet.
        return { ...job, phase: 'planned', confirmed: undefined };
      }
      return isBusy(job) ? job : jobIn('choosing', origin);
  }
}

export function isBusy({ phase }: JobState): boolean {
  return ['dryRunning', 'confirming', 'executing'].includes(phase);
}
