/** The overview of two indices after their dry runs. */
import type { TestContext } from 'node:test';
import { emptyDraft } from '../../../../../src/truncation/plan.ts';
import { RunningWindow, scriptedServer, type ScriptedServer, type Stage } from '../../../truncation/runningWindow.ts';

/** @param prepare Called before the dry runs. */
export async function countedJob(
  context: TestContext,
  prepare: (server: ScriptedServer) => void = () => undefined,
): Promise<Stage> {
  const server = await scriptedServer(context);
  prepare(server);
  const window = await RunningWindow.open(context, server.url);
  const job = window.overview();
  const endTimeMillis = Date.UTC(2026, 4, 1);
  await job.count(
    ['operation', 'usage'].map((aspect) => Object.assign(emptyDraft('dataset', aspect), { endTimeMillis })),
  );
  return { server, window, job };
}
