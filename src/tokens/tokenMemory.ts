/**
 * Remembers which tokens were created here and which ones a rotation replaced, since no server marks them: a file each,
 * shared by all windows. What some servers don't list, names and dates, is known in the window that created them.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { Emitter } from '../platform/events.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folder } from '../platform/folder.ts';
import { tokenUrn, type AccessToken } from '../service/tokens/accessToken.ts';
import { MILLIS_PER_DAY } from '../time.ts';

/** Servers list expired tokens for a while. */
const REMEMBERED_AFTER_END_MILLIS = 30 * MILLIS_PER_DAY;
/** For a token that never expires, or of unknown expiry. */
const LONGEST_MEMORY_MILLIS = 10 * 365 * MILLIS_PER_DAY;

type TokenPurpose = 'created' | 'superseded';

interface RememberedToken {
  readonly connectionId: string;
  readonly purpose: TokenPurpose;
  /** When it is forgotten. Unix time in ms. */
  readonly until: number;
}

const RECORD = v.object({
  connectionId: v.string(),
  purpose: v.picklist(['created', 'superseded']),
  until: v.number(),
});

export class TokenMemory {
  readonly #files: FileStore<RememberedToken>;
  /** By file. As they were known last in this window. */
  readonly #tokens = new Map<string, AccessToken>();
  readonly #changed = new Emitter<string>();
  /** Fires the ID of a connection whose remembered tokens changed. */
  readonly onDidChange = this.#changed.event;

  constructor(folder: Folder) {
    this.#files = new FileStore(folder, (stored) => parsedAs(RECORD, stored));
  }

  /** Reads the files once. Before, nothing is remembered. Never throws. */
  async load(): Promise<void> {
    await this.#files.load().catch(() => undefined);
  }

  /** Reads what other windows remember. Never throws. */
  async reload(): Promise<void> {
    const before = this.#files.all();
    await this.#files.reload().catch(() => undefined);
    const after = this.#files.all();
    for (const id of new Set([...before.values(), ...after.values()].map(({ connectionId }) => connectionId))) {
      if (JSON.stringify(recordsOf(before, id)) !== JSON.stringify(recordsOf(after, id))) {
        this.#changed.fire(id);
      }
    }
  }

  /**
   * Also forgets what has ended.
   * @param now Unix time in ms.
   * @throws what the file system throws.
   */
  async remember(connectionId: string, token: AccessToken, purpose: TokenPurpose, now = Date.now()): Promise<void> {
    const mine = tokenFileId(connectionId, token.id);
    this.#tokens.set(mine, token);
    const until = (token.expiresAt ?? now + LONGEST_MEMORY_MILLIS) + REMEMBERED_AFTER_END_MILLIS;
    await this.#files.change(mine, () => ({ connectionId, purpose, until }));
    this.#changed.fire(connectionId);
    const ended = [...this.#files.all()].filter(([id, one]) => id !== mine && one.until <= now);
    // Leftovers are deleted with the next token.
    await Promise.allSettled(ended.map(([id]) => this.#files.remove(id)));
  }

  /** True if any window created it, or replaced it. */
  knows(connectionId: string, tokenId: string): boolean {
    return this.#get(connectionId, tokenId) !== undefined;
  }

  /** True if a rotation replaced the token, which is still valid. */
  isSuperseded(connectionId: string, tokenId: string): boolean {
    return this.#get(connectionId, tokenId)?.purpose === 'superseded';
  }

  /** Adds remembered fields to a listed token. Fields from the server win. */
  withRemembered(connectionId: string, listed: AccessToken): AccessToken {
    const remembered = this.#tokens.get(tokenFileId(connectionId, listed.id));
    const known = Object.entries(listed).filter(([, value]) => value !== undefined && value !== '');
    return remembered === undefined ? listed : { ...remembered, ...Object.fromEntries(known) };
  }

  /** A token that isn't listed: with its ID alone if it isn't remembered. */
  tokenOf(connectionId: string, id: string): AccessToken {
    return this.withRemembered(connectionId, { urn: tokenUrn(id), id, actorUrn: '' });
  }

  /** @throws what the file system throws. */
  async forgetToken(connectionId: string, tokenId: string): Promise<void> {
    if (await this.#files.remove(tokenFileId(connectionId, tokenId))) {
      this.#changed.fire(connectionId);
    }
  }

  /** @throws what the file system throws. */
  async forgetConnection(connectionId: string): Promise<void> {
    await this.#files.reload();
    // Also those that can't be read.
    const ids = [...this.#files.all().keys(), ...this.#files.unreadable()];
    const mine = ids.filter((id) => id.startsWith(`${connectionId}.`));
    await Promise.all(mine.map((id) => this.#files.remove(id)));
  }

  #get(connectionId: string, tokenId: string): RememberedToken | undefined {
    return this.#files.get(tokenFileId(connectionId, tokenId));
  }
}

/** A server's IDs may contain slashes, and differ in nothing but their case. */
function tokenFileId(connectionId: string, tokenId: string): string {
  return `${connectionId}.${createHash('sha256').update(tokenId).digest('hex')}`;
}

function recordsOf(all: ReadonlyMap<string, RememberedToken>, connectionId: string): unknown {
  return [...all].filter(([, remembered]) => remembered.connectionId === connectionId);
}
