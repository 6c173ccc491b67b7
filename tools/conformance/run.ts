import { ServiceFailure } from '../../src/service/failure/failure.ts';
import { findingOf, notAsked, words, type Claim, type Finding } from './claim.ts';
import { CLAIMS } from './claims.ts';
import type { Session } from './session.ts';

/** A claim and its outcome. */
export interface Row {
  readonly claim: Claim;
  readonly finding: Finding;
}

const STOPPED: Finding = { ...notAsked(words('the run was stopped')), isUnanswered: true };
/** The message of such an error may hold anything, so it isn't shown. */
const DEFECT: Finding = { ...notAsked(words('a defect of this program')), isUnanswered: true };

/** The run ends after this many claims in a row without a response: each could take minutes. */
const MOST_UNANSWERED = 3;
const OUT_OF_REACH: Finding = { ...notAsked(words('earlier requests had no response')), isUnanswered: true };

export interface Outcome {
  readonly rows: readonly Row[];
  /** Name of a created token that may still be on the server. */
  readonly leftToken: string | undefined;
}

/** Called during a run. */
export interface Progress {
  starts(claim: Claim): void;
  ends(row: Row): void;
  /** Its token is still there after the last claim. */
  revokes(): void;
}

/**
 * Asks about all claims in order, then revokes the token that was created on the way.
 */
export async function askAll(session: Session, progress: Progress): Promise<Outcome> {
  const rows: Row[] = [];
  let unanswered = 0;
  for (const claim of CLAIMS) {
    progress.starts(claim);
    const isLost = unanswered >= MOST_UNANSWERED && !session.signal.aborted;
    const finding = isLost ? OUT_OF_REACH : await ask(claim, session);
    if (finding.isUnanswered === true) {
      unanswered += 1;
    } else if (finding.result !== 'not asked') {
      unanswered = 0;
    }
    const row = { claim, finding };
    rows.push(row);
    progress.ends(row);
  }
  const { ownToken } = session;
  if (ownToken?.mayExist === true) {
    progress.revokes();
  }
  const isClean = ownToken === undefined || (await ownToken.cleanUp());
  return { rows, leftToken: isClean ? undefined : ownToken.name };
}

/** Never throws, because the created token has to be revoked afterwards. */
async function ask(claim: Claim, session: Session): Promise<Finding> {
  if (session.signal.aborted) {
    return STOPPED;
  }
  if (claim.onlyDataHub === true && !session.isDataHub) {
    return notAsked(words('not in the interface description'));
  }
  try {
    return await claim.ask(session);
  } catch (thrown) {
    if (session.signal.aborted) {
      return STOPPED;
    }
    return thrown instanceof ServiceFailure && thrown.kind !== 'readOnly' ? findingOf(thrown) : DEFECT;
  }
}
