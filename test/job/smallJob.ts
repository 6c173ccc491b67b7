import type { TestContext } from 'node:test';
import type { RunningService } from '../service/main.ts';
import type { ServiceOptions } from '../service/options.ts';
import { smallService, type RowPlan } from './rows.ts';
import { jobFor, type Job } from './script.ts';
import type { JobSettings } from './settings.ts';
import type { JobShell } from './shells.ts';

/** A job beside the only service that it knows. */
interface SmallJob {
  readonly service: RunningService;
  readonly job: Job;
}

/** A service with 20 old rows of 200, and the script for it. */
export async function smallJob(
  context: TestContext,
  shell: JobShell,
  settings: JobSettings = {},
  options: ServiceOptions = {},
  plan: RowPlan = {},
): Promise<SmallJob> {
  const service = await smallService(context, options, plan);
  return { service, job: await jobFor(context, shell, service, settings) };
}
