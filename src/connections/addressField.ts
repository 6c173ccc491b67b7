/** Asks for the address of a connection, and offers servers on this machine and what can be imported. */
import * as l10n from '@vscode/l10n';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { candidateAddresses } from '../service/http/baseUrl.ts';
import type { NetworkAccess } from '../service/http/network.ts';
import { Transport } from '../service/http/transport.ts';
import { askServerIdentity, type ServerIdentity } from '../service/server/serverInfo.ts';
import {
  createPickList,
  failureItems,
  separator,
  showInput,
  showPickItems,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import type { ImportedConnection } from './commandLineFile.ts';
import type { ConnectionFields } from './connection.ts';
import { lacksConsent } from './plainHttpConsent.ts';
import type { ImportSource } from './importSources.ts';

type Addresses = readonly [string, ...string[]];

interface AddressItem extends PickItem {
  readonly baseUrls?: Addresses;
  readonly source?: ImportSource;
}

interface AnsweredAddress {
  /** What the address may mean, the likeliest first. */
  readonly baseUrls: Addresses;
  /** Undefined for an address that wasn't imported. */
  readonly imported: ImportedConnection | undefined;
}

/**
 * Asks for the address. Uses a quick pick, since input boxes offer no items.
 * @param network For the ports of this machine that are asked meanwhile.
 */
export function askAddress(
  place: StepPlace,
  { baseUrl: proposed, plainHttpOrigin }: Pick<ConnectionFields, 'baseUrl' | 'plainHttpOrigin'>,
  network: NetworkAccess,
  sources: readonly ImportSource[],
): Promise<StepAnswer<AnsweredAddress>> {
  const pick = createPickList<AddressItem>(l10n.t('Server address, for example https://datahub.example.com'));
  const local: FoundLocalServer[] = [];
  let isClosed = false;
  let isImporting = false;
  let importFailure: ServiceFailure | undefined;
  let shownFor: string | undefined;
  pick.value = proposed;
  const renderItems = (): void => {
    if (isClosed) {
      return;
    }
    const imports = isTyped(pick.value, proposed) ? [] : importItems(sources, importFailure);
    const items = [
      ...itemsForTypedText(pick.value, proposed, plainHttpOrigin),
      ...imports,
      ...localServerItems(local, pick.value),
    ];
    // Keep the active item when another server is found.
    const marked = shownFor === pick.value ? pick.activeItems[0]?.baseUrls?.[0] : undefined;
    shownFor = pick.value;
    showPickItems(
      pick,
      items,
      marked === undefined ? undefined : items.find(({ baseUrls }) => baseUrls?.[0] === marked),
    );
  };
  renderItems();
  pick.busy = true;
  void findLocalServers(network, (server) => {
    local.push(server);
    renderItems();
  }).finally(() => {
    if (!isClosed) {
      pick.busy = false;
    }
  });
  const importFrom = async (source: ImportSource): Promise<ImportedConnection | undefined> => {
    isImporting = true;
    importFailure = undefined;
    try {
      return await source.read();
    } catch (thrown) {
      importFailure = toServiceFailure(thrown);
      renderItems();
      return undefined;
    } finally {
      isImporting = false;
    }
  };
  const answered = showInput<AnsweredAddress>(pick, place, (done) => [
    pick.onDidChangeValue(renderItems),
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      // Enter has no effect while the question about an import is open.
      if (chosen?.source !== undefined && !isTyped(pick.value, proposed) && !isImporting) {
        void importFrom(chosen.source).then((imported) => {
          if (imported !== undefined && !isClosed) {
            done({ kind: 'value', value: { baseUrls: [imported.baseUrl, ...imported.otherBaseUrls], imported } });
          }
        });
        return;
      }
      // The list lags behind fast typing, so the field counts, unless another row than the first was chosen.
      const typed = addressesMeant(pick.value, proposed);
      const isAnother = chosen?.baseUrls !== undefined && chosen.baseUrls[0] !== typed?.[0] && shownFor === pick.value;
      const baseUrls = isAnother ? chosen.baseUrls : typed;
      if (baseUrls !== undefined && !isImporting) {
        done({ kind: 'value', value: { baseUrls, imported: undefined } });
      }
    }),
  ]);
  return answered.finally(() => (isClosed = true));
}

function isTyped(text: string, proposed: string): boolean {
  return text.trim() !== '' && text !== proposed;
}

/** The likeliest first. An unchanged proposal means only itself. Undefined for no address. */
function addressesMeant(text: string, proposed: string): Addresses | undefined {
  if (text === proposed && text !== '') {
    return [text];
  }
  const found = candidateAddresses(text);
  const [first, ...others] = 'problem' in found ? [] : found.map(({ baseUrl }) => baseUrl);
  return first === undefined ? undefined : [first, ...others];
}

/** Items for the possible addresses, or one with the problem. */
function itemsForTypedText(text: string, proposed: string, plainHttpOrigin: string | undefined): AddressItem[] {
  if (text.trim() === '') {
    return [
      {
        icon: 'edit',
        label: l10n.t('Type or paste the address'),
        detail: l10n.t('Host and port are enough. A trailing /api/graphql is fine.'),
        alwaysShow: true,
      },
    ];
  }
  const found = candidateAddresses(text);
  const meant = addressesMeant(text, proposed);
  if (meant === undefined) {
    return [{ icon: 'error', label: 'problem' in found ? found.problem : '', alwaysShow: true }];
  }
  // The other ones leave out a part of it.
  const longest = Math.max(...meant.map((baseUrl) => baseUrl.length));
  const [, ...others] = meant;
  const otherItem = (baseUrl: string): AddressItem => {
    const item = addressItem([baseUrl], plainHttpOrigin);
    // Not as the label, since VS Code sorts matches first.
    return baseUrl.length === longest ? { ...item, label: l10n.t('Use the address as typed'), detail: baseUrl } : item;
  };
  return [addressItem(meant, plainHttpOrigin), ...others.map(otherItem)];
}

/** @param plainHttpOrigin The origin for which plain HTTP was agreed to, if any. */
function addressItem(baseUrls: Addresses, plainHttpOrigin: string | undefined): AddressItem {
  const [baseUrl] = baseUrls;
  return {
    icon: 'arrow-right',
    label: baseUrl,
    detail: lacksConsent({ baseUrl, plainHttpOrigin })
      ? l10n.t("Not encrypted. You'll be asked before your token is sent.")
      : l10n.t('Press Enter to use this address'),
    alwaysShow: true,
    baseUrls,
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

function localServerItems(local: readonly FoundLocalServer[], typed: string): AddressItem[] {
  const others = local.filter(({ baseUrl }) => !typed.includes(baseUrl));
  if (others.length === 0) {
    return [];
  }
  return [
    separator(l10n.t('Running on this machine')),
    ...others.map(({ baseUrl, facts }): AddressItem => ({
      icon: 'server',
      label: baseUrl,
      description: [facts.product, facts.version].filter((part) => part !== undefined).join(' '),
      baseUrls: [baseUrl],
    })),
  ];
}

/** Default ports of the service and of its front end. */
const USUAL_PORTS = [8080, 9002];
const LOCAL_TIMEOUT_MILLIS = 1_500;

interface FoundLocalServer {
  readonly baseUrl: string;
  readonly facts: ServerIdentity;
}

/**
 * Asks the usual loopback ports for their product, without a credential. Calls `found` for each server that
 * answers.
 */
async function findLocalServers(network: NetworkAccess, found: (server: FoundLocalServer) => void): Promise<void> {
  await Promise.all(
    USUAL_PORTS.map(async (port) => {
      // Anybody can listen on the other loopback address that `localhost` may mean.
      const baseUrl = `http://127.0.0.1:${port}`;
      const transport = new Transport({
        baseUrl,
        readSecrets: () => Promise.resolve({}),
        timeoutMillis: () => LOCAL_TIMEOUT_MILLIS,
        network,
      });
      const facts = await askServerIdentity(transport).catch(() => undefined);
      if (facts?.product !== undefined) {
        found({ baseUrl, facts });
      }
    }),
  );
}
