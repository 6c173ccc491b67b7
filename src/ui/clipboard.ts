/** The clipboard is shared with every program: a token does not stay there longer than it is needed. */
import * as v from 'valibot';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import type { TokenSecret } from '../service/failure/secret.ts';

/** Of each token that was copied and may still be on the clipboard, by its SHA-256. The token itself is nowhere but there. */
const KEY = 'copiedToken.';
const COPIED = v.object({
  /** Unix time in ms. */
  copiedAt: v.number(),
  /** Unix time in ms. */
  clearAt: v.number(),
  /** False: it could not be read back just after it was copied, so an empty text proves nothing. After a reload nobody else knows. */
  readable: v.optional(v.boolean()),
});
type Copied = v.InferOutput<typeof COPIED>;

/**
 * What became of the tokens that were to be cleared: `later` with the next focus, `withheld` for good. `wasRead`: one of them was
 * read there before it was emptied, so an empty text is the truth.
 */
type Clearing = { readonly held: string; readonly wasRead?: true } | 'later' | 'withheld';

interface ClipboardParts {
  readonly system: { readText(): Thenable<string>; writeText(text: string): Thenable<void> };
  /** Shared by all windows, and there after a reload: VS Code disposes of an extension when nothing can reach the clipboard any more. */
  readonly memory: Memento;
  readonly clock: Clock;
  /** After how many ms a token is cleared; 0: never. */
  readonly clearMillis: () => number;
  /** A browser gives the clipboard to nobody without the focus, and says so by an empty text. */
  readonly isFocused: () => boolean;
  /** Tells the person that a token is still there: the window has the focus, and was not allowed to clear it. */
  readonly tellWithheld: () => void;
  /** Tells the user that the clipboard is cleared by this window or not at all: when to do so could not be stored. */
  readonly tellNotNoted: () => void;
}

export class Clipboard implements Disposable {
  readonly #parts: ClipboardParts;
  /** What cancels the clearing of each token, by its hash. */
  readonly #timers = new Map<string, () => void>();
  /** Whether each token that this window copied could be read back, by its hash. */
  readonly #readBack = new Map<string, Promise<boolean>>();
  /** Of which a person knows by now that it was not cleared, by its hash. */
  readonly #told = new Set<string>();

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
  async copySecret(secret: TokenSecret): Promise<number | undefined> {
    const { system, memory, clock, clearMillis } = this.#parts;
    const millis = clearMillis();
    const hash = await sha256(secret.reveal());
    this.#stopTimer(hash);
    this.#told.delete(hash);
    const copiedAt = clock.now();
    const copied: Copied = { copiedAt, clearAt: copiedAt + millis };
    // Before it is copied: a window that closes later must not leave it behind. Without storage, this window still clears it.
    const isNoted = await keep(memory, hash, millis === 0 ? undefined : copied);
    await system.writeText(secret.reveal());
    if (millis === 0) {
      return undefined;
    }
    this.#clearAfter(millis, hash);
    if (!isNoted) {
      this.#parts.tellNotNoted();
    }
    // Not waited for: a browser may ask the person first.
    this.#readBack.set(hash, this.#readsBack(hash, copied));
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

  /** Notes down where a token cannot be read back, for the window after this one. */
  async #readsBack(hash: string, copied: Copied): Promise<boolean> {
    const canRead = await this.#canRead();
    // Meanwhile another window may have cleared it, or it was copied once more.
    if (!canRead && this.#noteOf(hash)?.copiedAt === copied.copiedAt) {
      await keep(this.#parts.memory, hash, { ...copied, readable: false });
    }
    return canRead;
  }

  /** False: a browser withholds a clipboard that is known to hold something. It gives an empty text, as it does of an empty one. */
  async #canRead(): Promise<boolean> {
    const { system, isFocused } = this.#parts;
    const hadFocus = isFocused();
    const text = await Promise.resolve(system.readText()).catch(() => '');
    return text !== '' || !hadFocus || !isFocused();
  }

  /** Empties the clipboard if it holds one of these, and forgets those that it holds no more. What fails is tried with the next focus. */
  async #clear(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) {
      return;
    }
    const canRead = await Promise.all(
      hashes.map(async (hash) => (await this.#readBack.get(hash)) ?? this.#noteOf(hash)?.readable),
    );
    const clearing = await this.#hashAfterClearing(hashes);
    if (clearing === 'later') {
      return;
    }
    const left =
      clearing === 'withheld'
        ? hashes
        : hashes.filter((_, at) => clearing.held === NOTHING && !clearing.wasRead && canRead[at] === false);
    if (left.some((hash) => !this.#told.has(hash))) {
      this.#parts.tellWithheld();
    }
    left.forEach((hash) => this.#told.add(hash));
    if (clearing !== 'withheld') {
      const gone = hashes.filter((hash) => clearing.held !== hash);
      gone.forEach((hash) => this.#readBack.delete(hash));
      await Promise.all(gone.map((hash) => keep(this.#parts.memory, hash, undefined)));
    }
  }

  /** What the clipboard holds in the end, by its hash. */
  async #hashAfterClearing(hashes: readonly string[]): Promise<Clearing> {
    const { system, isFocused } = this.#parts;
    const hadFocus = isFocused();
    try {
      const text = await system.readText();
      const hash = await sha256(text);
      if (text === '' || !hashes.includes(hash)) {
        return text === '' && !(hadFocus && isFocused()) ? 'later' : { held: hash };
      }
      await system.writeText('');
      const rest = await sha256(await system.readText());
      if (rest === NOTHING) {
        // It could be read a moment ago: only a focus that was lost since then makes the empty text doubtful.
        return hadFocus && !isFocused() ? 'later' : { held: rest, wasRead: true };
      }
      return rest === hash ? (isFocused() ? 'withheld' : 'later') : { held: rest };
    } catch {
      return hadFocus && isFocused() ? 'withheld' : 'later';
    }
  }

  #stopTimer(hash: string): void {
    this.#timers.get(hash)?.();
    this.#timers.delete(hash);
  }

  #copied(): (readonly [string, Copied])[] {
    return this.#parts.memory.keys().flatMap((key) => {
      if (!key.startsWith(KEY)) {
        return [];
      }
      const hash = key.slice(KEY.length);
      // What is damaged is due at once.
      return [[hash, this.#noteOf(hash) ?? { copiedAt: 0, clearAt: 0 }] as const];
    });
  }

  /** Undefined as well when it is damaged. */
  #noteOf(hash: string): Copied | undefined {
    const parsed = v.safeParse(COPIED, this.#parts.memory.get(KEY + hash));
    return parsed.success ? parsed.output : undefined;
  }
}

/** The SHA-256 of an empty text. */
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** @returns whether it was stored. Nothing that the person asked for depends on it. */
async function keep(memory: Memento, hash: string, copied: Copied | undefined): Promise<boolean> {
  try {
    await memory.update(KEY + hash, copied);
    return true;
  } catch {
    return false;
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
