/** Defects that this extension once had, as changes of its source that put them back. */

export interface Defect {
  /** What went wrong. */
  readonly name: string;
  readonly changes: readonly Change[];
}

export interface Change {
  /** Path from the repository's folder. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

export const DEFECTS: readonly Defect[] = [
  {
    name: 'a dry run that was reviewed on one server is executed on another',
    changes: [
      {
        file: 'src/truncation/truncationRun.ts',
        find: "import { accessOf } from '../connections/connection.ts';",
        replace: "const accessOf = (_: unknown): string => '';",
      },
      {
        file: 'src/truncation/truncationRun.ts',
        find: 'const isSame = connection !== undefined && (this.#service === undefined || this.#service === this.#parts.service(connection));',
        replace: 'const isSame = true;',
      },
    ],
  },
  {
    name: 'what is sent is written down in VS Code’s storage only',
    changes: [
      {
        file: 'src/platform/durableStore.ts',
        find: 'await folder.write(fileName(prefix, id), JSON.stringify(toStored(version)));',
        replace: 'void folder;',
      },
    ],
  },
  {
    name: 'a browser’s network stack is left to follow redirects, and to send again',
    changes: [{ file: 'src/service/transport.ts', find: "redirect: 'manual',", replace: "redirect: 'error'," }],
  },
  {
    name: 'a clock that is set back keeps a dry run from ever becoming too old',
    changes: [
      {
        file: 'src/truncation/truncation.ts',
        find: 'return age > maxAge || age < 0 || monotonicNow - monotonicAt > maxAge;',
        replace: 'return age > maxAge;',
      },
    ],
  },
];
