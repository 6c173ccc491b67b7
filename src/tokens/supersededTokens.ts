/**
 * Remembers tokens that a rotation replaced and that are still valid. The server doesn't mark them; the tree does, until
 * they are revoked.
 */
import * as v from 'valibot';
import { Emitter } from '../platform/events.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folder } from '../platform/folder.ts';
import { STORED_IDENTIFIER } from '../service/server/identifiers.ts';
import { tokenFileId, tokenFilesOf } from './tokenFiles.ts';

/** For all connections together; the newest are kept. */
const MOST_REMEMBERED = 500;

const MARK = v.object({
  connectionId: v.string(),
  tokenId: v.string(),
  /** Unix time in ms. */
  at: v.number(),
  /** ID of the replacement, if the server returned it. */
  by: v.optional(v.string()),
});
type SupersededMark = v.InferOutput<typeof MARK>;

export class SupersededTokens {
  readonly #files: FileStore<SupersededMark>;
  readonly #changed = new Emitter<string>();
  /** Fires the ID of a connection whose marks changed. */
  readonly onDidChange = this.#changed.event;

  constructor(folder: Folder) {
    this.#files = new FileStore(folder, parseMark);
  }

  /** Reads the files once. Before, no token counts as superseded. Never throws. */
  async load(): Promise<void> {
    await this.#files.load().catch(() => undefined);
  }

  /** Reads what other windows marked. Never throws. */
  async reload(): Promise<void> {
    const before = this.#files.all();
    await this.#files.reload().catch(() => undefined);
    const ids = new Set([...before.values(), ...this.#files.all().values()].map(({ connectionId }) => connectionId));
    for (const id of ids) {
      if (JSON.stringify(marksOf(before, id)) !== JSON.stringify(marksOf(this.#files.all(), id))) {
        this.#changed.fire(id);
      }
    }
  }

  /** When the token was replaced, as Unix time in ms; undefined if it wasn't. */
  supersededAt(connectionId: string, tokenId: string): number | undefined {
    return this.#files.get(tokenFileId(connectionId, tokenId))?.at;
  }

  /** @param by ID of the replacement. @param now Unix time in ms. @throws what the file system throws. */
  async mark(connectionId: string, tokenId: string, by: string | undefined, now = Date.now()): Promise<void> {
    if (!v.is(STORED_IDENTIFIER, tokenId)) {
      return;
    }
    const mine = tokenFileId(connectionId, tokenId);
    await this.#files.change(mine, () => ({ connectionId, tokenId, at: now, by }));
    this.#changed.fire(connectionId);
    const others = [...this.#files.all()].filter(([id]) => id !== mine).toSorted(([, a], [, b]) => b.at - a.at);
    // Leftovers are deleted with the next mark.
    await Promise.allSettled(others.slice(MOST_REMEMBERED - 1).map(([id]) => this.#files.remove(id)));
  }

  /** Removes a revoked token. Tokens that it replaced now point to its own successor, if any. */
  async forgetToken(connectionId: string, tokenId: string): Promise<void> {
    await this.#files.reload();
    const revoked = tokenFileId(connectionId, tokenId);
    const successor = this.#files.get(revoked)?.by;
    const changes = marksOf(this.#files.all(), connectionId).flatMap(([id, mark]): Promise<unknown>[] => {
      if (id === revoked || (mark.by === tokenId && successor === undefined)) {
        return [this.#files.remove(id)];
      }
      return mark.by === tokenId ? [this.#files.change(id, (now) => now && { ...now, by: successor })] : [];
    });
    if (changes.length > 0) {
      try {
        await Promise.all(changes);
      } finally {
        this.#changed.fire(connectionId);
      }
    }
  }

  /** @throws what the file system throws. */
  async forgetConnection(connectionId: string): Promise<void> {
    await this.#files.reload();
    await Promise.all(tokenFilesOf(this.#files, connectionId).map((id) => this.#files.remove(id)));
  }
}

function marksOf(
  all: ReadonlyMap<string, SupersededMark>,
  connectionId: string,
): (readonly [string, SupersededMark])[] {
  return [...all].filter(([, mark]) => mark.connectionId === connectionId);
}

function parseMark(stored: unknown): SupersededMark | undefined {
  const parsed = v.safeParse(MARK, stored);
  return parsed.success ? parsed.output : undefined;
}
