/** The first step: an address typed or pasted, with the servers of this machine offered below. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addressesIn, checkBaseUrl } from '../service/http/baseUrl.ts';
import type { BaseUrl } from '../service/http/baseUrl.ts';
import { show } from '../ui/inputSteps.ts';
import type { Answer, StepPlace } from '../ui/inputSteps.ts';
import { createPick, offer } from '../ui/quickPick.ts';
import type { PickItem } from '../ui/quickPick.ts';
import { findLocalServers } from './localServers.ts';
import type { LocalServer } from './localServers.ts';

interface AddressItem extends PickItem {
  readonly baseUrl?: string;
  readonly isLocal?: true;
}

/** A quick pick rather than an input box: only it can offer something while one types. */
export function askAddress(place: StepPlace, proposed: string): Promise<Answer<string>> {
  const pick = createPick<AddressItem>(l10n.t('Server address, for example https://datahub.example.com'));
  const local: LocalServer[] = [];
  let closed = false;
  pick.value = proposed;
  let offeredFor = proposed;
  const render = (): void => {
    const items = [...typedItems(pick.value, proposed), ...localItems(local, pick.value)];
    // Keep the active item if a server is found while the user moves through the list.
    const marked = offeredFor === pick.value ? pick.activeItems[0]?.baseUrl : undefined;
    offeredFor = pick.value;
    offer(pick, items, marked === undefined ? undefined : items.find(({ baseUrl }) => baseUrl === marked));
  };
  render();
  pick.busy = true;
  void findLocalServers((server) => {
    if (!closed) {
      local.push(server);
      render();
    }
  }).finally(() => {
    if (!closed) {
      pick.busy = false;
    }
  });
  return show<string>(pick, place, (done) => [
    pick.onDidChangeValue((value) => {
      // VS Code also reports the proposed address, possibly after the user has moved to another item.
      if (value !== offeredFor) {
        render();
      }
    }),
    pick.onDidHide(() => (closed = true)),
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      // The list lags behind fast typing and pasting: what stands in the field counts, unless a server of this machine was chosen.
      const typed = addressesMeant(pick.value, proposed);
      const meant = 'problem' in typed ? undefined : (typed.find((one) => one.baseUrl === chosen?.baseUrl) ?? typed[0]);
      const baseUrl = chosen?.isLocal === true ? chosen.baseUrl : meant?.baseUrl;
      if (baseUrl !== undefined) {
        closed = true;
        done({ kind: 'value', value: baseUrl });
      }
    }),
  ]);
}

/** The likeliest first. The address that was chosen before means itself, even if it looks like that of a page. */
function addressesMeant(text: string, proposed: string): ReturnType<typeof addressesIn> {
  const addresses = addressesIn(text);
  return 'problem' in addresses || text !== proposed
    ? addresses
    : addresses.toSorted((a, b) => Number(b.baseUrl === proposed) - Number(a.baseUrl === proposed));
}

/** What the typed text may mean, or what is wrong with it. Such an item cannot be accepted. */
function typedItems(text: string, proposed: string): AddressItem[] {
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
  const asTyped = checkBaseUrl(text);
  return typed.map((address, index) =>
    index > 0 && 'baseUrl' in asTyped && asTyped.baseUrl === address.baseUrl
      ? asTypedItem(address)
      : addressItem(address),
  );
}

/** VS Code puts first, and marks, what matches the text: the address itself as a label would come before a likelier one. */
function asTypedItem(address: BaseUrl): AddressItem {
  return { ...addressItem(address), label: l10n.t('Use the address as typed'), detail: address.baseUrl };
}

function addressItem({ baseUrl, needsConsent }: BaseUrl): AddressItem {
  return {
    icon: 'arrow-right',
    label: baseUrl,
    detail: needsConsent
      ? l10n.t("Not encrypted. You'll be asked before your token is sent.")
      : l10n.t('Press Enter to use this address'),
    alwaysShow: true,
    baseUrl,
  };
}

function localItems(local: readonly LocalServer[], typed: string): AddressItem[] {
  const others = local.filter(({ baseUrl }) => !typed.includes(baseUrl));
  if (others.length === 0) {
    return [];
  }
  return [
    { label: l10n.t('running on this machine'), kind: vscode.QuickPickItemKind.Separator },
    ...others.map(({ baseUrl, facts }) => ({
      icon: 'server',
      label: baseUrl,
      description: [facts.product, facts.version].filter((part) => part !== undefined).join(' '),
      baseUrl,
      isLocal: true as const,
    })),
  ];
}
