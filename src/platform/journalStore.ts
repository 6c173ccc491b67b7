/** Journals: files that are created as a whole, then only appended to, a line a fact. So windows lose nothing of each other. */
import { parseJson } from '../service/http/json.ts';
import { fileName, Files, VERSION, versionedObject, type UnreadableFile } from './files.ts';
import { hasErrorCode, type Folder } from './folder.ts';

/** The state of a journal. */
type JournalParser<T> = (id: string, first: object, lines: readonly unknown[]) => T | undefined;

export class JournalStore<T extends object> extends Files<T> {
  readonly #parse: JournalParser<T>;

  /**
   * @param parse Gets the first line, and the others: undefined for one that isn't JSON, such as one that a crash tore.
   * Returns undefined if the first line is none that this version can have written.
   */
  constructor(folder: Folder, parse: JournalParser<T>) {
    super(folder);
    this.#parse = parse;
  }

  /** @returns false if there is one, of any window. @throws what the file system throws. */
  create(id: string, first: object, ...lines: readonly object[]): Promise<boolean> {
    const text = [{ v: VERSION, ...first }, ...lines].map((line) => JSON.stringify(line)).join('\n');
    return this.inTurn(async () => {
      const isMine = await this.folder.create(fileName(id), text);
      if (isMine) {
        this.know(id, text);
      }
      return isMine;
    });
  }

  /**
   * Adds a fact. It is on disk once fulfilled. Lines that other windows added before are known after the next reading.
   * @returns false if there is no such journal. @throws what the file system throws: part of the line may be written.
   */
  append(id: string, fact: object): Promise<boolean> {
    const line = JSON.stringify(fact);
    return this.inTurn(async () => {
      try {
        await this.folder.append(fileName(id), line);
      } catch (thrown) {
        if (hasErrorCode(thrown, 'ENOENT')) {
          this.know(id, undefined);
          return false;
        }
        throw thrown;
      }
      const before = this.textOf(id);
      if (before !== undefined) {
        this.know(id, `${before}\n${line}`);
      }
      return true;
    });
  }

  protected override parseText(id: string, text: string): T | UnreadableFile {
    const [first = '', ...lines] = text.split('\n').filter((line) => line !== '');
    const stored = versionedObject(first);
    return typeof stored === 'string' ? stored : (this.#parse(id, stored, lines.map(parseJson)) ?? 'damaged');
  }
}
