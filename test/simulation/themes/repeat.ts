/** Network stacks that repeat a request by themselves: an execution, a creation or a revocation of a token. */
import { mayStillSend } from '../../../src/connections/mayStillSend.ts';
import { toServiceFailure } from '../../../src/service/failure/failure.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import type { Machine } from '../machine.ts';
import { FATES, NO_FATES } from '../network.ts';
import { ENTITY_TYPE } from '../server.ts';
import { onlyItem, type Window } from '../window.ts';
import { connect } from './connect.ts';

const DAY = 86_400_000;

export const REPEAT_PHASES: readonly string[] = [
  'repeat: the stack of the workbench is a browser’s',
  'repeat: an execution whose outcome is unknown',
  'repeat: a token is created',
  'repeat: a creation or revocation whose outcome is unknown',
];

export async function repeat(machine: Machine): Promise<void> {
  const { random, network, reachedPhases } = machine;
  machine.patience = [5, 50];
  machine.deathRate = 0;
  network.workbenchStack = random.chance(0.4) ? 'chromium' : 'node';
  network.fates = { mutations: { ...FATES, fine: 10, slow: 0, silentBefore: 0, silentAfter: 0 }, others: NO_FATES };
  if (network.workbenchStack === 'chromium') {
    reachedPhases.add('repeat: the stack of the workbench is a browser’s');
  }
  const window = machine.openWindow();
  const { id } = await connect(machine, window);
  for (let count = random.whole(1, 2); count > 0; count--) {
    await random.pick([truncate, truncate, create, revoke])(machine, window, id);
  }
}

async function truncate(machine: Machine, window: Window, connectionId: string): Promise<void> {
  const { random, timeline, reachedPhases } = machine;
  const draft = emptyDraft(ENTITY_TYPE, random.pick(['operation', 'datasetprofile']));
  const run = await window.open(connectionId, { ...draft, endTimeMillis: Math.floor(timeline.wall - 20 * DAY) });
  await onlyItem(run).dryRun();
  await run.execute(window.ask);
  const { state } = onlyItem(run);
  if (state.phase === 'failed' && state.ending.kind === 'unknown') {
    reachedPhases.add('repeat: an execution whose outcome is unknown');
  }
}

async function create(machine: Machine, window: Window, connectionId: string): Promise<void> {
  const name = `token ${machine.random.next()}`;
  await reporting(machine, name, async () => {
    const connection = window.store.get(connectionId);
    await (connection &&
      window.services
        .get(connection)
        .tokens.create(
          { type: 'PERSONAL', actorUrn: 'urn:li:corpuser:admin', duration: 'ONE_DAY', name, description: undefined },
          true,
          { mayStillSend: mayStillSend(window, connection) },
        ));
    machine.reachedPhases.add('repeat: a token is created');
  });
}

async function revoke(machine: Machine, window: Window, connectionId: string): Promise<void> {
  const id = `id ${machine.random.next()}`;
  await reporting(machine, id, async () => {
    const connection = window.store.get(connectionId);
    await (connection &&
      window.services.get(connection).tokens.revoke(id, { mayStillSend: mayStillSend(window, connection) }));
  });
}

/** @param part identifies the token in the request */
async function reporting({ ledger, reachedPhases }: Machine, part: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const failure = toServiceFailure(thrown);
    if (failure.mayHaveActed) {
      reachedPhases.add('repeat: a creation or revocation whose outcome is unknown');
    }
    ledger.reportedToken(part, failure);
  }
}
