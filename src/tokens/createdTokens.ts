/**
 * What this extension knows of tokens it created: name and dates, which a server that follows the spec to the letter does not
 * list (globalState, nothing secret); and, until it is copied or the window closes, the string itself (memory only).
 */
import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { Secret } from '../service/secret.ts';
import type { AccessToken } from '../service/tokens.ts';

const RECORD = v.object({
  urn: v.string(),
  id: v.string(),
  actorUrn: v.string(),
  ownerUrn: v.optional(v.string()),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  createdAt: v.optional(v.number()),
  expiresAt: v.optional(v.nullable(v.number())),
});

export class CreatedTokens {
  readonly #memory: vscode.Memento;
  readonly #held = new Map<string, Secret>();

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  async remember(connectionId: string, token: AccessToken): Promise<void> {
    await this.#memory.update(key(connectionId, token.id), token);
  }

  /** A listed token with what is known of it besides. What the server says wins. */
  complete(connectionId: string, token: AccessToken): AccessToken {
    const parsed = v.safeParse(RECORD, this.#memory.get(key(connectionId, token.id)));
    if (!parsed.success) {
      return token;
    }
    const told = Object.fromEntries(Object.entries(token).filter(([, value]) => value !== undefined && value !== ''));
    return { ...parsed.output, ...told } as AccessToken;
  }

  async forget(connectionId: string, tokenId: string): Promise<void> {
    this.#held.delete(key(connectionId, tokenId));
    await this.#memory.update(key(connectionId, tokenId), undefined);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    const prefix = key(connectionId, '');
    for (const held of this.#held.keys()) {
      if (held.startsWith(prefix)) {
        this.#held.delete(held);
      }
    }
    await Promise.all(this.#memory.keys().flatMap((one) => (one.startsWith(prefix) ? [this.#memory.update(one, undefined)] : [])));
  }

  /** Keeps a string that was not copied yet: a notification closed by mistake must not lose it. */
  hold(connectionId: string, tokenId: string, secret: Secret): void {
    this.#held.set(key(connectionId, tokenId), secret);
  }

  held(connectionId: string, tokenId: string): Secret | undefined {
    return this.#held.get(key(connectionId, tokenId));
  }

  /** The string reached its place: it is offered once. */
  release(connectionId: string, tokenId: string): void {
    this.#held.delete(key(connectionId, tokenId));
  }
}

function key(connectionId: string, tokenId: string): string {
  return `createdToken.${connectionId}.${tokenId}`;
}
