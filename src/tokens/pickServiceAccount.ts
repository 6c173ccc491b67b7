/** Picks a service account by name. Names come from the server; the list searches there. */
import * as l10n from '@vscode/l10n';
import type { QuickPick } from 'vscode';
import { toServiceFailure } from '../service/failure/failure.ts';
import { containsToken } from '../service/failure/redaction.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { FoundServiceAccounts, ServiceAccount } from '../service/tokens/serviceAccounts.ts';
import { asTyped } from '../ui/foreignText.ts';
import {
  createPickList,
  failureItems,
  showInput,
  showPickItems,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';

export type ServiceAccountLister = (text: string, signal: AbortSignal) => Promise<FoundServiceAccounts>;

/** An account, or the text of the search if the user prefers to type an ID. */
type PickedAccount = ServiceAccount | { readonly typed: string };

interface AccountItem extends PickItem {
  readonly action?: ServiceAccount | 'typed';
}

/** Typing pauses before the server is asked. */
const PAUSE_MILLIS = 300;
const LONGEST_SEARCH = 200;

/** @param before URN of the current actor, which is focused. */
export async function askServiceAccount(
  place: StepPlace,
  list: ServiceAccountLister,
  before: string,
): Promise<StepAnswer<PickedAccount>> {
  const pick = createPickList<AccountItem>(l10n.t('Search service accounts by name'));
  const search = new AccountSearch(pick, list, before);
  const answer = showInput<PickedAccount>(pick, place, (done) => {
    void search.load();
    return [
      pick.onDidChangeValue(() => search.loadAfterPause()),
      pick.onDidAccept(() => {
        const action = pick.selectedItems[0]?.action;
        if (action === 'typed') {
          done({ kind: 'value', value: { typed: asTyped(pick.value).trim() } });
        } else if (action !== undefined && !pick.busy) {
          done({ kind: 'value', value: action });
        }
      }),
    ];
  });
  return answer.finally(() => search.stop());
}

/** What the server found for the typed text, in the list. */
class AccountSearch {
  readonly #pick: QuickPick<AccountItem>;
  readonly #list: ServiceAccountLister;
  readonly #before: string;
  #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(pick: QuickPick<AccountItem>, list: ServiceAccountLister, before: string) {
    this.#pick = pick;
    this.#list = list;
    this.#before = before;
  }

  /** The rows belong to another text until the server has answered. */
  loadAfterPause(): void {
    this.stop();
    this.#pick.busy = true;
    this.#timer = setTimeout(() => void this.load(), PAUSE_MILLIS);
  }

  async load(): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#pick.busy = true;
    const text = asTyped(this.#pick.value).trim().slice(0, LONGEST_SEARCH);
    try {
      // The search is sent to the server, whose logs may keep it.
      const found = containsToken(text) ? { accounts: [], hasMore: false } : await this.#list(text, signal);
      if (!signal.aborted) {
        this.#show(foundItems(found));
      }
    } catch (thrown) {
      if (!signal.aborted) {
        this.#show(failureItems(toServiceFailure(thrown)));
      }
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  #show(found: readonly AccountItem[]): void {
    const items: AccountItem[] = [
      ...found,
      { icon: 'edit', label: l10n.t('Type an ID or URN…'), alwaysShow: true, action: 'typed' },
    ];
    showPickItems(
      this.#pick,
      items,
      items.find(({ action }) => typeof action === 'object' && action.urn === this.#before),
    );
    this.#pick.busy = false;
  }
}

function foundItems({ accounts, hasMore }: FoundServiceAccounts): readonly AccountItem[] {
  if (accounts.length === 0) {
    return [{ label: l10n.t('No matching service accounts'), alwaysShow: true }];
  }
  const more = { label: l10n.t('More accounts match: type more of the name'), alwaysShow: true };
  return [...accounts.map((account) => accountItem(account)), ...(hasMore ? [more] : [])];
}

/** The server decides what matches, so VS Code must not filter again. */
function accountItem(account: ServiceAccount): AccountItem {
  const id = shortActorName(account.urn);
  return {
    icon: 'server-process',
    label: account.name ?? id,
    description: account.name === undefined ? '' : id,
    alwaysShow: true,
    action: account,
  };
}
