/** Copies texts and tokens. Every program can read the clipboard, so tokens are cleared from it after a while. */
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import type { Disposable } from '../platform/events.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import type { Clock } from '../time.ts';
import type { TokenSecret } from '../service/failure/secret.ts';

/** Of the token that was copied last, since the clipboard holds one text. The token itself is not stored. */
const NOTE = v.object({
  /** SHA-256 of the token. */
  hash: v.string(),
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
  readonly #note: Storage<CopiedTokenNote>;
  /** Cancels the timer that clears the token. */
  #stopTimer: () => void = () => undefined;
  /** Hash of a token that the user knows to be there still. */
  #reported: string | undefined;

  constructor(parts: ClipboardParts) {
    this.#parts = parts;
    this.#note = new Storage(parts.memory, 'copiedToken', (stored) => parsedAs(NOTE, stored));
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
    const before = this.#note.get('');
    // Stored before copying, so that later windows can clear it. If that fails, this window still does.
    await this.#remember(millis === 0 ? undefined : { hash, clearAt: clock.now() + millis });
    try {
      await system.writeText(secret.reveal());
    } catch (thrown) {
      // The one before is still there, and its timer still runs.
      await this.#remember(before);
      throw thrown;
    }
    this.#stopTimer();
    this.#reported = undefined;
    if (millis === 0) {
      return undefined;
    }
    this.#scheduleClearing(millis, hash);
    return millis / 1_000;
  }

  /** Clears a due token, also that of a closed window, or schedules it. For activation and each focus. */
  async clearDueTokens(): Promise<void> {
    const note = this.#note.get('');
    const now = this.#parts.clock.now();
    if (note !== undefined && now < note.clearAt) {
      this.#scheduleClearing(note.clearAt - now, note.hash);
    } else if (note !== undefined) {
      await this.#clear(note.hash);
    }
  }

  /** Leaves the rest to the next window. */
  dispose(): void {
    this.#stopTimer();
  }

  /** Nothing that the user asked for depends on it. */
  async #remember(note: CopiedTokenNote | undefined): Promise<void> {
    await this.#note.set('', note).catch(() => undefined);
  }

  #scheduleClearing(millis: number, hash: string): void {
    this.#stopTimer();
    this.#stopTimer = this.#parts.clock.after(millis, () => void this.#clear(hash));
  }

  /** Empties the clipboard if it holds the token or can't be read, and drops its note. */
  async #clear(hash: string): Promise<void> {
    const { system, isFocused } = this.#parts;
    try {
      const text = await system.readText();
      if (text === '' && !isFocused()) {
        // As a browser says of a window in the background: the next focus tries again.
        return;
      }
      if ((text === '' && system.mayWithhold) || hash === (await sha256AsHex(text))) {
        await system.writeText('');
      }
    } catch {
      this.#reportUncleared(hash);
      return;
    }
    // Not that of a token that was copied since.
    if (this.#note.get('')?.hash === hash) {
      await this.#remember(undefined);
    }
  }

  /** Once for each token, and not before the window has the focus: some browsers refuse without. */
  #reportUncleared(hash: string): void {
    if (this.#parts.isFocused() && this.#reported !== hash) {
      this.#reported = hash;
      this.#parts.notifyNotCleared();
    }
  }
}

async function sha256AsHex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
