/** Picks a service account by name. */
import * as l10n from '@vscode/l10n';
import type { QuickPick } from 'vscode';
import { toServiceFailure } from '../service/failure/failure.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { ServiceAccount } from '../service/tokens/serviceAccounts.ts';
import { asTyped } from '../ui/foreignText.ts';
import {
  createPickList,
  failureItems,
  showPickList,
  showPickItems,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';

export type ServiceAccountLister = (signal: AbortSignal) => Promise<readonly ServiceAccount[]>;

/** An account, or what was typed if the user prefers to type an ID. */
type PickedAccount = ServiceAccount | { readonly typed: string };

interface AccountItem extends PickItem {
  readonly action?: ServiceAccount | 'typed';
}

/** @param before URN of the current actor, which is focused. */
export function askServiceAccount(
  place: StepPlace,
  list: ServiceAccountLister,
  before: string,
): Promise<StepAnswer<PickedAccount>> {
  const pick = createPickList<AccountItem>(l10n.t('Search service accounts by name'));
  pick.matchOnDescription = true;
  const stop = new AbortController();
  void showAccounts(pick, list, before, stop.signal);
  const answer = showPickList(pick, place, ([chosen]): PickedAccount | undefined =>
    chosen?.action === 'typed' ? { typed: asTyped(pick.value).trim() } : chosen?.action,
  );
  return answer.finally(() => stop.abort());
}

async function showAccounts(
  pick: QuickPick<AccountItem>,
  list: ServiceAccountLister,
  before: string,
  signal: AbortSignal,
): Promise<void> {
  const type: AccountItem = { icon: 'edit', label: l10n.t('Type an ID or URN…'), alwaysShow: true, action: 'typed' };
  pick.busy = true;
  showPickItems(pick, [type]);
  const found = await list(signal).then(accountItems, (thrown: unknown) => failureItems(toServiceFailure(thrown)));
  if (!signal.aborted) {
    const items: AccountItem[] = [...found, type];
    const active = items.find(({ action }) => typeof action === 'object' && action.urn === before);
    showPickItems(pick, items, active);
    pick.busy = false;
  }
}

function accountItems(accounts: readonly ServiceAccount[]): readonly AccountItem[] {
  return accounts.map((account) => {
    const id = shortActorName(account.urn);
    return {
      icon: 'server-process',
      label: account.name ?? id,
      description: account.name === undefined ? '' : id,
      action: account,
    };
  });
}
