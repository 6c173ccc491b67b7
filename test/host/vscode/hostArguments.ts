import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The part of VS Code's command line that this host understands. */
export type HostArguments = {
  readonly extensionDevelopmentPaths: readonly string[];
  readonly extensionTestsPath: string;
  /** The folder to open; an empty window without one. */
  readonly folder: string | undefined;
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** Workspace trust is on: a folder opens in restricted mode. */
  readonly workspaceTrust: boolean;
};

/** Turns workspace trust on although `runTests` always turns it off. An option of this host, not of VS Code. */
export const KEEP_WORKSPACE_TRUST = '--keep-workspace-trust';

/** @throws a sentence where something is missing that this host cannot do without */
export function hostArguments(args: readonly string[]): HostArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    // A desktop VS Code takes many more: those mean nothing here.
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
      'keep-workspace-trust': { type: 'boolean' },
    },
  });
  const folder = positionals[0];
  return {
    extensionDevelopmentPaths: (values.extensionDevelopmentPath ?? []).map((path) => resolve(String(path))),
    extensionTestsPath: required('extensionTestsPath', values.extensionTestsPath),
    folder: folder === undefined ? undefined : resolve(folder),
    userDataDir: required('user-data-dir', values['user-data-dir']),
    extensionsDir: required('extensions-dir', values['extensions-dir']),
    workspaceTrust: values['keep-workspace-trust'] === true,
  };
}

function required(name: string, value: string | boolean | undefined): string {
  if (typeof value !== 'string' || value === '') throw new Error(`--${name}=… is missing.`);
  return resolve(value);
}
