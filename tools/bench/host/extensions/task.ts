/** Messages between the bench and its probe: two files in the folder that the window has open. */

export const TASK_FILE = 'bench-task.json';
export const RESULT_FILE = 'bench-result.json';

export interface ProbeTask {
  /** ID of the extension to activate. */
  readonly activate: string;
  /** File for a CPU profile of the activation. */
  readonly profile?: string;
}

/** A file of the extension, loaded as code. */
export interface LoadedFile {
  readonly path: string;
  readonly bytes: number;
}

/** Times in ms, heap in bytes. */
export interface ActivationFigures {
  /** From the request to VS Code until the activation ends, including VS Code's own work. */
  readonly wallMs: number;
  /** By VS Code's own marks. Undefined if it has none. */
  readonly codeLoadMs: number | undefined;
  readonly activateMs: number | undefined;
  readonly heapBefore: number;
  readonly heapAfter: number;
  readonly loaded: readonly LoadedFile[];
}

export type Result = ActivationFigures | { readonly error: string };
