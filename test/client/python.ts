import { execFile } from 'node:child_process';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { MissingPrerequisite } from '../../tools/run/missingPrerequisite.ts';

const run = promisify(execFile);

export interface Python {
  readonly command: string;
  readonly leadingArguments: readonly string[];
  /** Its version and location, in one line. */
  readonly identity: string;
}

/** The oldest version for which the pinned packages have wheels. */
const OLDEST: readonly [major: number, minor: number] = [3, 11];

const CANDIDATES = [['python3'], ['python'], ['py', '-3']];

const QUESTION = `
import importlib.util, sys
has_pip = all(importlib.util.find_spec(name) for name in ("venv", "ensurepip"))
print(*sys.version_info[:2], has_pip, sys.version.split()[0], sys.base_prefix)
`;

/**
 * A Python that can create virtual environments: the command in the environment variable PYTHON, otherwise the first
 * that is suitable.
 * @throws MissingPrerequisite
 */
export async function findPython(environment: NodeJS.ProcessEnv = env): Promise<Python> {
  const problems: string[] = [];
  for (const candidate of environment['PYTHON'] ? [[environment['PYTHON']]] : CANDIDATES) {
    const found = await ask(candidate, environment);
    if (typeof found === 'object') return found;
    if (found !== undefined) problems.push(found);
  }
  throw new MissingPrerequisite(
    problems[0] ??
      `Python is missing: install Python ${OLDEST.join('.')} or later with pip, ` +
        'or name its command in the environment variable PYTHON.',
  );
}

/** @returns a sentence if it can't be used; undefined if there is no such command */
async function ask(candidate: readonly string[], environment: NodeJS.ProcessEnv): Promise<Python | string | undefined> {
  const [command = '', ...leadingArguments] = candidate;
  const answer = await run(command, [...leadingArguments, '-c', QUESTION], { env: environment }).catch(() => undefined);
  const [, major, minor, hasPip, identity] = /^(\d+) (\d+) (True|False) (.*)/.exec(answer?.stdout ?? '') ?? [];
  if (identity === undefined) return undefined;
  const version = `${major}.${minor}`;
  if (Number(major) !== OLDEST[0] || Number(minor) < OLDEST[1]) {
    return `Python ${OLDEST.join('.')} or later is needed, and ${candidate.join(' ')} is Python ${version}.`;
  }
  if (hasPip === 'False') {
    return (
      `pip is missing: Python ${version} has no modules venv and ensurepip ` +
      '(on Debian and Ubuntu they are in the package python3-venv).'
    );
  }
  return { command, leadingArguments, identity };
}
