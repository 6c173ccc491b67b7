/** The clipboard is shared with every program: a token does not stay there longer than it is needed. */
import * as v from 'valibot';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import type { Secret } from '../service/secret.ts';

/** Of each token that was copied and may still be on the clipboard, by its SHA-256. The token itself is nowhere but there. */
const KEY = 'copiedToken.';
const COPIED = v.object({
  /** Unix time in ms. */
  copiedAt: v.number(),
  /** Unix time in ms. */
  clearAt: v.number(),
});

interface ClipboardParts {
  readonly system: { readText(): Thenable<string>; writeText(text: string): Thenable<void> };
  /** Shared by all windows, and there after a reload: VS Code disposes of an extension when nothing can reach the clipboard any more. */
  readonly memory: Memento;
  readonly clock: Clock;
  /** After how many ms a token is cleared; 0: never. */
  readonly clearMillis: () => number;
  /** A browser gives the clipboard to nobody without the focus, and says so by an empty text. */
  readonly isFocused: () => boolean;
}

export class Clipboard implements Disposable {
  readonly #parts: ClipboardParts;
  /** What cancels the clearing of each token, by its hash. */
  readonly #timers = new Map<string, () => void>();

  constructor(parts: ClipboardParts) {
    this.#parts = parts;
  }

  /** Copies something that is no secret. */
  async copy(text: string): Promise<void> {
    await this.#parts.system.writeText(text);
  }

  /**
   * Copies a token, and clears the clipboard after the time that the setting says, if it still holds the token then.
   * @returns after how many seconds it will be cleared; undefined: it will not.
   */
  async copySecret(secret: Secret): Promise<number | undefined> {
    const { system, memory, clock, clearMillis } = this.#parts;
    const millis = clearMillis();
    const hash = await sha256(secret.reveal());
    this.#stopTimer(hash);
    const copiedAt = clock.now();
    // Before it is copied: a window that closes later must not leave it behind. Without storage, this window still clears it.
    await keep(memory, hash, millis === 0 ? undefined : { copiedAt, clearAt: copiedAt + millis });
    await system.writeText(secret.reveal());
    if (millis === 0) {
      return undefined;
    }
    this.#clearAfter(millis, hash);
    return millis / 1_000;
  }

  /** Clears what is due, also of a window that is gone, and sees to the rest when it is. To be called at activation and with each focus. */
  async clearDue(): Promise<void> {
    const due: string[] = [];
    for (const [hash, { copiedAt, clearAt }] of this.#copied()) {
      const now = this.#parts.clock.now();
      // A clock that was set back would put it off for as long.
      if (now >= clearAt || now < copiedAt) {
        due.push(hash);
      } else if (!this.#timers.has(hash)) {
        this.#clearAfter(clearAt - now, hash);
      }
    }
    await this.#clear(due);
  }

  /** What is left to clear is cleared by the next window. */
  dispose(): void {
    for (const stop of this.#timers.values()) {
      stop();
    }
    this.#timers.clear();
  }

  #clearAfter(millis: number, hash: string): void {
    const stop = this.#parts.clock.after(millis, () => {
      this.#timers.delete(hash);
      void this.#clear([hash]);
    });
    this.#timers.set(hash, stop);
  }

  /** Empties the clipboard if it holds one of these, and forgets those that it holds no more. Fails silently: the next focus tries again. */
  async #clear(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) {
      return;
    }
    try {
      const held = await this.#hashAfterClearing(hashes);
      await Promise.all(
        hashes.map((hash) =>
          held === undefined || held === hash ? undefined : keep(this.#parts.memory, hash, undefined),
        ),
      );
    } catch {
      // It is still remembered.
    }
  }

  /** The hash of what the clipboard holds in the end; undefined: it may have been withheld. */
  async #hashAfterClearing(hashes: readonly string[]): Promise<string | undefined> {
    const { system, isFocused } = this.#parts;
    const hadFocus = isFocused();
    const text = await system.readText();
    const hash = await sha256(text);
    if (text === '' || !hashes.includes(hash)) {
      return text === '' && !(hadFocus && isFocused()) ? undefined : hash;
    }
    await system.writeText('');
    const rest = await system.readText();
    // It could be read a moment ago: only a focus that was lost since then makes the empty text doubtful.
    return rest === '' && hadFocus && !isFocused() ? undefined : sha256(rest);
  }

  #stopTimer(hash: string): void {
    this.#timers.get(hash)?.();
    this.#timers.delete(hash);
  }

  #copied(): (readonly [string, v.InferOutput<typeof COPIED>])[] {
    const { memory } = this.#parts;
    return memory.keys().flatMap((key) => {
      if (!key.startsWith(KEY)) {
        return [];
      }
      const parsed = v.safeParse(COPIED, memory.get(key));
      // What is damaged is due at once.
      return [[key.slice(KEY.length), parsed.success ? parsed.output : { copiedAt: 0, clearAt: 0 }] as const];
    });
  }
}

async function keep(memory: Memento, hash: string, copied: v.InferOutput<typeof COPIED> | undefined): Promise<void> {
  try {
    await memory.update(KEY + hash, copied);
  } catch {
    // Nothing that the person asked for depends on it.
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
