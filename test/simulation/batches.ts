/** Users truncate batches: they deselect items, stop, and continue or dismiss interrupted batches. */
import { indexNameText } from '../../src/indices/indexName.ts';
import { itemDraft } from '../../src/batch/batchItem.ts';
import { draftFrom, emptyDraft, withSafeStrategy, type PlanDraft } from '../../src/truncation/plan.ts';
import { plansLeft, type BatchRecord } from '../../src/batch/batchStore.ts';
import type { BatchRun } from '../../src/batch/batchRun.ts';
import type { Machine } from './machine.ts';
import { ASPECTS, ENTITY_TYPE } from './server.ts';
import type { Window } from './window.ts';

const DAY = 86_400_000;

/** Phases that some schedules must reach. */
export const BATCH_PHASES: readonly string[] = [
  'batch: none may be sent',
  'batch: all finished',
  'batch: one that was not sent stops the rest',
  'batch: one that failed stops the rest',
  'batch: an unknown outcome stops the rest',
  'batch: stopped by the user',
  'batch: continued',
  'batch: continued, on a new page',
  'batch: too many at once',
  'batch: dismissed',
];

export async function truncateBatch(machine: Machine, window: Window, connectionId: string): Promise<void> {
  const { random, timeline, ledger } = machine;
  const batch = window.openBatch(connectionId);
  // The page refuses half a day, because batches are limited to whole days.
  const days = random.chance(0.05) ? 0.5 : random.pick([20, 50, 80]);
  const cutoff = Math.floor(timeline.wall - timeline.wallOffset - days * DAY);
  const aspects = random.chance(0.02) ? tooMany() : ASPECTS.filter(() => random.chance(0.9));
  await batch.dryRun(aspects.map((aspect) => draftOf(aspect, cutoff)));
  ledger.shownBatch(batch.items.length);
  if (batch.items.length < aspects.length) {
    machine.reachedPhases.add('batch: too many at once');
  }
  await press(machine, window, batch, connectionId);
}

/** Continues an interrupted batch on a new page. */
export async function continueInterrupted(machine: Machine, window: Window, connectionId: string): Promise<void> {
  const left = await interrupted(window, connectionId);
  if (left !== undefined) {
    machine.reachedPhases.add('batch: continued, on a new page');
    const batch = window.openBatch(connectionId);
    await continueOn(batch, left);
    await press(machine, window, batch, connectionId);
  }
}

/** The interrupted batch that the page offers. */
async function interrupted(window: Window, connectionId: string): Promise<BatchRecord | undefined> {
  await Promise.all([window.batches.reload(), window.records.reload()]);
  return window.batches.of(connectionId).find((batch) => plansLeft(batch).length > 0);
}

export async function continueOn(batch: BatchRun, left: BatchRecord): Promise<void> {
  await batch.dryRun(
    plansLeft(left).map((plan) => itemDraft(withSafeStrategy(draftFrom(plan)))),
    left,
  );
}

export async function dismiss({ ledger, timeline }: Machine, window: Window, left: BatchRecord): Promise<void> {
  timeline.note(`window ${window.id}: Dismiss`);
  ledger.batches.dismissing(left);
  const isMine = await window.batches.forget(left);
  timeline.note(`window ${window.id}: ${isMine ? 'dismissed' : 'another window was first'}`);
  if (isMine) {
    ledger.batches.dismissed(left.id);
  }
}

async function press(machine: Machine, window: Window, batch: BatchRun, connectionId: string): Promise<void> {
  const { random, timeline } = machine;
  const think = (): Promise<void> => window.pause(random.pick([50, 2_000, 20_000]));
  for (let attempt = 0; attempt < 3; attempt++) {
    await think();
    if (random.chance(0.1) && batch.items.length > 0) {
      batch.select(random.pick(batch.items), false);
    }
    if (random.chance(0.15)) {
      timeline.after(random.whole(100, 30_000), () => stop(machine, batch));
    }
    timeline.note(`window ${window.id}: Delete ${batch.plannedItems.length} as a batch`);
    const pressed = window.executeBatch(batch);
    // Some users click twice.
    await (random.chance(0.2) ? Promise.all([pressed, window.executeBatch(batch)]) : pressed);
    reached(machine, batch);
    await think();
    const left = await interrupted(window, connectionId);
    if (left === undefined) {
      return;
    }
    if (random.chance(0.2)) {
      machine.reachedPhases.add('batch: dismissed');
      await dismiss(machine, window, left);
    } else {
      machine.reachedPhases.add('batch: continued');
      await continueOn(batch, left);
    }
  }
}

/** One more item than a question can list. */
function tooMany(): readonly string[] {
  return Array.from({ length: 26 }, (_, index) => `aspect${index}`);
}

export function draftOf(aspect: string, endTimeMillis: number): PlanDraft {
  return itemDraft({ ...emptyDraft(ENTITY_TYPE, aspect), endTimeMillis });
}

function stop({ ledger, timeline, reachedPhases }: Machine, batch: BatchRun): void {
  if (batch.phase === 'executing') {
    timeline.note(`Stop ${batch.items.map(({ draft }) => indexNameText(draft)).join()}`);
    reachedPhases.add('batch: stopped by the user');
    ledger.stopped(batch);
    batch.stop();
  }
}

function reached({ reachedPhases }: Machine, batch: BatchRun): void {
  const sent = batch.items.filter(({ isSelected }) => isSelected).map(({ status }) => status);
  if (batch.phase !== 'ended') {
    return;
  }
  const last = sent.findLast((status) => status !== 'notSent' && status !== 'finished');
  reachedPhases.add(
    sent.every((status) => status === 'finished')
      ? 'batch: all finished'
      : sent.every((status) => status === 'notSent')
        ? 'batch: none may be sent'
        : last === 'failed'
          ? 'batch: one that failed stops the rest'
          : last === 'unknown'
            ? 'batch: an unknown outcome stops the rest'
            : 'batch: one that was not sent stops the rest',
  );
}
