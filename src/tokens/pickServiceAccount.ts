/** Picks a service account by name. */
import * as l10n from '@vscode/l10n';
import type { QuickPick } from 'vscode';
import { toServiceFailure } from '../service/failure/failure.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { ServiceAccount } from '../service/tokens/serviceAccounts.ts';
import {
  createPickList,
  failureItems,
  showPickList,
  showPickItems,
  wrappedLineItems,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';

export type ServiceAccountLister = (signal: AbortSignal) => Promise<readonly ServiceAccount[]>;

interface AccountItem extends PickItem {
  readonly account?: ServiceAccount;
}

/** @param before URN of the current actor, which is focused. */
export function askServiceAccount(
  place: StepPlace,
  list: ServiceAccountLister,
  before: string,
): Promise<StepAnswer<ServiceAccount>> {
  const pick = createPickList<AccountItem>(l10n.t('Search service accounts by name'));
  pick.matchOnDescription = true;
  const stop = new AbortController();
  void showAccounts(pick, list, before, stop.signal);
  return showPickList(pick, place, ([chosen]) => chosen?.account).finally(() => stop.abort());
}

async function showAccounts(
  pick: QuickPick<AccountItem>,
  list: ServiceAccountLister,
  before: string,
  signal: AbortSignal,
): Promise<void> {
  pick.busy = true;
  const items: readonly AccountItem[] = await list(signal).then(
    (accounts) => (accounts.length > 0 ? accounts.map(accountItem) : noAccountItems()),
    (thrown: unknown) => failureItems(toServiceFailure(thrown)),
  );
  if (!signal.aborted) {
    const active = items.find(({ account }) => account?.urn === before);
    showPickItems(pick, items, active);
    pick.busy = false;
  }
}

function noAccountItems(): AccountItem[] {
  return wrappedLineItems('info', l10n.t('This server has no service accounts yet.'));
}

function accountItem(account: ServiceAccount): AccountItem {
  const id = shortActorName(account.urn);
  const { name = id } = account;
  return { icon: 'server-process', label: name, description: name === id ? '' : id, account };
}
