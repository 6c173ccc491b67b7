/** Values of one kind, a file each, as this window read them last. All windows share them. */
import { parseJson } from '../json.ts';
import { hasErrorCode, type Folder } from './folder.ts';

/** Of all files. Those of another version can't be read. */
const VERSION = 1;
const ENDING = '.json';

interface ReadFile<T> {
  readonly text: string | undefined;
  /** Undefined if it can't be read. */
  readonly value: T | undefined;
}

/**
 * Parses a file.
 * @param lines The appended ones: undefined for a line that isn't JSON, such as one that a crash tore.
 * @returns undefined for content that this version can't have written.
 */
type FileParser<T> = (first: object, lines: readonly unknown[], id: string) => T | undefined;

/**
 * - A value is on disk before a call ends, and read again on focus and before it is changed: the file is the truth, and
 *   what is in memory is what was read last.
 * - A file is a line that is replaced as a whole, or a journal, which is only appended to, a line a fact, so that windows
 *   lose nothing of each other.
 * - One that can't be read is `unreadable`, and each kind says what that forbids.
 * @template First The first line, as it's written.
 */
export class FileStore<T extends object, First extends object = T> {
  readonly #folder: Folder;
  readonly #parse: FileParser<T>;
  #files: ReadonlyMap<string, ReadFile<T>> = new Map();
  #isLoaded = false;
  /** The last of what is done one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** A reading that hasn't begun. */
  #next: Promise<readonly string[]> | undefined;

  constructor(folder: Folder, parse: FileParser<T>) {
    this.#folder = folder;
    this.#parse = parse;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Reads the files once. @throws what the file system throws for the folder. */
  async load(): Promise<void> {
    if (!this.#isLoaded) {
      await this.reload();
    }
  }

  /**
   * Reads the files again.
   * @returns the IDs of those that other windows created, changed or removed.
   * @throws what the file system throws for the folder. Then everything stays as it was.
   */
  reload(): Promise<readonly string[]> {
    // One that has begun may be too old.
    this.#next ??= this.#inTurn(() => {
      this.#next = undefined;
      return this.#readFiles();
    });
    return this.#next;
  }

  /** By ID. */
  all(): ReadonlyMap<string, T> {
    return new Map([...this.#files].flatMap(([id, { value }]) => (value === undefined ? [] : [[id, value] as const])));
  }

  /** IDs of files that can't be read. */
  unreadable(): readonly string[] {
    return [...this.#files].flatMap(([id, { value }]) => (value === undefined ? [id] : []));
  }

  get(id: string): T | undefined {
    return this.#files.get(id)?.value;
  }

  /** @returns false if there is one, of any window. @throws what the file system throws. */
  create(id: string, first: First, ...lines: readonly object[]): Promise<boolean> {
    return this.#inTurn(() => this.#create(id, fileText(first, lines)));
  }

  /**
   * Changes a value in one turn, so that no other change of this window gets lost.
   * @param change Gets what any window stored last, undefined if nothing can be read, and returns what to store.
   * Undefined changes nothing.
   * @returns what is stored. @throws what the file system throws.
   */
  change(id: string, change: (current: T | undefined) => First | undefined): Promise<T | undefined> {
    return this.#inTurn(async () => {
      await this.#readFiles();
      const before = this.#files.get(id);
      const changed = change(before?.value);
      const text = changed && fileText(changed);
      if (text === undefined || (text === before?.text && before.value !== undefined)) {
        return text === undefined ? undefined : before?.value;
      }
      if (before === undefined) {
        return (await this.#create(id, text)) ? this.get(id) : undefined;
      }
      const isThere = await this.#folder.put(fileName(id), text);
      this.#know(id, isThere ? text : undefined);
      return this.get(id);
    });
  }

  /**
   * Adds a line. It is on disk once fulfilled. Lines that other windows added before are known after the next reading.
   * @returns false if there is no such file. @throws what the file system throws: part of the line may be written.
   */
  append(id: string, fact: object): Promise<boolean> {
    const line = JSON.stringify(fact);
    return this.#inTurn(async () => {
      try {
        await this.#folder.append(fileName(id), line);
      } catch (thrown) {
        if (hasErrorCode(thrown, 'ENOENT')) {
          this.#know(id, undefined);
          return false;
        }
        throw thrown;
      }
      const before = this.#files.get(id)?.text;
      if (before !== undefined) {
        this.#know(id, `${before}\n${line}`);
      }
      return true;
    });
  }

  /** @returns false if there is none: another window removed it. @throws what the file system throws. */
  remove(id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const isRemoved = await this.#folder.remove(fileName(id));
      this.#know(id, undefined);
      return isRemoved;
    });
  }

  async #create(id: string, text: string): Promise<boolean> {
    const isMine = await this.#folder.create(fileName(id), text);
    if (isMine) {
      this.#know(id, text);
    }
    return isMine;
  }

  /** So that no reading that began before a write replaces what was written. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Takes over what was written. @param text Undefined if there is no file. */
  #know(id: string, text: string | undefined): void {
    const files = new Map(this.#files);
    if (text === undefined) {
      files.delete(id);
    } else {
      files.set(id, this.#read(id, text));
    }
    this.#files = files;
  }

  async #readFiles(): Promise<readonly string[]> {
    const texts = await this.#folder.readAll();
    const before = this.#files;
    this.#files = new Map(
      [...texts].map(([name, text]) => {
        const id = name.slice(0, -ENDING.length);
        return [id, this.#read(id, text)];
      }),
    );
    this.#isLoaded = true;
    const ids = new Set([...before.keys(), ...this.#files.keys()]);
    return [...ids].filter((id) => before.get(id) !== this.#files.get(id));
  }

  #read(id: string, text: string | undefined): ReadFile<T> {
    const before = this.#files.get(id);
    if (before !== undefined && before.text === text) {
      return before;
    }
    const [first, ...lines] = (text ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map(parseJson);
    return { text, value: isOfThisVersion(first) ? this.#parse(first, lines, id) : undefined };
  }
}

function fileName(id: string): string {
  return id + ENDING;
}

function fileText(first: object, lines: readonly object[] = []): string {
  return [{ v: VERSION, ...first }, ...lines].map((line) => JSON.stringify(line)).join('\n');
}

function isOfThisVersion(stored: unknown): stored is object {
  return typeof stored === 'object' && stored !== null && 'v' in stored && stored.v === VERSION;
}
