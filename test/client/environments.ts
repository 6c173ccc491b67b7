import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { digestOf, fillOnce } from '../host/vscode/install.ts';
import { findPython } from './python.ts';
import { CLIENT_RELEASES } from './releases.ts';

const run = promisify(execFile);

/** Installs pinned packages only, as wheels, because those run no code during the installation. */
const PIP_INSTALL = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary', ':all:', '--requirement'];

/** Creates missing virtual environments, so that no test has to wait for one. */
export async function makeEnvironments(): Promise<void> {
  await Promise.all(CLIENT_RELEASES.map(({ version }) => pythonWithClient(version)));
}

/**
 * Python of a virtual environment with a release of the client, created once.
 * @throws MissingPrerequisite
 */
export async function pythonWithClient(version: string): Promise<string> {
  const { command, leadingArguments, identity } = await findPython();
  const requirements = fileURLToPath(new URL(`requirements/${version}.txt`, import.meta.url));
  const digest = digestOf(await readFile(requirements), Buffer.from(identity));
  const folder = await fillOnce(
    `acryl-datahub-${version}-${process.platform}-${process.arch}-${digest}`,
    async (partial) => {
      console.log(`Installing acryl-datahub ${version}, once…`);
      await run(command, [...leadingArguments, '-m', 'venv', partial]);
      await run(executableIn(partial), [...PIP_INSTALL, requirements]);
    },
  );
  return executableIn(folder);
}

function executableIn(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}
