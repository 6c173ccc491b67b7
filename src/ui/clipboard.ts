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
  copiedAt: v.number(),
  /** Unix time in ms. */
  clearAt: v.number(),
  /** False: reading right after copying failed, so an empty text proves nothing. Later windows can't find out. */
  readable: v.optional(v.boolean()),
});
type CopiedTokenNote = v.InferOutput<typeof NOTE>;

/** Damaged notes are due at once. */
const DAMAGED_NOTE: CopiedTokenNote = { copiedAt: 0, clearAt: 0 };

/** The SHA-256 of an empty text. */
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Knowledge of this window alone about a token. */
interface CopiedTokenState {
  /** Cancels the timer that clears it. */
  stopTimer?: (() => void) | undefined;
  /** False if it couldn't be read right after copying. */
  canRead?: Promise<boolean> | undefined;
  /** The user knows that it wasn't cleared. */
  isReported?: true;
}

/**
 * The clipboard's content after clearing, by its hash. `wasRead`: a token was read before, so an empty text is
 * the truth. `later`: try again with the next focus. `withheld`: this window may not clear it.
 */
type ClearingResult = { readonly held: string; readonly wasRead: boolean } | 'later' | 'withheld';

interface ClipboardParts {
  readonly system: { readText(): Thenable<string>; writeText(text: string): Thenable<void> };
  /** Shared by all windows, and survives a reload: extensions stop when the clipboard is no longer reachable. */
  readonly memory: Memento;
  readonly clock: Clock;
  /** Delay in ms before clearing a token; 0: never. */
  readonly clearMillis: () => number;
  /** Browsers give a window without focus an empty text. */
  readonly isFocused: () => boolean;
  /** Reports a token that may not be cleared despite focus. */
  readonly notifyNotCleared: () => void;
  /** Reports that the time to clear wasn't stored, so only this window will do it. */
  readonly notifyNotStored: () => void;
}

export class Clipboard implements Disposable {
  readonly #parts: ClipboardParts;
  readonly #notes: CopiedTokenNotes;
  /** By the hash of the token. */
  readonly #states = new Map<string, CopiedTokenState>();

  constructor(parts: ClipboardParts) {
    this.#parts = parts;
    this.#notes = new CopiedTokenNotes(parts.memory);
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
    const copiedAt = clock.now();
    const note: CopiedTokenNote = { copiedAt, clearAt: copiedAt + millis };
    const { stopTimer, canRead: canReadClipboard } = this.#stateOfToken(hash);
    stopTimer?.();
    this.#states.set(hash, { canRead: canReadClipboard });
    // Stored before copying, so that later windows can clear it. If that fails, this window still does.
    const isNoted = await this.#notes.write(hash, millis === 0 ? undefined : note);
    await system.writeText(secret.reveal());
    if (millis === 0) {
      return undefined;
    }
    this.#scheduleClearing(millis, hash);
    if (!isNoted) {
      this.#parts.notifyNotStored();
    }
    // Not awaited: browsers may ask the user first.
    this.#stateOfToken(hash).canRead = this.#canReadBack(hash, note);
    return millis / 1_000;
  }

  /** Clears due tokens, also those of closed windows, and schedules the rest. For activation and each focus. */
  async clearDueTokens(): Promise<void> {
    const due: string[] = [];
    for (const [hash, { copiedAt, clearAt }] of this.#notes.all()) {
      const now = this.#parts.clock.now();
      // A clock that was set back would delay it.
      if (now >= clearAt || now < copiedAt) {
        due.push(hash);
      } else if (this.#stateOfToken(hash).stopTimer === undefined) {
        this.#scheduleClearing(clearAt - now, hash);
      }
    }
    await this.#clearCopiedTokens(due);
  }

  /** Leaves the rest to the next window. */
  dispose(): void {
    for (const state of this.#states.values()) {
      state.stopTimer?.();
      state.stopTimer = undefined;
    }
  }

  #stateOfToken(hash: string): CopiedTokenState {
    const state = this.#states.get(hash) ?? {};
    this.#states.set(hash, state);
    return state;
  }

  #scheduleClearing(millis: number, hash: string): void {
    this.#stateOfToken(hash).stopTimer = this.#parts.clock.after(millis, () => {
      this.#stateOfToken(hash).stopTimer = undefined;
      void this.#clearCopiedTokens([hash]);
    });
  }

  /** Notes an unreadable token for later windows. */
  async #canReadBack(hash: string, note: CopiedTokenNote): Promise<boolean> {
    const canRead = await this.#canRead();
    // Meanwhile it may have been cleared by another window, or copied again.
    if (!canRead && this.#notes.read(hash)?.copiedAt === note.copiedAt) {
      await this.#notes.write(hash, { ...note, readable: false });
    }
    return canRead;
  }

  /** False if a browser withholds the clipboard, which isn't empty: it gives an empty text all the same. */
  async #canRead(): Promise<boolean> {
    const { system, isFocused } = this.#parts;
    const hadFocus = isFocused();
    const text = await Promise.resolve(system.readText()).catch(() => '');
    return text !== '' || !hadFocus || !isFocused();
  }

  /** Empties the clipboard if it holds one of the tokens, and drops the notes of the others. */
  async #clearCopiedTokens(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) {
      return;
    }
    const canRead = await Promise.all(
      hashes.map(async (hash) => (await this.#stateOfToken(hash).canRead) ?? this.#notes.read(hash)?.readable),
    );
    const result = await this.#emptyIfHolding(hashes);
    if (result === 'later') {
      return;
    }
    if (result === 'withheld') {
      this.#reportUncleared(hashes);
      return;
    }
    const isProven = result.held !== EMPTY_HASH || result.wasRead;
    this.#reportUncleared(hashes.filter((_, at) => !isProven && canRead[at] === false));
    const gone = hashes.filter((hash) => result.held !== hash);
    gone.forEach((hash) => (this.#stateOfToken(hash).canRead = undefined));
    await Promise.all(gone.map((hash) => this.#notes.write(hash, undefined)));
  }

  /** Reports tokens that may still be there, once each. */
  #reportUncleared(hashes: readonly string[]): void {
    const states = hashes.map((hash) => this.#stateOfToken(hash));
    if (states.some(({ isReported }) => !isReported)) {
      this.#parts.notifyNotCleared();
    }
    states.forEach((state) => (state.isReported = true));
  }

  async #emptyIfHolding(hashes: readonly string[]): Promise<ClearingResult> {
    const { system, isFocused } = this.#parts;
    const hadFocus = isFocused();
    try {
      const text = await system.readText();
      const hash = await sha256AsHex(text);
      if (text === '' || !hashes.includes(hash)) {
        return text === '' && !(hadFocus && isFocused()) ? 'later' : { held: hash, wasRead: false };
      }
      await system.writeText('');
      const held = await sha256AsHex(await system.readText());
      if (held === EMPTY_HASH) {
        // It could be read a moment ago, so only a lost focus makes the empty text doubtful.
        return hadFocus && !isFocused() ? 'later' : { held, wasRead: true };
      }
      return held === hash ? (isFocused() ? 'withheld' : 'later') : { held, wasRead: false };
    } catch {
      return hadFocus && isFocused() ? 'withheld' : 'later';
    }
  }
}

/** The stored notes, by hash. */
class CopiedTokenNotes {
  readonly #notes: Storage<CopiedTokenNote>;

  constructor(memory: Memento) {
    this.#notes = new Storage(memory, KEY_PREFIX, parseNote);
  }

  all(): readonly (readonly [hash: string, note: CopiedTokenNote])[] {
    return this.#notes.ids().map((hash) => [hash, this.read(hash) ?? DAMAGED_NOTE]);
  }

  /** Undefined if missing or damaged. */
  read(hash: string): CopiedTokenNote | undefined {
    return this.#notes.get(hash);
  }

  /** @returns false if storing failed. Nothing that the user asked for depends on it. */
  write(hash: string, note: CopiedTokenNote | undefined): Promise<boolean> {
    return this.#notes.set(hash, note).then(
      () => true,
      () => false,
    );
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
