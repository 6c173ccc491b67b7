import { execFile } from 'node:child_process';
import { basename } from 'node:path';

export type NpmOutcome = { readonly status: number; readonly stdout: string; readonly stderr: string };

/**
 * Runs the npm that runs this program, or the machine's own, in a folder. Never rejects: a command such as `npm audit`
 * fails with an answer.
 */
export function runNpm(folder: string, ...args: readonly string[]): Promise<NpmOutcome> {
  const running = process.env['npm_execpath'];
  const isItself = running !== undefined && basename(running).startsWith('npm');
  const [command, prefix] = isItself ? [process.execPath, [running]] : ['npm', []];
  const options = { cwd: folder, maxBuffer: 64 * 1_024 ** 2, shell: !isItself && process.platform === 'win32' };
  return new Promise((resolve) =>
    execFile(command, [...prefix, ...args], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : 1, stdout, stderr: stderr === '' ? (error?.message ?? '') : stderr }),
    ),
  );
}
