/** Copies texts and tokens. Every program can read the clipboard, so tokens are cleared from it after a while. */
import * as v from 'valibot';
import type { Disposable } from '../platform/events.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import type { Clock } from '../time.ts';
import type { TokenSecret } from '../service/failure/secret.ts';

/** A note for each copied token that may still be on the clipboard, by its SHA-256. The token itself is not stored. */
const KEY_PREFIX = 'copiedToken.';
const NOTE = v.object({
  /** Unix time in ms. */
  clearAt: v.number(),
});
type CopiedTokenNote = v.InferOutput<typeof NOTE>;

interface ClipboardParts {
  readonly system: {
    readText(): Thenable<string>;
    writeText(text: string): Thenable<void>;
    /** A browser's, which gives an empty text where it withholds. On the desktop that is an image or files. */
    readonly mayWithhold: boolean;
  };
  /** Shared by all windows, and survives a reload: extensions stop when the clipboard is no longer reachable. */
  readonly memory: Memento;
  readonly clock: Clock;
  /** Delay in ms before clearing a token; 0: never. */
  readonly clearMillis: () => number;
  /** Browsers give a window without focus an empty text. */
  readonly isFocused: () => boolean;
  /** Reports a token that may not be cleared despite focus. */
  readonly notifyNotCleared: () => void;
}

export class Clipboard implements Disposable {
  readonly #parts: ClipboardParts;
  readonly #notes: Storage<CopiedTokenNote>;
  /** Cancel the timers that clear tokens, by the hash of the token. */
  readonly #timers = new Map<string, () => void>();
  /** Hashes of tokens that the user knows to be there still. */
  readonly #reported = new Set<string>();

  constructor(parts: ClipboardParts) {
    this.#parts = parts;
    this.#notes = new Storage(parts.memory, KEY_PREFIX, parseNote);
  }

  /** Copies text that is no secret. */
  async copy(text: string): Promise<void> {
    await this.#parts.system.writeText(text);
  }

  /**
   * Copies a token, and clears it after the time in the setting if it is still there.
   * @returns seconds until then; undefined for never.
   */
  async copySecret(secret: TokenSecret): Promise<number | undefined> {
    const { system, clock, clearMillis } = this.#parts;
    const millis = clearMillis();
    const hash = await sha256AsHex(secret.reveal());
    this.#stopTimer(hash);
    this.#reported.delete(hash);
    // Stored before copying, so that later windows can clear it. If that fails, this window still does.
    await this.#note(hash, millis === 0 ? undefined : { clearAt: clock.now() + millis });
    await system.writeText(secret.reveal());
    if (millis === 0) {
      return undefined;
    }
    this.#scheduleClearing(millis, hash);
    return millis / 1_000;
  }

  /** Clears due tokens, also those of closed windows, and schedules the rest. For activation and each focus. */
  async clearDueTokens(): Promise<void> {
    const due: string[] = [];
    const now = this.#parts.clock.now();
    for (const hash of this.#notes.ids()) {
      const { clearAt } = this.#notes.get(hash) ?? { clearAt: now };
      if (now >= clearAt) {
        due.push(hash);
      } else if (!this.#timers.has(hash)) {
        this.#scheduleClearing(clearAt - now, hash);
      }
    }
    await this.#clear(due);
  }

  /** Leaves the rest to the next window. */
  dispose(): void {
    [...this.#timers.keys()].forEach((hash) => this.#stopTimer(hash));
  }

  /** Nothing that the user asked for depends on it. */
  async #note(hash: string, note: CopiedTokenNote | undefined): Promise<void> {
    await this.#notes.set(hash, note).catch(() => undefined);
  }

  #scheduleClearing(millis: number, hash: string): void {
    const stop = this.#parts.clock.after(millis, () => {
      this.#timers.delete(hash);
      void this.#clear([hash]);
    });
    this.#timers.set(hash, stop);
  }

  #stopTimer(hash: string): void {
    this.#timers.get(hash)?.();
    this.#timers.delete(hash);
  }

  /** Empties the clipboard if it holds one of the tokens or can't be read, and drops their notes. */
  async #clear(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) {
      return;
    }
    const { system, isFocused } = this.#parts;
    try {
      const text = await system.readText();
      if (text === '' && !isFocused()) {
        // As a browser says of a window in the background: the next focus tries again.
        return;
      }
      if ((text === '' && system.mayWithhold) || hashes.includes(await sha256AsHex(text))) {
        await system.writeText('');
      }
    } catch {
      this.#reportUncleared(hashes);
      return;
    }
    await Promise.all(hashes.map((hash) => this.#note(hash, undefined)));
  }

  /** Once for each token, and not before the window has the focus: some browsers refuse without. */
  #reportUncleared(hashes: readonly string[]): void {
    if (this.#parts.isFocused() && hashes.some((hash) => !this.#reported.has(hash))) {
      hashes.forEach((hash) => this.#reported.add(hash));
      this.#parts.notifyNotCleared();
    }
  }
}

function parseNote(stored: unknown): CopiedTokenNote | undefined {
  const parsed = v.safeParse(NOTE, stored);
  return parsed.success ? parsed.output : undefined;
}

async function sha256AsHex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
