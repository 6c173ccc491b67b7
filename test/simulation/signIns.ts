/** Tokens that users signed in with: each is sent to its own origin, and to none once its user has signed out. */
import type { SentRequest } from './network.ts';
import type { Timeline } from './timeline.ts';

interface TypedToken {
  readonly origin: string;
  readonly connectionId: string;
  /** When the window reported it as kept. Times are in ms since the start. */
  keptAt: number | undefined;
  /** By the system's clock, or as late as for the tokens before. */
  keptWall: number;
}

/** A sign-out, or a removal, of a connection. */
interface SignOut {
  readonly connectionId: string;
  readonly window: number;
  readonly at: number;
  /** By the system's clock. Infinity if it isn't needed. */
  readonly wall: number;
  /** When the window reported it. */
  reportedAt: number | undefined;
}

/** A request may be on its way while the user signs out, in ms. */
const MOMENT_MILLIS = 1_000;

export class SignIns {
  readonly #timeline: Pick<Timeline, 'now' | 'wall'>;
  readonly #tokens = new Map<string, TypedToken>();
  readonly #signOuts: SignOut[] = [];
  /** Start of each window's last complete reading of what others changed. */
  readonly #learned = new Map<number, number>();
  /** Origins to which credentials may be sent without TLS. */
  readonly consents = new Set<string>();

  constructor(timeline: Pick<Timeline, 'now' | 'wall'>) {
    this.#timeline = timeline;
  }

  get tokens(): Iterable<string> {
    return this.#tokens.keys();
  }

  get count(): number {
    return this.#tokens.size;
  }

  /** @returns a function to call once the window has reported that it keeps the token. */
  typed(token: string, { origin, connectionId }: Pick<TypedToken, 'origin' | 'connectionId'>): () => void {
    const typed: TypedToken = { origin, connectionId, keptAt: undefined, keptWall: 0 };
    this.#tokens.set(token, typed);
    return () => {
      const tokens = [...this.#tokens.values()].filter((one) => one.connectionId === connectionId);
      typed.keptAt = this.#timeline.now;
      typed.keptWall = Math.max(this.#timeline.wall, ...tokens.map(({ keptWall }) => keptWall));
    };
  }

  /**
   * @param isInBrowser Then others may not know of the sign-in, and the clock tells which was first.
   * @returns a function to call once the window has reported it.
   */
  signingOut(window: number, connectionId: string, isInBrowser: boolean): () => void {
    const { now: at, wall } = this.#timeline;
    const signOut: SignOut = { connectionId, window, at, wall: isInBrowser ? wall : Infinity, reportedAt: undefined };
    this.#signOuts.push(signOut);
    return () => (signOut.reportedAt = this.#timeline.now);
  }

  /** A window begins to read what others changed. @returns a function to call once it has read everything. */
  learning(window: number): () => void {
    const at = this.#timeline.now;
    return () => this.#learned.set(window, at);
  }

  /** @param isChange False for what changes nothing on the server. @returns the broken promise, if any. */
  left({ window, url, authorization }: SentRequest, isChange: boolean): string | undefined {
    const token = authorization?.slice('Bearer '.length);
    const typed = token === undefined ? undefined : this.#tokens.get(token);
    if (token === undefined) {
      return undefined;
    }
    if (typed?.origin !== url.origin) {
      return `a credential of ${typed?.origin ?? 'nowhere'} is sent to ${url.origin}`;
    }
    if (url.protocol !== 'https:' && !this.consents.has(url.origin)) {
      return `a credential is sent in clear to ${url.origin}, which the user did not allow`;
    }
    const knows = (signOut: SignOut): boolean =>
      isChange || signOut.window === window || (this.#learned.get(window) ?? 0) > (signOut.reportedAt ?? Infinity);
    return this.#signOutsOf(typed).some(
      (signOut) => (signOut.reportedAt ?? Infinity) + MOMENT_MILLIS < this.#timeline.now && knows(signOut),
    )
      ? 'a credential is sent that was signed out'
      : undefined;
  }

  /** A new window has this credential. @returns the broken promise, if any. */
  found(token: string | undefined): string | undefined {
    const typed = token === undefined ? undefined : this.#tokens.get(token);
    return typed !== undefined && this.#signOutsOf(typed).some(({ reportedAt }) => reportedAt !== undefined)
      ? 'a new window is signed in with a credential that was signed out'
      : undefined;
  }

  /** Those that began once the token was kept: of two at once, either may have been first. */
  #signOutsOf({ connectionId, keptAt = Infinity, keptWall }: TypedToken): readonly SignOut[] {
    return this.#signOuts.filter(
      (signOut) => signOut.connectionId === connectionId && signOut.at > keptAt && signOut.wall > keptWall,
    );
  }
}
