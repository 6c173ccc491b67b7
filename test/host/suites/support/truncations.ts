/** Truncations made natively, as a person makes them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/manifest.ts';
import type { LoggedRequest } from '../../../service/requestLog.ts';
import type { HostService } from '../../environment.ts';
import type { Person } from './person.ts';
import { requestsWith } from './requests.ts';
import { findRow, refresh, rowAt, rowsBelow } from './tree.ts';
import type { Row } from './tree.ts';
import { until } from './until.ts';
import type { Question } from './watchedWindow.ts';

export const INDICES = 'Time series indices';
export const TRUNCATIONS = 'Truncations';
export const WHICH_ROWS = /Select the rows to delete/;
export const REPORT = /Nothing (?:was|has been) deleted/;
const OPTIONS = /Select an option to change/;
const BATCH_SIZE = /Rows deleted per batch/;
const STRATEGY = /Select a deletion strategy/;

/** What is asked of `POST …?action=truncateTimeseriesAspect`. */
export interface TruncateBody {
  readonly entityType: string;
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
  readonly batchSize: number;
  readonly forceDeleteByQuery?: boolean;
}

/** How a person wants the rows deleted, where the server is known to leave them the choice. */
export type Way = 'Automatic' | 'Delete by query' | 'Reindex';

/** Makes batches small, so that there are several, and chooses how rows are deleted where the server is known to leave the choice. */
async function setOptions(person: Person, way: Way): Promise<void> {
  await person.picks(WHICH_ROWS, 'Options…');
  await person.picks(OPTIONS, 'Batch size');
  await person.types(BATCH_SIZE, '100');
  const offered = await person.offered(OPTIONS, 'Batch size');
  if (way !== 'Automatic' && offered.some(({ label }) => label === 'Strategy')) {
    await person.picks(OPTIONS, 'Strategy');
    await person.picks(STRATEGY, way);
  }
  await person.picks(OPTIONS, 'Done');
}

/** A flow that is under way; `done` is fulfilled when its command is. */
export interface Flow {
  readonly done: Thenable<unknown>;
}

/** Starts the quick flow on an index and answers it up to the dry run's report. */
export async function dryRun(
  person: Person,
  connection: string,
  target: string,
  preset = 'Older than 365 days',
  way: Way = 'Automatic',
): Promise<Flow> {
  const [entityType = '', aspect = ''] = target.split('/');
  const row = await rowAt(connection, INDICES, entityType, aspect);
  const done = vscode.commands.executeCommand(COMMANDS.indexTruncateQuick, row.node);
  await setOptions(person, way);
  await person.picks(WHICH_ROWS, preset);
  return { done };
}

/** Takes "Delete … Rows", types the name, says yes. @returns what was asked at last */
export async function confirm(person: Person, target: string): Promise<Question> {
  await person.picks(REPORT, /^\$\(trash\) Delete [\d,]+ Rows?…$/);
  await person.types(new RegExp(`Type ${target} to confirm`), target);
  return person.answers(new RegExp(`^Delete [\\d,]+ rows? of ${target}\\?$`), /^Delete [\d,]+ Rows?$/);
}

/** A dry run that is confirmed at once. */
export async function truncate(person: Person, connection: string, target: string, preset?: string): Promise<void> {
  const { done } = await dryRun(person, connection, target, preset);
  await confirm(person, target);
  await done;
}

/** The rows of truncations that were sent, the latest first. */
export async function truncations(connection: string): Promise<Row[]> {
  const group = await findRow([connection, TRUNCATIONS]);
  return group === undefined ? [] : rowsBelow(group);
}

/** Refreshes until a truncation has ended. */
export async function endedTruncation(connection: string, target: string): Promise<Row> {
  return until(`the end of ${target}`, async () => {
    await refresh(await rowAt(connection, TRUNCATIONS));
    const row = (await truncations(connection)).find(({ label }) => label === target);
    return row?.item.contextValue?.endsWith(';ended') && row;
  });
}

/** Everything that was sent to delete, dry runs or not. */
export async function sentTo(service: HostService, target: string): Promise<readonly TruncateBody[]> {
  const bodies = (await requestsWith(service, 'action=truncateTimeseriesAspect')).map(bodyOf);
  return bodies.filter(({ entityType, aspect }) => `${entityType}/${aspect}` === target);
}

/** What was sent to be executed. */
export async function executionsOf(service: HostService, target: string): Promise<readonly TruncateBody[]> {
  const bodies = await sentTo(service, target);
  assert.ok(
    bodies.every((body) => typeof body.dryRun === 'boolean'),
    'dryRun was left out',
  );
  return bodies.filter((body) => !body.dryRun);
}

function bodyOf({ body }: LoggedRequest): TruncateBody {
  return JSON.parse(body) as TruncateBody;
}
