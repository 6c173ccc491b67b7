/** Asks for the address, and offers servers on this machine. */
import * as l10n from '@vscode/l10n';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { candidateAddresses, type BaseUrl } from '../service/http/baseUrl.ts';
import type { NetworkAccess } from '../service/http/network.ts';
import { Transport } from '../service/http/transport.ts';
import { askServerFacts, type ServerFacts } from '../service/server/serverInfo.ts';
import type { ImportedConnection, ImportedCredential } from './commandLineFile.ts';
import { openRemoteSetting } from '../ui/notices.ts';
import { isExposed } from './whereItRuns.ts';
import {
  showInput,
  type StepAnswer,
  type StepPlace,
  createPickList,
  failureItems,
  separator,
  showPickItems,
  type PickItem,
} from '../ui/inputSteps.ts';

interface AddressPickItem extends PickItem {
  readonly baseUrl?: string;
  readonly isLocal?: true;
  /** Only after a failure. */
  readonly action?: 'useAnyway' | 'retry' | 'runOnRemote';
  readonly source?: ImportSource;
}

/** Server and token of another program on this machine. */
export interface ImportSource {
  readonly name: string;
  /** Where it is, if that may not be the machine that the user thinks of. */
  readonly machine: string | undefined;
  readonly detail: string;
  /** Reads it, once the user asks for it. @returns undefined if the user declines. */
  readonly read: () => Promise<ImportedConnection | undefined>;
}

/** An address that Enter was pressed on. */
interface TriedAddress {
  /** Text in the field at that time. */
  readonly text: string;
  /** The likeliest first. */
  readonly baseUrls: readonly [string, ...string[]];
  readonly imported: ImportedCredential | undefined;
  readonly stop: AbortController;
  /** Undefined while it is asked. */
  failure: ServiceFailure | undefined;
}

export interface AnsweredAddress {
  readonly baseUrl: string;
  /** False if the user goes on although no service was found there. */
  readonly isService: boolean;
  /** Undefined for an address that wasn't imported. */
  readonly imported: ImportedCredential | undefined;
}

type AddressDone = (answer: StepAnswer<AnsweredAddress>) => void;

/**
 * Asks for the address until a service answers there, or the user goes on without. Uses a quick pick, since input
 * boxes offer no items.
 * @param find Looks for a service at these addresses of one host, and returns its own. @throws ServiceFailure if there
 * is none.
 * @param network For the ports of this machine that are asked meanwhile.
 */
export function askServerAddress(
  place: StepPlace,
  proposed: string,
  find: (baseUrls: readonly string[], signal: AbortSignal) => Promise<string>,
  network: NetworkAccess,
  sources: readonly ImportSource[],
): Promise<StepAnswer<AnsweredAddress>> {
  const pick = createPickList<AddressPickItem>(l10n.t('Server address, for example https://datahub.example.com'));
  const local: FoundLocalServer[] = [];
  let closed = false;
  let isSearched = false;
  let tried: TriedAddress | undefined;
  let isImporting = false;
  let importFailure: ServiceFailure | undefined;
  pick.value = proposed;
  let offeredFor = proposed;
  const isTyped = (text: string): boolean => text.trim() !== '' && text !== proposed;
  const renderItems = (): void => {
    if (closed) {
      return;
    }
    pick.busy = !isSearched || (tried !== undefined && tried.failure === undefined);
    if (tried !== undefined) {
      const tries = triedAddressItems(tried);
      const next = tries.find(({ action }) => action !== undefined);
      showPickItems(pick, tries, next);
      return;
    }
    const imports = sources.length === 0 || isTyped(pick.value) ? [] : importItems(sources, importFailure);
    const items = [...itemsForTypedText(pick.value, proposed), ...imports, ...localServerItems(local, pick.value)];
    // Keep the active item when another server is found.
    const marked = offeredFor === pick.value ? pick.activeItems[0]?.baseUrl : undefined;
    offeredFor = pick.value;
    showPickItems(pick, items, marked === undefined ? undefined : items.find(({ baseUrl }) => baseUrl === marked));
  };
  renderItems();
  void findLocalServers(network, (server) => {
    local.push(server);
    // An answer about the tried address stays where it is.
    if (tried === undefined) {
      renderItems();
    }
  }).finally(() => {
    isSearched = true;
    if (!closed && (tried === undefined || tried.failure !== undefined)) {
      pick.busy = false;
    }
  });
  const tryAddresses = async (
    baseUrls: TriedAddress['baseUrls'],
    done: AddressDone,
    imported?: ImportedCredential,
  ): Promise<void> => {
    const stop = new AbortController();
    const current: TriedAddress = { text: pick.value, baseUrls, imported, stop, failure: undefined };
    tried = current;
    renderItems();
    try {
      const baseUrl = await find(baseUrls, current.stop.signal);
      if (!current.stop.signal.aborted) {
        done({ kind: 'value', value: { baseUrl, isService: true, imported } });
      }
    } catch (thrown) {
      if (!current.stop.signal.aborted) {
        current.failure = toServiceFailure(thrown);
        renderItems();
      }
    }
  };
  const importAddress = async (source: ImportSource, done: AddressDone): Promise<void> => {
    isImporting = true;
    importFailure = undefined;
    try {
      const imported = await source.read();
      if (imported !== undefined && !closed && tried === undefined) {
        await tryAddresses([imported.baseUrl, ...imported.otherBaseUrls], done, imported);
      }
    } catch (thrown) {
      importFailure = toServiceFailure(thrown);
      renderItems();
    } finally {
      isImporting = false;
    }
  };
  const answered = showInput<AnsweredAddress>(pick, place, (done) => [
    pick.onDidChangeValue((value) => {
      // VS Code reports the proposed address too, perhaps late.
      if (value !== (tried?.text ?? offeredFor)) {
        tried?.stop.abort();
        tried = undefined;
        renderItems();
      }
    }),
    pick.onDidHide(() => (closed = true)),
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (tried !== undefined) {
        // Enter has no effect until there is an answer.
        if (tried.failure !== undefined && chosen?.action === 'retry') {
          void tryAddresses(tried.baseUrls, done, tried.imported);
        } else if (chosen?.action === 'runOnRemote') {
          void openRemoteSetting();
        } else if (tried.failure !== undefined && chosen?.action === 'useAnyway') {
          const {
            baseUrls: [baseUrl],
            imported,
          } = tried;
          done({ kind: 'value', value: { baseUrl, isService: false, imported } });
        }
        return;
      }
      if (chosen?.source !== undefined && !isTyped(pick.value)) {
        // Enter has no effect while its question is open.
        return isImporting ? undefined : void importAddress(chosen.source, done);
      }
      // The list lags behind fast typing, so the field counts, unless a local server was chosen.
      const typed = addressesMeant(pick.value, proposed);
      const [first, ...others] = 'problem' in typed ? [] : typed.map(({ baseUrl }) => baseUrl);
      const isExact = chosen?.isLocal === true || others.some((baseUrl) => baseUrl === chosen?.baseUrl);
      if (chosen?.baseUrl !== undefined && isExact) {
        void tryAddresses([chosen.baseUrl], done);
      } else if (first !== undefined) {
        // An earlier choice stays, even if only another address answers.
        void tryAddresses(pick.value === proposed ? [first] : [first, ...others], done);
      }
    }),
  ]);
  // Whichever way the user leaves the step, stop asking.
  return answered.finally(() => {
    closed = true;
    tried?.stop.abort();
  });
}

function triedAddressItems({ baseUrls: [baseUrl], failure }: TriedAddress): AddressPickItem[] {
  return failure === undefined
    ? [{ icon: 'sync~spin', label: l10n.t('Connecting to {0}…', baseUrl), alwaysShow: true }]
    : [
        { icon: 'error', label: failure.headline, alwaysShow: true },
        // Descriptions, since VS Code moves labels with the typed text to the top.
        ...failureItems(failure)
          .slice(1)
          .map(({ icon = '', label }) => ({ icon, label: '', description: label, alwaysShow: true })),
        { icon: 'refresh', label: l10n.t('Try Again'), alwaysShow: true, action: 'retry' },
        ...(failure.mayBeReachedFromRemote ? [{ ...runOnRemoteItem(), action: 'runOnRemote' as const }] : []),
        {
          icon: 'arrow-right',
          label: l10n.t('Use This Address Anyway'),
          detail: baseUrl,
          alwaysShow: true,
          action: 'useAnyway',
        },
      ];
}

/** Leads to the setting that has the extension run on the remote machine. */
export function runOnRemoteItem(): PickItem {
  return {
    icon: 'remote',
    label: l10n.t('Run on the Remote…'),
    detail: l10n.t('The extension must be installed there. The setting holds for every remote window.'),
    alwaysShow: true,
  };
}

/** Sorts the likeliest address first, or the unchanged proposal. */
function addressesMeant(text: string, proposed: string): ReturnType<typeof candidateAddresses> {
  const addresses = candidateAddresses(text);
  return 'problem' in addresses || text !== proposed
    ? addresses
    : addresses.toSorted((a, b) => Number(b.baseUrl === proposed) - Number(a.baseUrl === proposed));
}

/** Items for the possible addresses, or one with the problem. */
function itemsForTypedText(text: string, proposed: string): AddressPickItem[] {
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
  const typed = addressesMeant(text, proposed);
  if ('problem' in typed) {
    return [{ icon: 'error', label: typed.problem, alwaysShow: true }];
  }
  // The other ones leave out a part of it.
  const longest = Math.max(...typed.map(({ baseUrl }) => baseUrl.length));
  return typed.map((address, index) =>
    index > 0 && address.baseUrl.length === longest ? asTypedItem(address) : addressItem(address),
  );
}

/** @param failure Of the last attempt. */
function importItems(sources: readonly ImportSource[], failure: ServiceFailure | undefined): AddressPickItem[] {
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

/** Not as the label, since VS Code sorts matches first. */
function asTypedItem(address: BaseUrl): AddressPickItem {
  return { ...addressItem(address), label: l10n.t('Use the address as typed'), detail: address.baseUrl };
}

function addressItem({ baseUrl }: BaseUrl): AddressPickItem {
  return {
    icon: 'arrow-right',
    label: baseUrl,
    detail: isExposed(baseUrl)
      ? l10n.t("Not encrypted. You'll be asked before your token is sent.")
      : l10n.t('Press Enter to use this address'),
    alwaysShow: true,
    baseUrl,
  };
}

function localServerItems(local: readonly FoundLocalServer[], typed: string): AddressPickItem[] {
  const others = local.filter(({ baseUrl }) => !typed.includes(baseUrl));
  if (others.length === 0) {
    return [];
  }
  return [
    separator(l10n.t('running on this machine')),
    ...others.map(({ baseUrl, facts }) => ({
      icon: 'server',
      label: baseUrl,
      description: [facts.product, facts.version].filter((part) => part !== undefined).join(' '),
      baseUrl,
      isLocal: true as const,
    })),
  ];
}

/** Default ports of the service and of its front end. */
const USUAL_PORTS = [8080, 9002];
const LOCAL_TIMEOUT_MILLIS = 1_500;

interface FoundLocalServer {
  readonly baseUrl: string;
  readonly facts: ServerFacts;
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
        credential: () => Promise.resolve(undefined),
        timeoutMillis: () => LOCAL_TIMEOUT_MILLIS,
        network,
      });
      const facts = await askServerFacts(transport).catch(() => undefined);
      if (facts?.product !== undefined) {
        found({ baseUrl, facts });
      }
    }),
  );
}
