import { ServiceFailure, type FailureKind } from '../../src/service/failure/failure.ts';
import { PRIVILEGES } from '../../src/service/failure/privileges.ts';
import type { ServerSession } from './session.ts';

/** Text from this repository. Text from a server never has this type, so reports can be posted. */
export type OwnWords = string & { readonly [fromHere]: true };
declare const fromHere: unique symbol;

/** Any text that is only known at run time is `string`, and so can't be seen. */
type Seen<Text extends string> = string extends Text ? never : Text;

/** Accepts literals only: any other string doesn't compile. */
export function words<const Text extends string>(text: Seen<Text>): OwnWords {
  return text as string as OwnWords;
}

export type ClaimResult = 'holds' | 'differs' | 'not permitted' | 'not asked';

/** The outcome for one claim. */
export interface ClaimFinding {
  readonly result: ClaimResult;
  readonly seen: OwnWords;
  /** Names, counts and texts of the server. Printed only if the user asks for names. */
  readonly detail?: string | undefined;
  /** No response came, for a reason that says nothing about the claim. */
  readonly isUnanswered?: true;
}

/** True: the claim holds, in the words that are expected. */
export type ClaimAnswer = ClaimFinding | true;

/** Recommendation if a claim differs. */
export type ClaimAdvice = 'useIt' | 'noTokens' | 'noTruncation' | 'dontUseIt';

/** A statement about servers that the extension relies on. */
export interface ServerClaim {
  readonly id: string;
  readonly sentence: string;
  /** Also what is seen if it holds, unless `ask` says that in other words. */
  readonly expected: string;
  /** Files in test/unit/service/conformance/wire, without their ending, that state the same. */
  readonly exchanges: readonly string[];
  /** Effect on the extension if the server differs. */
  readonly consequence: string;
  /** `useIt` unless given. */
  readonly advice?: ClaimAdvice;
  /** Only DataHub has it. A server that follows the interface description alone is not asked. */
  readonly onlyDataHub?: true;
  /** @throws ServiceFailure; `findingOf` turns it into a finding */
  readonly ask: (session: ServerSession) => Promise<ClaimAnswer>;
}

export function holds<const Text extends string>(seen: Seen<Text>, detail?: string): ClaimFinding {
  return { result: 'holds', seen: words<Text>(seen), detail };
}

export function differs<const Text extends string>(seen: Seen<Text>, detail?: string): ClaimFinding {
  return { result: 'differs', seen: words<Text>(seen), detail };
}

export function notAsked<const Text extends string>(seen: Seen<Text>): ClaimFinding {
  return { result: 'not asked', seen: words<Text>(seen) };
}

/** Kinds of failures in which the server responded, but not as claimed. */
const DIFFERENT: Partial<Record<FailureKind, OwnWords>> = {
  badRequest: words('rejected (400)'),
  notFound: words('no such operation (404)'),
  unsupported: words('no such operation'),
  signedOut: words('token rejected (401)'),
  server: words('the server failed'),
  redirected: words('a redirect'),
  tooLarge: words('a response that is too large'),
  unexpectedAnswer: words('an unexpected response'),
  invalidDocument: words("the schema doesn't have it"),
};

const UNANSWERED: Partial<Record<FailureKind, OwnWords>> = {
  unreachable: words('the server was out of reach'),
  tls: words('no secure connection'),
  timedOut: words('no response in time'),
  throttled: words('the server was busy (429)'),
  unavailable: words("the server wasn't ready (502 to 504)"),
  cancelled: words('the run was stopped'),
};

/**
 * Turns a failed request into a finding.
 * @throws any other error, because that is a defect of this program
 */
export function findingOf(thrown: unknown): ClaimFinding {
  if (!(thrown instanceof ServiceFailure)) throw thrown;
  const { kind, privilege = '', serverText: detail } = thrown;
  if (kind === 'refused') {
    const isKnown = (Object.values(PRIVILEGES) as string[]).includes(privilege);
    // A known name is of this repository too.
    const seen = isKnown ? (`needs "${privilege}"` as OwnWords) : words('refused (403)');
    return { result: 'not permitted', seen, detail };
  }
  const unanswered = UNANSWERED[kind];
  if (unanswered !== undefined) {
    return { result: 'not asked', seen: unanswered, detail, isUnanswered: true };
  }
  const different = DIFFERENT[kind];
  if (different === undefined) throw thrown;
  return differs(different, detail);
}

/** Failure of a request; undefined if it succeeds. */
export async function failureOf(work: Promise<unknown>): Promise<ServiceFailure | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ServiceFailure) return thrown;
    throw thrown;
  }
}
