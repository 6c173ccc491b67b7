import { randomBytes } from 'node:crypto';
import { ServiceFailure } from '../../src/service/failure/failure.ts';
import type { PauseFunction } from '../../src/service/http/retry.ts';
import type { ConformanceOptions } from './options.ts';
import { CLAIMS } from './claims.ts';
import { report } from './report.ts';
import { askAll, type ClaimRow } from './run.ts';
import { CannotAsk, openSession, type ServerSession } from './session.ts';

/** Output and interruption of a run. */
export interface RunSurroundings {
  /** Of the extension. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** The report. */
  readonly print: (text: string) => void;
  /** Progress, problems, and finally the name of a token that could not be revoked. */
  readonly tell: (line: string) => void;
  /** Shows the current step until the next line. Undefined unless it's a terminal. */
  readonly show: ((text: string) => void) | undefined;
  /** Waits for real by default. */
  readonly pause?: PauseFunction;
}

/** Exit codes. */
export const EXIT = { allHold: 0, differs: 1, cannotAsk: 2, tokenLeft: 3, stopped: 130 } as const;

/** @param credential the user's access token. @returns the exit code */
export async function conformance(
  options: ConformanceOptions,
  credential: string | undefined,
  surroundings: RunSurroundings,
): Promise<number> {
  const { tell, print, show, signal } = surroundings;
  let asked = 0;
  let session: ServerSession;
  try {
    session = await openSession({
      ...options,
      version: surroundings.version,
      credential,
      tokenName: `conformance-${randomBytes(6).toString('hex')}`,
      signal,
      dryRunStarts: (number, of) => show?.(`${position(asked)} Dry run ${number} of ${of}…`),
      ...(surroundings.pause === undefined ? {} : { pause: surroundings.pause }),
    });
  } catch (thrown) {
    tell(signal.aborted ? 'Stopped. Nothing was created.' : reasonText(thrown));
    return signal.aborted ? EXIT.stopped : EXIT.cannotAsk;
  }
  const { rows, leftToken } = await askAll(session, {
    tells: tell,
    shows: (step) => {
      asked += 1;
      show?.(`${position(asked)} ${step}…`);
    },
  });
  if (signal.aborted) tell('Stopped.');
  print(
    report(rows, {
      version: surroundings.version,
      date: new Date().toISOString().slice(0, 10),
      server: session.server,
      mostIndices: options.mostIndices,
      names: options.names ? { baseUrl: options.baseUrl, caller: session.caller } : undefined,
    }),
  );
  if (leftToken !== undefined) {
    tell(`This token may still be valid for up to an hour. Revoke it: ${leftToken}`);
    return EXIT.tokenLeft;
  }
  return signal.aborted ? EXIT.stopped : exitCode(rows);
}

function position(asked: number): string {
  return `${asked}/${CLAIMS.length}`;
}

function exitCode(rows: readonly ClaimRow[]): number {
  if (rows.some(({ finding }) => finding.result === 'differs')) return EXIT.differs;
  return rows.some(({ finding }) => finding.isUnanswered === true) ? EXIT.cannotAsk : EXIT.allHold;
}

/** Omits the sentences of failures, because they name the address. */
function reasonText(thrown: unknown): string {
  if (thrown instanceof CannotAsk) return thrown.message;
  if (!(thrown instanceof ServiceFailure)) return 'A defect of this program. Nothing was created.';
  // After a timeout, the next step would be a setting of the extension.
  const next = thrown.kind === 'timedOut' ? undefined : thrown.next;
  return [`The server can't be asked: ${thrown.headline}.`, next ?? []].flat().join(' ');
}
