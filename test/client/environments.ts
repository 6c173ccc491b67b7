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
  const requirements = fileURLToPath(new URL(`requirements/${version}.txt`, import.meta.url));
  return programOf(await virtualEnvironment(`acryl-datahub-${version}`, requirements), 'python');
}

/**
 * Folder of a virtual environment with pinned packages, created once.
 * @param requirements path of a file for pip
 * @throws MissingPrerequisite
 */
export async function virtualEnvironment(name: string, requirements: string): Promise<string> {
  const { command, leadingArguments, identity } = await findPython();
  const digest = digestOf(await readFile(requirements), Buffer.from(identity));
  return fillOnce(`${name}-${process.platform}-${process.arch}-${digest}`, async (partial) => {
    console.log(`Installing ${name.replace(/-(?=\d)/, ' ')}, once…`);
    await run(command, [...leadingArguments, '-m', 'venv', partial]);
    await run(programOf(partial, 'python'), [...PIP_INSTALL, requirements]);
  });
}

/** A program in a virtual environment. */
export function programOf(environment: string, name: string): string {
  return process.platform === 'win32' ? join(environment, 'Scripts', `${name}.exe`) : join(environment, 'bin', name);
}
