/** Tokens created here that the server may not list yet: its listing lags (PROTOCOL.md §5.7). */
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { USUAL_LAG_MILLIS } from '../service/tokens/tokenListing.ts';

interface PendingToken {
  readonly token: AccessToken;
  /** On the monotonic clock, in ms. */
  readonly addedAt: number;
}

export class PendingTokens {
  #pending: readonly PendingToken[] = [];

  /** The newest first. */
  get tokens(): readonly AccessToken[] {
    return this.#pending.map(({ token }) => token);
  }

  /** Those added since then. @param begun Monotonic clock, in ms. */
  addedSince(begun: number): readonly AccessToken[] {
    return this.#pending.filter(({ addedAt }) => addedAt >= begun).map(({ token }) => token);
  }

  /** @param now Monotonic clock, in ms. */
  add(token: AccessToken, now: number): void {
    const others = this.#pending.filter(({ token: { id } }) => id !== token.id);
    this.#pending = [{ token, addedAt: now }, ...others];
  }

  /**
   * Drops tokens that are listed now, or gone.
   * @param listed IDs in a listing.
   * @param everListed IDs in any listing. Such a token is gone if a complete listing lacks it.
   * @param begun When a complete listing was requested, on the monotonic clock; undefined if incomplete.
   */
  reconcileWith(listed: ReadonlySet<string>, everListed: ReadonlySet<string>, begun: number | undefined): void {
    this.#pending = this.#pending.filter(({ token: { id }, addedAt }) => {
      const isGone = begun !== undefined && (everListed.has(id) || begun >= addedAt + USUAL_LAG_MILLIS);
      return !listed.has(id) && !isGone;
    });
  }
}
