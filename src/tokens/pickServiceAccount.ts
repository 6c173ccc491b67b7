/** Picks a service account by name. Names come from the server; the list searches there. */
import * as l10n from '@vscode/l10n';
import type { QuickPick } from 'vscode';
import { toServiceFailure } from '../service/failure/failure.ts';
import { containsToken } from '../service/failure/redaction.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { ServiceAccount, ServiceAccountPage } from '../service/tokens/serviceAccounts.ts';
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

export type ServiceAccountLister = (text: string, start: number, signal: AbortSignal) => Promise<ServiceAccountPage>;

/** An account, or the text of the search if the user prefers to type an ID. */
export type PickedAccount = ServiceAccount | { readonly typed: string };

interface AccountItem extends PickItem {
  readonly action?: ServiceAccount | 'typed' | 'more';
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
        if (action === 'more') {
          void search.loadMore();
        } else if (action === 'typed') {
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
  #found: readonly ServiceAccount[] = [];
  /** Where the next page starts; undefined after the last one. */
  #next: number | undefined;

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

  load(): Promise<void> {
    return this.#load(0, []);
  }

  loadMore(): Promise<void> {
    return this.#load(this.#next ?? 0, this.#found);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  async #load(start: number, earlier: readonly ServiceAccount[]): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#pick.busy = true;
    const text = asTyped(this.#pick.value).trim().slice(0, LONGEST_SEARCH);
    try {
      // The search is sent to the server, whose logs may keep it.
      const page = containsToken(text) ? { accounts: [], next: undefined } : await this.#list(text, start, signal);
      if (!signal.aborted) {
        const known = new Set(earlier.map(({ urn }) => urn));
        this.#found = [...earlier, ...page.accounts.filter(({ urn }) => !known.has(urn))];
        this.#next = page.next;
        this.#show(
          this.#found.length === 0 ? [{ label: l10n.t('No matching service accounts'), alwaysShow: true }] : [],
        );
      }
    } catch (thrown) {
      if (!signal.aborted) {
        this.#found = earlier;
        this.#show(failureItems(toServiceFailure(thrown)));
      }
    }
  }

  #show(more: readonly PickItem[]): void {
    const items: AccountItem[] = [
      ...this.#found.map((account) => accountItem(account)),
      ...more,
      ...(this.#next === undefined
        ? []
        : [{ icon: 'ellipsis', label: l10n.t('Load More'), alwaysShow: true, action: 'more' } as const]),
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
