import { fileURLToPath } from 'node:url';
import { MissingPrerequisite } from '../../tools/run/missingPrerequisite.ts';
import { programOf, virtualEnvironment } from '../client/environments.ts';

type Found = { readonly path: string } | { readonly missing: string };

let finding: Promise<Found> | undefined;

/**
 * Installs shellcheck once.
 * @returns path of the program, or `missing`, the reason why it can't be installed
 */
export function findShellcheck(): Promise<Found> {
  finding ??= install();
  return finding;
}

async function install(): Promise<Found> {
  const requirements = fileURLToPath(new URL('shellcheck.txt', import.meta.url));
  try {
    return { path: programOf(await virtualEnvironment('shellcheck', requirements), 'shellcheck') };
  } catch (error) {
    if (error instanceof MissingPrerequisite) return { missing: error.message };
    throw error;
  }
}
