/** What the bench asks of its probe in a window, and what comes back: two files in the folder that the window has open. */

export const TASK_FILE = 'bench-task.json';
export const RESULT_FILE = 'bench-result.json';

export interface Task {
  /** Id of the extension to activate. */
  readonly activate: string;
  /** Where a CPU profile of the activation is to be written. */
  readonly profile?: string;
}

/** A file of the extension that was read as code. */
export interface LoadedFile {
  readonly path: string;
  readonly bytes: number;
}

/** Times in ms, heap in bytes. */
export interface Activation {
  /** From asking VS Code for the activation to its end, what VS Code does around it included. */
  readonly wallMs: number;
  /** By VS Code's own marks; undefined where it has none. */
  readonly codeLoadMs: number | undefined;
  readonly activateMs: number | undefined;
  readonly heapBefore: number;
  readonly heapAfter: number;
  readonly loaded: readonly LoadedFile[];
}

export type Result = Activation | { readonly error: string };
