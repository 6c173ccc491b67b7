/**
 * Tokens that were created here and that the server does not list yet, as its listing lags (PROTOCOL.md §5.7). They are shown until it
 * does, or until it is plain that somebody revoked them elsewhere.
 */
import { USUAL_LAG_MILLIS } from '../service/tokens/tokenSearch.ts';
import type { AccessToken } from '../service/tokens/tokens.ts';

interface Unlisted {
  readonly token: AccessToken;
  /** From when on a listing that lacks it means something: a moment of the monotonic clock, in ms. */
  readonly from: number;
  /** How many complete listings lacked it since. */
  readonly missed: number;
}

/** One may have come from a node that lags more than the others. */
const MOST_MISSED = 2;

export class UnlistedTokens {
  #unlisted: readonly Unlisted[] = [];

  /** The newest first. */
  get tokens(): readonly AccessToken[] {
    return this.#unlisted.map(({ token }) => token);
  }

  /** @param now Of the monotonic clock. */
  add(token: AccessToken, now: number): void {
    const others = this.#unlisted.filter(({ token: { id } }) => id !== token.id);
    this.#unlisted = [{ token, from: now + USUAL_LAG_MILLIS, missed: 0 }, ...others];
  }

  /**
   * What a listing says of them.
   * @param listed Ids that it holds.
   * @param everListed Ids that any listing held: what was listed once and is missing from a complete listing is gone.
   * @param begun When the listing was begun, by the monotonic clock; undefined where it is not complete and proves nothing.
   */
  compare(listed: ReadonlySet<string>, everListed: ReadonlySet<string>, begun: number | undefined): void {
    this.#unlisted = this.#unlisted.flatMap((one) => {
      const { id } = one.token;
      if (listed.has(id) || (begun !== undefined && everListed.has(id))) {
        return [];
      }
      if (begun === undefined || begun < one.from) {
        return [one];
      }
      const missed = one.missed + 1;
      return missed >= MOST_MISSED ? [] : [{ ...one, from: begun + USUAL_LAG_MILLIS, missed }];
    });
  }
}
