import { execFile } from 'node:child_process';
import { basename } from 'node:path';

export type NpmOutcome = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Variables in which npm gives a script the location of its project. Another folder has another project. */
const OWN_PROJECT = /^npm_(package|lifecycle|config_local_prefix|command)/;

/**
 * Runs the npm that runs this program, or the machine's own, in a folder. Never rejects: a command such as `npm audit`
 * fails with an answer.
 */
export function runNpm(
  folder: string,
  npmArguments: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<NpmOutcome> {
  const running = process.env['npm_execpath'];
  const isItself = running !== undefined && basename(running).startsWith('npm');
  const [command, prefix] = isItself ? [process.execPath, [running]] : ['npm', []];
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_PROJECT.test(name));
  const options = {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...environment },
    maxBuffer: 64 * 1_024 ** 2,
    shell: !isItself && process.platform === 'win32',
  };
  return new Promise((resolve) =>
    execFile(command, [...prefix, ...npmArguments], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : 1, stdout, stderr: stderr === '' ? (error?.message ?? '') : stderr }),
    ),
  );
}
