import { fileURLToPath } from 'node:url';
import { MissingPrerequisite } from '../../tools/run/missingPrerequisite.ts';
import { programOf, virtualEnvironment } from '../client/environments.ts';
import { findBusybox } from './busybox.ts';

let installing: Promise<unknown> | undefined;

/** Installs once what the tests of the script use. A test that lacks something says so itself. */
export function installForJob(): Promise<unknown> {
  installing ??= Promise.allSettled([findBusybox(), findShellcheck()]);
  return installing;
}

/** @returns path of the program, or `missing`, the reason why it can't be installed */
export async function findShellcheck(): Promise<{ readonly path: string } | { readonly missing: string }> {
  const requirements = fileURLToPath(new URL('shellcheck.txt', import.meta.url));
  try {
    return { path: programOf(await virtualEnvironment('shellcheck', requirements), 'shellcheck') };
  } catch (error) {
    if (error instanceof MissingPrerequisite) return { missing: error.message };
    throw error;
  }
}
