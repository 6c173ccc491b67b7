/**
 * Values of tokens that were created in this window, to be copied as often as the user asks, until the window closes.
 * Dropped earlier with the token's expiry, its revocation or a sign-in with it, and once its connection is signed out,
 * removed or leads elsewhere. Never stored.
 */
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import { onConnectionsChanged } from '../connections/loadableList.ts';
import { Emitter } from '../platform/events.ts';
import type { TokenSecret } from '../service/failure/secret.ts';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import { type Clock, systemClock } from '../time.ts';

interface HeldToken {
  readonly token: AccessToken;
  readonly secret: TokenSecret;
  wasCopied: boolean;
}

export class HeldTokens {
  readonly #clock: Pick<Clock, 'now'>;
  /** By connection, then by token ID. */
  readonly #held = new Map<string, Map<string, HeldToken>>();
  readonly #changed = new Emitter<string>();
  /** Fires the ID of a connection whose held values changed. */
  readonly onDidChange = this.#changed.event;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock;
  }

  /** Holds a new value, so that closing its dialog or copying it once loses nothing. */
  hold(connectionId: string, token: AccessToken, secret: TokenSecret): void {
    const ofConnection = this.#held.get(connectionId) ?? new Map<string, HeldToken>();
    ofConnection.set(token.id, { token, secret, wasCopied: false });
    this.#held.set(connectionId, ofConnection);
    this.#changed.fire(connectionId);
  }

  /** The tokens of a connection whose values are held. */
  tokensOf(connectionId: string): readonly AccessToken[] {
    const ids = [...(this.#held.get(connectionId)?.keys() ?? [])];
    return ids.flatMap((id) => this.#get(connectionId, id)?.token ?? []);
  }

  secretOf(connectionId: string, tokenId: string): TokenSecret | undefined {
    return this.#get(connectionId, tokenId)?.secret;
  }

  /** Keeps a value that was copied: it can be copied again, but no longer counts as one that would be lost. */
  markCopied(connectionId: string, tokenId: string): void {
    const held = this.#get(connectionId, tokenId);
    if (held !== undefined) {
      held.wasCopied = true;
    }
  }

  /** True for a value that would be lost: it was never copied. */
  isUncopied(connectionId: string, tokenId: string): boolean {
    return this.#get(connectionId, tokenId)?.wasCopied === false;
  }

  /** Number of values of a connection that would be lost. */
  uncopiedCount(connectionId: string): number {
    return this.tokensOf(connectionId).filter(({ id }) => this.isUncopied(connectionId, id)).length;
  }

  release(connectionId: string, tokenId: string): void {
    if (this.#held.get(connectionId)?.delete(tokenId) === true) {
      this.#changed.fire(connectionId);
    }
  }

  /** Drops all values of a connection, as on sign-out. */
  releaseAll(connectionId: string): void {
    if (this.#held.delete(connectionId)) {
      this.#changed.fire(connectionId);
    }
  }

  /** Drops the value once it has expired. */
  #get(connectionId: string, tokenId: string): HeldToken | undefined {
    const held = this.#held.get(connectionId)?.get(tokenId);
    if (held !== undefined && (held.token.expiresAt ?? Infinity) <= this.#clock.now()) {
      this.#held.get(connectionId)?.delete(tokenId);
      return undefined;
    }
    return held;
  }
}

/** Values that are dropped with their connection's sign-out, its removal, or its change to another server. */
export function heldTokensOf(store: ConnectionStore, credentials: Pick<CredentialStore, 'onDidSignOut'>): HeldTokens {
  const held = new HeldTokens();
  credentials.onDidSignOut((id) => held.releaseAll(id));
  // Also by another window.
  onConnectionsChanged(store, serverOf, (id) => held.releaseAll(id));
  return held;
}

/** Unlike its identity, the same before and after a consent to plain HTTP. */
function serverOf({ baseUrl, typedUser, product }: Connection): string {
  return JSON.stringify([baseUrl, typedUser, product]);
}
