/** Where the address of a new connection, its token and its headers can be imported from. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { askModal } from '../ui/messages.ts';
import {
  hasCommandLineFile,
  readCommandLineEnvironment,
  readCommandLineFile,
  type CommandLineImport,
  type ImportedConnection,
} from './commandLine.ts';
import { hostOf } from './connection.ts';
import { COMMAND_LINE_FILE, COMMAND_LINE_VARIABLE } from './credentialLife.ts';
import { remoteBelow, remoteBeside } from './whereItRuns.ts';

export interface ImportSource {
  readonly name: string;
  /** Where it is, if that may not be the machine that the user thinks of. */
  readonly machine: string | undefined;
  readonly detail: string;
  /** Reads it, once the user asks for it. @returns undefined if the user declines. */
  readonly read: () => Promise<ImportedConnection | undefined>;
}

/** Those of the command line: its file if there is one, and the environment if it names a server. */
export async function importSources(): Promise<ImportSource[]> {
  const machine = remoteBelow() ?? (remoteBeside() === undefined ? undefined : l10n.t('on this computer'));
  const file = {
    name: COMMAND_LINE_FILE,
    machine,
    detail: l10n.t('Address, token and headers of the datahub command'),
    read: async () => askImport(COMMAND_LINE_FILE, await readCommandLineFile()),
  };
  const named = readCommandLineEnvironment();
  const environment = named && {
    name: COMMAND_LINE_VARIABLE,
    machine,
    detail: l10n.t("Address and token of the datahub command in this window's environment"),
    read: () => askImport(COMMAND_LINE_VARIABLE, named),
  };
  return [...((await hasCommandLineFile()) ? [file] : []), ...(environment === undefined ? [] : [environment])];
}

/**
 * Asks what to take: other extensions can press Enter in the list.
 * @returns undefined if the user declines.
 */
async function askImport(
  source: string,
  { connection, remarks }: CommandLineImport,
): Promise<ImportedConnection | undefined> {
  const accept: vscode.MessageItem = { title: l10n.t('Import') };
  const names = Object.keys(connection.headers);
  const taken =
    connection.token === undefined
      ? l10n.t('Its address will be imported: {0}', connection.baseUrl)
      : l10n.t(
          "Its address ({0}) and its access token will be imported. The token isn't sent yet.",
          connection.baseUrl,
        );
  const answer = await askModal(
    l10n.t('Import the connection to {0} from {1}?', hostOf(connection), source),
    [
      taken,
      ...(names.length === 0 ? [] : [l10n.t('Its additional headers will be imported: {0}.', names.join(', '))]),
      ...remarks,
    ],
    accept,
  );
  return answer === accept ? connection : undefined;
}
