/** Values that are replaced as a whole: connections, roles, remembered tokens, added indices. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';
import { fileName, Files, VERSION, versionedObject, type UnreadableFile } from './files.ts';
import type { Folder } from './folder.ts';

export class FileStore<T extends object> extends Files<T> {
  readonly #parse: (stored: unknown) => T | undefined;

  /** @param parse Returns undefined for what this version can't have written. */
  constructor(folder: Folder, parse: (stored: unknown) => T | undefined) {
    super(folder);
    this.#parse = parse;
  }

  /** @returns false if there is one, of any window. @throws what the file system throws. */
  create(id: string, value: T): Promise<boolean> {
    return this.inTurn(async () => {
      const isMine = await this.folder.create(fileName(id), fileText(value));
      if (isMine) {
        this.know(id, fileText(value));
      }
      return isMine;
    });
  }

  /**
   * Replaces a value.
   * @returns false if another window removed it. @throws ServiceFailure `storage` for a file of a later version, and
   * what the file system throws.
   */
  put(id: string, value: T): Promise<boolean> {
    return this.inTurn(async () => {
      if (this.known(id) === 'later') {
        throw writtenByLaterVersion();
      }
      const isThere = await this.folder.put(fileName(id), fileText(value));
      this.know(id, isThere ? fileText(value) : undefined);
      return isThere;
    });
  }

  /**
   * Changes a value in one turn, so that no other change of this window gets lost.
   * @param change Gets what any window stored last, undefined if there is nothing, and returns what to store. Undefined
   * changes nothing.
   * @returns what was stored. @throws as `put` does.
   */
  change(id: string, change: (current: T | undefined) => T | undefined): Promise<T | undefined> {
    return this.inTurn(async () => {
      await this.readFiles();
      const current = this.known(id);
      const changed = change(this.get(id));
      if (changed === undefined) {
        return undefined;
      }
      if (current === 'later') {
        throw writtenByLaterVersion();
      }
      const isWritten =
        current === undefined
          ? await this.folder.create(fileName(id), fileText(changed))
          : await this.folder.put(fileName(id), fileText(changed));
      if (isWritten) {
        this.know(id, fileText(changed));
      }
      return isWritten ? changed : undefined;
    });
  }

  protected override parseText(_id: string, text: string): T | UnreadableFile {
    const stored = versionedObject(text);
    return typeof stored === 'string' ? stored : (this.#parse(stored) ?? 'damaged');
  }
}

/** Failure of a change to what only a later version of the extension understands. */
function writtenByLaterVersion(): ServiceFailure {
  return new ServiceFailure(
    'storage',
    l10n.t('A later version of this extension saved this, so nothing was changed.'),
    {
      next: l10n.t('Update the extension.'),
    },
  );
}

function fileText(value: object): string {
  return JSON.stringify({ ...value, v: VERSION });
}
