import { ServiceFailure } from '../../src/service/failure/failure.ts';
import { findingOf, notAsked, type OwnWords, type ServerClaim, type ClaimFinding } from './claim.ts';
import { CLAIMS } from './claims.ts';
import type { ServerSession } from './session.ts';

/** A claim and its outcome. */
export interface ClaimRow {
  readonly claim: ServerClaim;
  readonly finding: ClaimFinding;
}

const STOPPED: ClaimFinding = { ...notAsked('the run was stopped'), isUnanswered: true };
/** The message of such an error may contain anything, so it isn't shown. */
const DEFECT: ClaimFinding = { ...notAsked('a defect of this program'), isUnanswered: true };

/** The run ends after this many claims in a row without a response: each could take minutes. */
const MOST_UNANSWERED = 3;
const OUT_OF_REACH: ClaimFinding = { ...notAsked('earlier requests had no response'), isUnanswered: true };

export interface RunOutcome {
  readonly rows: readonly ClaimRow[];
  /** Name of a created token that may still exist. */
  readonly leftToken: string | undefined;
}

/** Called during a run. */
export interface RunProgress {
  /** Shows a line about the claim that is asked until the next line. */
  readonly shows: (step: string) => void;
  readonly tells: (line: string) => void;
}

/** Checks all claims in order, then revokes the token that was created on the way. */
export async function askAll(session: ServerSession, progress: RunProgress): Promise<RunOutcome> {
  const rows: ClaimRow[] = [];
  let unanswered = 0;
  for (const claim of CLAIMS) {
    progress.shows(claim.sentence);
    const isLost = unanswered >= MOST_UNANSWERED && !session.signal.aborted;
    const finding = isLost ? OUT_OF_REACH : await ask(claim, session);
    if (finding.isUnanswered === true) {
      unanswered += 1;
    } else if (finding.result !== 'not asked') {
      unanswered = 0;
    }
    rows.push({ claim, finding });
    if (!session.signal.aborted) progress.tells(`${finding.result}: ${claim.sentence}`);
  }
  const { ownToken } = session;
  if (ownToken?.mayExist === true) progress.tells('Revoking the created token…');
  const isClean = ownToken === undefined || (await ownToken.cleanUp());
  return { rows, leftToken: isClean ? undefined : ownToken.name };
}

/** Never throws: the created token must be revoked afterwards. */
async function ask(claim: ServerClaim, session: ServerSession): Promise<ClaimFinding> {
  if (session.signal.aborted) return STOPPED;
  if (claim.onlyDataHub === true && !session.isDataHub) return notAsked('not in the interface description');
  try {
    const answer = await claim.ask(session);
    // What is expected is in this repository too.
    return answer === true ? { result: 'holds', seen: claim.expected as OwnWords } : answer;
  } catch (thrown) {
    if (session.signal.aborted) return STOPPED;
    return thrown instanceof ServiceFailure && thrown.kind !== 'readOnly' ? findingOf(thrown) : DEFECT;
  }
}
