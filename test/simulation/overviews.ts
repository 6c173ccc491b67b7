/** Users truncate several indices at once: they deselect items, stop, and try the rest again. */
import { indexNameText } from '../../src/indices/indexName.ts';
import { emptyDraft, type PlanDraft } from '../../src/truncation/plan.ts';
import type { JobRun } from '../../src/truncation/jobRun.ts';
import type { Machine } from './machine.ts';
import { ASPECTS, ENTITY_TYPE } from './server.ts';
import type { Window } from './window.ts';

const DAY = 86_400_000;

/** Phases that some schedules must reach. */
export const JOB_PHASES: readonly string[] = [
  'job: none may be sent',
  'job: all finished',
  'job: one that was not sent stops the rest',
  'job: one that failed stops the rest',
  'job: an unknown outcome stops the rest',
  'job: stopped by the user',
  'job: the rest is counted again',
];

export async function truncateSeveral(machine: Machine, window: Window, connectionId: string): Promise<void> {
  const { random, timeline } = machine;
  const job = window.openOverview(connectionId);
  // The page refuses half a day, because it is limited to whole days.
  const days = random.chance(0.05) ? 0.5 : random.pick([20, 50, 80]);
  const cutoff = Math.floor(timeline.wall - timeline.wallOffset - days * DAY);
  const aspects = ASPECTS.filter(() => random.chance(0.9));
  await job.countAll(aspects.map((aspect) => ({ draft: draftOf(aspect, cutoff) })));
  await press(machine, window, job);
}

async function press(machine: Machine, window: Window, job: JobRun): Promise<void> {
  const { random, timeline } = machine;
  const think = (): Promise<void> => window.pause(random.pick([50, 2_000, 20_000]));
  for (let attempt = 0; attempt < 3; attempt++) {
    await think();
    // Most users accept a caution, and some leave an index out.
    for (const [place, { review, cautions }] of job.items.entries()) {
      if (review !== undefined && random.chance(cautions.length > 0 ? 0.7 : 0.1)) {
        const kinds = cautions.map(({ kind }) => kind);
        job.tick(place, random.chance(0.8), review.at, kinds);
      }
    }
    if (random.chance(0.15)) {
      timeline.after(random.whole(100, 30_000), () => stop(machine, job));
    }
    timeline.note(`window ${window.id}: Delete ${job.plannedItems.length} at once`);
    const pressed = window.execute(job);
    // Some users click twice.
    await (random.chance(0.2) ? Promise.all([pressed, window.execute(job)]) : pressed);
    reached(machine, job);
    await think();
    if (job.state.phase !== 'ended' || !job.items.some(({ status }) => status === 'notSent')) {
      return;
    }
    machine.reachedPhases.add('job: the rest is counted again');
    await job.countAgain();
  }
}

export function draftOf(aspect: string, endTimeMillis: number): PlanDraft {
  return { ...emptyDraft(ENTITY_TYPE, aspect), endTimeMillis };
}

function stop({ ledger, timeline, reachedPhases }: Machine, job: JobRun): void {
  if (job.state.phase === 'executing') {
    timeline.note(`Stop ${job.items.map(({ state }) => indexNameText(state.draft)).join()}`);
    reachedPhases.add('job: stopped by the user');
    ledger.confirmations.stopped(job);
    job.stop();
  }
}

function reached({ reachedPhases }: Machine, job: JobRun): void {
  const sent = job.items.filter(({ isSelected }) => isSelected).map(({ status }) => status);
  if (job.state.phase !== 'ended') {
    return;
  }
  const last = sent.findLast((status) => status !== 'notSent' && status !== 'finished');
  reachedPhases.add(
    sent.every((status) => status === 'finished')
      ? 'job: all finished'
      : sent.every((status) => status === 'notSent')
        ? 'job: none may be sent'
        : last === 'failed'
          ? 'job: one that failed stops the rest'
          : last === 'unknown'
            ? 'job: an unknown outcome stops the rest'
            : 'job: one that was not sent stops the rest',
  );
}
