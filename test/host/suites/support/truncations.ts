import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { DeletionStrategy } from '../../../../src/service/indices/truncationRequest.ts';
import type { Caution } from '../../../../src/truncation/cautions.ts';
import type { LoggedRequest } from '../../../service/requestLog.ts';
import type { HostService } from '../../environment.ts';
import { DrivenWizard } from './drivenWizard.ts';
import type { Person } from './person.ts';
import { requestsWith } from './requests.ts';
import { findRow, indexRow, refresh, type Row, rowAt, rowsBelow } from './tree.ts';
import { PATIENCE_MS, realMillis, until } from './until.ts';

export const INDICES = 'Time series indices';
export const TRUNCATIONS = 'Truncations';
/** Readers are counted for ten seconds and more after a task has ended. Shorter than the limit of a test. */
export const READERS_PATIENCE_MS = 45_000;
const MILLIS_PER_DAY = 24 * 60 * 60 * 1000;

/** The body of `POST …?action=truncateTimeseriesAspect`. */
interface TruncateBody {
  readonly entityType: string;
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
  readonly batchSize: number;
  readonly forceDeleteByQuery?: boolean;
}

interface PlanChoices {
  /** Age of the youngest row to delete. */
  readonly days?: number;
  /** Chosen only if the server offers a choice. */
  readonly strategy?: DeletionStrategy;
}

/** Opens the wizard of an index and starts a dry run, whose response the caller awaits. */
export async function dryRun(
  connection: string,
  target: string,
  { days = 365, strategy = 'deleteByQuery' }: PlanChoices = {},
): Promise<DrivenWizard> {
  const wizard = await DrivenWizard.open(await indexRow(connection, target));
  wizard.dryRun({
    endTimeMillis: Date.now() - days * MILLIS_PER_DAY,
    ...(wizard.view.canChooseStrategy ? { strategy } : {}),
  });
  return wizard;
}

interface DeletionQuestion {
  readonly title: string;
  readonly prompt: string;
}

/**
 * Presses "Delete … Rows…", and types what is asked for.
 * @returns the question
 */
export async function confirm(person: Person, wizard: DrivenWizard, target: string): Promise<DeletionQuestion> {
  await wizard.report();
  const isReindex = wizard.view.cautions.some(({ kind }) => kind === 'reindex');
  await pressDelete(wizard, ...(isReindex ? (['reindex'] as const) : []));
  return typesToDelete(person, target);
}

/** Types what is asked for before rows are deleted. @param subject An index, or for example "2 indices". */
async function typesToDelete(person: Person, subject: string): Promise<DeletionQuestion> {
  const asked = deletionOf(subject);
  const question = await person.readsBox(asked);
  const [, text = ''] = /Type "(.*)"\.$/.exec(question.prompt) ?? [];
  await person.types(asked, text);
  return question;
}

/** The question before rows of an index, or for example of "2 indices", are deleted. */
function deletionOf(subject: string): RegExp {
  return new RegExp(`^Delete (?:[\\d,]+ of [\\d,]+ )?rows? of ${subject} from `, 'i');
}

/** @param acceptedCautions Boxes to tick before. */
export async function pressDelete(wizard: DrivenWizard, ...acceptedCautions: Caution['kind'][]): Promise<void> {
  await wizard.report();
  if (acceptedCautions.length > 0) {
    wizard.tick(...acceptedCautions);
  }
  assert.deepEqual([wizard.view.primary.intent, wizard.view.primary.enabled], ['execute', true]);
  wizard.says({ type: 'execute' });
}

/** Confirms a dry run at once. Its wizard is hidden, so that notifications report the outcome. */
export async function truncate(
  person: Person,
  connection: string,
  target: string,
  choices: PlanChoices = {},
): Promise<DeletionQuestion> {
  const wizard = await dryRun(connection, target, choices);
  await wizard.hide();
  const question = await confirm(person, wizard, target);
  await ended(wizard, connection, target);
  return question;
}

/** Waits until a confirmed truncation was sent and recorded, or was not sent, and closes the wizard. */
export async function ended(wizard: DrivenWizard, connection: string, target: string): Promise<void> {
  const { phase } = await wizard.settled();
  if (phase === 'running' || phase === 'finished') {
    await until(`the row of ${target}`, async () => {
      const rows = await truncations(connection);
      return rows.some(({ label, item }) => isNamed(label, target) && item.contextValue?.includes('idKnown'));
    });
  }
  wizard.close();
}

/** Names are shown as in the platform's registry. */
function isNamed(label: string, target: string): boolean {
  return label.toLowerCase() === target.toLowerCase();
}

/** Rows of sent truncations, latest first. */
export async function truncations(connection: string): Promise<Row[]> {
  const group = await findRow([connection, TRUNCATIONS]);
  return group === undefined ? [] : rowsBelow(group);
}

/** Waits until readers were counted five times over ten seconds of this host's clock. Works with a hidden tree. */
export function endedTruncation(connection: string, target: string): Promise<Row> {
  return endedAfter(connection, target, 2_500, 300);
}

/** Waits for the end if readers don't see what they should, which is reported within thirty minutes. */
export function endedMuchLater(connection: string, target: string): Promise<Row> {
  return endedAfter(connection, target, 60_000, 30);
}

/**
 * @param stepMillis advance of this host's clock with each check, in ms
 * @param looks checks with an advance of the clock; later ones wait for a busy server
 */
async function endedAfter(connection: string, target: string, stepMillis: number, looks: number): Promise<Row> {
  const { now } = Date;
  const patientUntil = realMillis() + PATIENCE_MS;
  try {
    for (let look = 0; look < looks || realMillis() < patientUntil; look++) {
      Date.now = () => now() + Math.min(look, looks - 1) * stepMillis;
      await refresh(await rowAt(connection, TRUNCATIONS));
      const row = (await truncations(connection)).find(({ label }) => isNamed(label, target));
      if (row !== undefined && hasEnded(row)) {
        return row;
      }
    }
  } finally {
    Date.now = now;
  }
  throw new Error(`The truncation of ${target} has no end after ${looks} looks and ${PATIENCE_MS / 1000} s.`);
}

/** By its icon: a running one turns, stands still or warns. */
function hasEnded({ item }: Row): boolean {
  return ['pass', 'error', 'question'].includes((item.iconPath as vscode.ThemeIcon).id);
}

export async function sentTo(service: HostService, target: string): Promise<readonly TruncateBody[]> {
  const bodies = (await requestsWith(service, 'action=truncateTimeseriesAspect')).map(bodyOf);
  return bodies.filter(({ entityType, aspect }) => `${entityType}/${aspect}` === target);
}

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
