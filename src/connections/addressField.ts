/** Asks for the address of a connection, and offers what can be imported. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { candidateAddresses } from '../service/http/candidateAddresses.ts';
import {
  createPickList,
  failureItems,
  showInput,
  showPickItems,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import { askModal } from '../ui/messages.ts';
import {
  hasCommandLineFile,
  readCommandLineEnvironment,
  readCommandLineFile,
  type CommandLineImport,
  type ImportedConnection,
} from './commandLine.ts';
import { hostOf, lacksConsent, type ConnectionFields } from './connection.ts';
import { COMMAND_LINE_FILE, COMMAND_LINE_VARIABLE } from './credentialLife.ts';
import { remoteBelow, remoteBeside } from './extensionPlace.ts';

/** Where the address of a new connection, its token and its headers can be imported from. */
interface ImportSource {
  readonly name: string;
  /** Where it is, if that may not be the machine that the user thinks of. */
  readonly machine: string | undefined;
  readonly detail: string;
  /** Reads it, once the user asks for it. @returns undefined if the user declines. */
  readonly read: () => Promise<ImportedConnection | undefined>;
}

type ProposedAddress = Pick<ConnectionFields, 'baseUrl' | 'plainHttpOrigin'>;

interface AddressItem extends PickItem {
  readonly source?: ImportSource;
}

interface AnsweredAddress {
  /** Possible meanings of the address, the likeliest first. The service is looked for at each. */
  readonly baseUrls: readonly [string, ...string[]];
  /** Undefined for an address that wasn't imported. */
  readonly imported: ImportedConnection | undefined;
}

/**
 * Asks for the address. Uses a quick pick, since input boxes offer no items.
 * @param isNew True to offer what can be imported.
 */
export async function askAddress(
  place: StepPlace,
  proposed: ProposedAddress,
  isNew: boolean,
): Promise<StepAnswer<AnsweredAddress>> {
  const sources = isNew ? await importSources() : [];
  const pick = createPickList<AddressItem>(l10n.t('Server address, for example https://datahub.example.com'));
  pick.value = proposed.baseUrl;
  let isImporting = false;
  const isUntouched = (): boolean => pick.value.trim() === '' || pick.value === proposed.baseUrl;
  const render = (failure?: ServiceFailure): void =>
    showPickItems(pick, [addressItem(pick.value, proposed), ...(isUntouched() ? importItems(sources, failure) : [])]);
  render();
  const importFrom = async (source: ImportSource): Promise<ImportedConnection | undefined> => {
    isImporting = true;
    try {
      return await source.read();
    } catch (thrown) {
      render(toServiceFailure(thrown));
      return undefined;
    } finally {
      isImporting = false;
    }
  };
  return showInput<AnsweredAddress>(pick, place, (done) => [
    pick.onDidChangeValue(() => render()),
    pick.onDidAccept(async () => {
      const source = isUntouched() ? pick.selectedItems[0]?.source : undefined;
      // Enter has no effect while the question about an import is open.
      if (isImporting) {
        return;
      }
      if (source !== undefined) {
        const imported = await importFrom(source);
        if (imported !== undefined) {
          done({ kind: 'value', value: { baseUrls: [imported.baseUrl, ...imported.otherBaseUrls], imported } });
        }
        return;
      }
      // The list lags behind fast typing, so the field counts.
      const meant = addressesMeant(pick.value, proposed);
      if (typeof meant !== 'string') {
        done({ kind: 'value', value: { baseUrls: meant, imported: undefined } });
      }
    }),
  ]);
}

/** The likeliest first, or what is wrong. An unchanged proposal means only itself. */
function addressesMeant(text: string, proposed: ProposedAddress): AnsweredAddress['baseUrls'] | string {
  if (text === proposed.baseUrl && text !== '') {
    return [text];
  }
  const found = candidateAddresses(text);
  if ('problem' in found) {
    return found.problem;
  }
  const [first = '', ...others] = found;
  return [first, ...others];
}

function addressItem(text: string, proposed: ProposedAddress): AddressItem {
  if (text.trim() === '') {
    return {
      icon: 'edit',
      label: l10n.t('Type or paste the address'),
      detail: l10n.t('Host and port are enough. A trailing /api/graphql is fine.'),
      alwaysShow: true,
    };
  }
  const meant = addressesMeant(text, proposed);
  if (typeof meant === 'string') {
    return { icon: 'error', label: meant, alwaysShow: true };
  }
  const [baseUrl] = meant;
  return {
    icon: 'arrow-right',
    label: baseUrl,
    detail: lacksConsent({ baseUrl, plainHttpOrigin: proposed.plainHttpOrigin })
      ? l10n.t("Not encrypted. You'll be asked before your token is sent.")
      : l10n.t('Press Enter to use this address'),
    alwaysShow: true,
  };
}

/** @param failure Of the last attempt. */
function importItems(sources: readonly ImportSource[], failure: ServiceFailure | undefined): AddressItem[] {
  return [
    ...sources.map((source) => ({
      icon: 'file',
      label: l10n.t('Import from {0}', source.name),
      description: source.machine ?? '',
      detail: source.detail,
      alwaysShow: true,
      source,
    })),
    ...(failure === undefined ? [] : failureItems(failure)),
  ];
}

/** Those of the command line: its file if there is one, and the environment if it names a server. */
async function importSources(): Promise<ImportSource[]> {
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
