/** What a run of the script does in a situation, and what it says. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { FaultRule } from '../service/faults.ts';
import type { RunningService } from '../service/main.ts';
import type { ServiceOptions } from '../service/options.ts';
import { executions, rowCount, smallService, type RowPlan } from './rows.ts';
import { jobFor, type Environment, type Job, type JobSettings } from './script.ts';
import { inShell, type FoundShell } from './shells.ts';

/** A job beside the only service that it knows. */
export interface SmallJob {
  readonly service: RunningService;
  readonly job: Job;
}

/** A service with 20 old rows of 200, and the script for it. */
type MakeJob = (settings?: JobSettings, options?: ServiceOptions, plan?: RowPlan) => Promise<SmallJob>;

/** One run, which deletes unless something keeps it from that, and its end. */
export interface Situation {
  readonly settings?: JobSettings;
  readonly options?: ServiceOptions;
  readonly plan?: RowPlan;
  readonly faults?: readonly FaultRule[];
  readonly environment?: Environment;
  readonly before?: (here: SmallJob) => Promise<unknown> | void;
  /** Acts while the script runs. */
  readonly meanwhile?: (here: SmallJob) => Promise<unknown>;
  readonly says: RegExp;
  /** Printed as an error. Nothing by default. */
  readonly complains?: RegExp;
  readonly code: number;
  /** Requests to delete. None by default. */
  readonly sent?: number;
  /** Requests of any kind. */
  readonly requests?: number;
  /** Rows that are left of the 200. All by default. */
  readonly left?: number;
  readonly afterwards?: (here: SmallJob) => Promise<unknown>;
}

/** A test of more than one run. */
type Story = (make: MakeJob, context: TestContext) => Promise<void>;

/** Situations and stories, by their titles. */
export type Table = Readonly<Record<string, Situation | Story>>;

/** The tests of a table in a shell. */
export function* testsIn(
  shell: FoundShell,
  table: Table,
): Generator<[title: string, body: (context: TestContext) => Promise<void>]> {
  for (const [title, one] of Object.entries(table)) {
    yield [
      title,
      inShell(shell, (context, found) => {
        const make: MakeJob = async (settings = {}, options = {}, plan = {}) => {
          const service = await smallService(context, options, plan);
          return { service, job: await jobFor(context, found, service, settings) };
        };
        return typeof one === 'function' ? one(make, context) : play(make, one);
      }),
    ];
  }
}

/** A table with a row for each of these. */
export function tableOf<Of>(
  each: Readonly<Record<string, Of>>,
  title: (what: string) => string,
  situation: (one: Of) => Situation | Story,
): Table {
  return Object.fromEntries(Object.entries(each).map(([what, one]) => [title(what), situation(one)]));
}

async function play(make: MakeJob, situation: Situation): Promise<void> {
  const { settings, options, plan, faults = [], environment = {}, before, meanwhile, afterwards } = situation;
  const { says, complains = /^$/, code, sent = 0, requests, left = 200 } = situation;
  const here = await make(settings, options, plan);
  const { service, job } = here;
  for (const fault of faults) service.faults.add(fault);
  await before?.(here);
  const running = job.start({ EXECUTE: 'yes', ...environment });
  await meanwhile?.(here);
  const run = await running.end;
  assert.match(run.stdout, says);
  assert.match(run.stderr, complains);
  assert.deepEqual([run.code, executions(service).length, rowCount(service)], [code, sent, left], run.stdout);
  if (requests !== undefined) assert.equal(service.requests.length, requests);
  await afterwards?.(here);
}

/** Unix time in seconds, as the script reads it. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
