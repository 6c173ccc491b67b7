import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, suite, test } from 'node:test';
import { TokenSecret } from '../../../src/service/failure/secret.ts';
import { Clipboard } from '../../../src/ui/clipboard.ts';
import { Memory } from '../memory.ts';
import { SteppedClock } from '../steppedClock.ts';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJhY3RvcklkIjoiamRvZSJ9.c2lnbmF0dXJl';
const OTHER = 'eyJhbGciOiJIUzI1NiJ9.eyJhY3RvcklkIjoib3RoZXIifQ.c2lnbmF0dXJl';
const MINUTE = 60_000;

/** A browser's clipboard: without focus, readers get nothing and writers are ignored silently. */
class SystemClipboard {
  text = '';
  isFocused = true;
  mayWithhold = true;
  reads = 0;
  readonly withholds: boolean;

  constructor(withholds = false) {
    this.withholds = withholds;
  }

  readText(): Promise<string> {
    this.reads++;
    return Promise.resolve(this.withholds && !this.isFocused ? '' : this.text);
  }

  writeText(text: string): Promise<void> {
    if (!this.withholds || this.isFocused) {
      this.text = text;
    }
    return Promise.resolve();
  }
}

let system: SystemClipboard;
let memory: Memory;
let clock: SteppedClock;
let clearMillis: number;
/** Number of reports that a token is still on the clipboard. */
let told: number;
let clipboard: Clipboard;

/** A window of VS Code; all share the clipboard and the storage. */
function openWindow(): Clipboard {
  return new Clipboard({
    system,
    memory,
    clock,
    clearMillis: () => clearMillis,
    isFocused: () => system.isFocused,
    notifyNotCleared: () => told++,
  });
}

function copy(token = TOKEN): Promise<number | undefined> {
  return clipboard.copySecret(new TokenSecret(token));
}

/** Digests run in other threads. Nothing else here waits for anything real. */
const digests = new Set<Promise<unknown>>();
const { digest } = crypto.subtle;
crypto.subtle.digest = (...parts: Parameters<typeof digest>): ReturnType<typeof digest> => {
  const made = digest.apply(crypto.subtle, parts);
  digests.add(made);
  void made.finally(() => digests.delete(made));
  return made;
};

/** Resolves when everything started by a timer or a focus is done. */
async function settled(): Promise<void> {
  do {
    await Promise.all(digests);
    await new Promise((resolve) => setImmediate(resolve));
  } while (digests.size > 0);
}

/** Lets time pass, until everything that came due is done. */
async function pass(millis: number): Promise<void> {
  clock.advance(millis);
  await settled();
}

beforeEach(() => {
  system = new SystemClipboard();
  memory = new Memory();
  clock = new SteppedClock();
  clearMillis = MINUTE;
  told = 0;
  clipboard = openWindow();
});

suite('A copied token', () => {
  test('is cleared after the time in the setting, and its hash is forgotten', async () => {
    assert.equal(await copy(), 60);
    assert.equal(system.text, TOKEN);
    await pass(MINUTE - 1);
    assert.equal(system.text, TOKEN);
    await pass(1);
    assert.deepEqual([system.text, memory.keys()], ['', []]);
  });

  test('is noted before it is copied, so that a later window clears it whatever becomes of this one', async (context) => {
    const noted: number[] = [];
    context.mock.method(system, 'writeText', () => Promise.resolve(void noted.push(memory.keys().length)));
    await clipboard.copySecret(new TokenSecret(TOKEN));
    assert.deepEqual(noted, [1]);
  });

  test('is stored as its SHA-256 and a time only', async () => {
    await copy();
    const hash = createHash('sha256').update(TOKEN).digest('hex');
    assert.deepEqual(memory.keys(), ['copiedToken']);
    assert.deepEqual(memory.get('copiedToken'), { hash, clearAt: clock.now() + MINUTE });
    assert.ok(!memory.text.includes(TOKEN));
  });

  test('stays if the setting says so, and nothing is stored', async () => {
    clearMillis = 0;
    assert.equal(await copy(), undefined);
    assert.deepEqual(memory.keys(), []);
    clock.advance(100 * MINUTE);
    await clipboard.clearDueTokens();
    assert.equal(system.text, TOKEN);
    assert.equal(system.reads, 0);
  });

  test('is cleared a full time after it was copied last', async () => {
    await copy();
    clock.advance(MINUTE - 1);
    await copy();
    await pass(MINUTE - 1);
    assert.equal(system.text, TOKEN);
    await pass(1);
    assert.equal(system.text, '');
  });

  test('is cleared although another one could not be copied after it', async (context) => {
    await copy();
    const refusing = context.mock.method(system, 'writeText', () => Promise.reject(new Error('NotAllowedError')));
    await assert.rejects(copy(OTHER));
    refusing.mock.restore();
    assert.deepEqual([system.text, memory.keys()], [TOKEN, ['copiedToken']]);
    await pass(MINUTE);
    assert.deepEqual([system.text, memory.keys()], ['', []]);
  });

  test('leaves the note of one that another window copied after it', async () => {
    await copy();
    const other = openWindow();
    clock.advance(MINUTE / 2);
    await other.copySecret(new TokenSecret(OTHER));
    other.dispose();
    await pass(MINUTE / 2);
    assert.deepEqual([system.text, memory.keys()], [OTHER, ['copiedToken']]);
  });

  test('is copied and cleared even if storage fails', async () => {
    memory.update = () => Promise.reject(new Error('the disk is full'));
    await copy();
    assert.equal(system.text, TOKEN);
    await pass(MINUTE);
    assert.equal(system.text, '');
  });
});

suite('A token copied by a closed window', () => {
  test('is cleared by the next window when due, or at once if it is', async () => {
    for (const passedBefore of [MINUTE / 2, MINUTE]) {
      await copy();
      clipboard.dispose();
      clock.advance(passedBefore);
      clipboard = openWindow();
      await clipboard.clearDueTokens();
      assert.equal(system.text, passedBefore < MINUTE ? TOKEN : '');
      await pass(MINUTE - passedBefore);
      assert.deepEqual([system.text, memory.keys()], ['', []]);
    }
  });

  test('is not touched when the window closes, since the clipboard is no longer reachable', async () => {
    await copy();
    const { reads } = system;
    clipboard.dispose();
    await pass(10 * MINUTE);
    assert.deepEqual([system.text, system.reads, clock.waiting], [TOKEN, reads, 0]);
  });
});

suite('With a withheld clipboard', () => {
  beforeEach(() => {
    system = new SystemClipboard(true);
    clipboard = openWindow();
  });

  test('from a window in the background, a token is cleared when the window is back', async () => {
    await copy();
    system.isFocused = false;
    await pass(MINUTE);
    assert.equal(system.text, TOKEN);
    system.isFocused = true;
    await clipboard.clearDueTokens();
    assert.deepEqual([system.text, memory.keys()], ['', []]);
  });

  for (const call of ['readText', 'writeText'] as const) {
    test(`a refusal is reported once, and retried: ${call}`, async (context) => {
      await copy();
      const refusing = context.mock.method(system, call, () => Promise.reject(new Error('NotAllowedError')));
      await pass(MINUTE);
      await clipboard.clearDueTokens();
      assert.deepEqual([told, memory.keys().length], [1, 1]);
      refusing.mock.restore();
      await clipboard.clearDueTokens();
      assert.deepEqual([told, system.text], [1, '']);
    });
  }

  test('an error without the focus is not reported before the window is back', async () => {
    await copy();
    system.readText = () => Promise.reject(new Error('NotAllowedError'));
    system.isFocused = false;
    await pass(MINUTE);
    assert.equal(told, 0);
    system.isFocused = true;
    await clipboard.clearDueTokens();
    assert.equal(told, 1);
  });

  test('a token is replaced although the clipboard reads as empty, since a browser may withhold it', async () => {
    await copy();
    system.readText = () => Promise.resolve('');
    await pass(MINUTE);
    assert.deepEqual([told, system.text, memory.keys()], [0, '', []]);
  });

  test('on the desktop, an image that was copied since stays', async () => {
    system.mayWithhold = false;
    await copy();
    // VS Code reads text only.
    system.readText = () => Promise.resolve('');
    system.text = 'an image';
    await pass(MINUTE);
    assert.deepEqual([told, system.text, memory.keys()], [0, 'an image', []]);
  });
});
