import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Options of VS Code's command line for this host. */
export type HostArguments = {
  readonly extensionDevelopmentPaths: readonly string[];
  readonly extensionTestsPath: string;
  /** Folder to open. Undefined for an empty window. */
  readonly folder: string | undefined;
  readonly userDataDir: string;
  readonly extensionsDir: string;
};

/** @throws a sentence if a required argument is missing */
export function hostArguments(args: readonly string[]): HostArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    // A desktop VS Code's other options are meaningless here.
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
    },
  });
  const folder = positionals[0];
  return {
    extensionDevelopmentPaths: (values.extensionDevelopmentPath ?? []).map((path) => resolve(String(path))),
    extensionTestsPath: required('extensionTestsPath', values.extensionTestsPath),
    folder: folder === undefined ? undefined : resolve(folder),
    userDataDir: required('user-data-dir', values['user-data-dir']),
    extensionsDir: required('extensions-dir', values['extensions-dir']),
  };
}

function required(name: string, value: string | boolean | undefined): string {
  if (typeof value !== 'string' || value === '') throw new Error(`--${name}=… is missing.`);
  return resolve(value);
}
