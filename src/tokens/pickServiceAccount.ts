/** Picks a service account by name. Names come from the server; the list searches there. */
import * as l10n from '@vscode/l10n';
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
  let stop = new AbortController();
  let found: readonly ServiceAccount[] = [];
  let next: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const showFound = (more: readonly PickItem[]): void => {
    const items: AccountItem[] = [
      ...found.map((account) => accountItem(account)),
      ...more,
      ...(next === undefined
        ? []
        : [{ icon: 'ellipsis', label: l10n.t('Load More'), alwaysShow: true, action: 'more' } as const]),
      { icon: 'edit', label: l10n.t('Type an ID or URN…'), alwaysShow: true, action: 'typed' },
    ];
    showPickItems(
      pick,
      items,
      items.find(({ action }) => typeof action === 'object' && action.urn === before),
    );
  };
  const load = async (start: number): Promise<void> => {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    pick.busy = true;
    const text = asTyped(pick.value).trim().slice(0, LONGEST_SEARCH);
    let more: readonly PickItem[] = [];
    try {
      // The search is sent to the server, whose logs may keep it.
      const page = containsToken(text) ? { accounts: [], next: undefined } : await list(text, start, signal);
      const earlier = start === 0 ? [] : found;
      const known = new Set(earlier.map(({ urn }) => urn));
      if (!signal.aborted) {
        found = [...earlier, ...page.accounts.filter(({ urn }) => !known.has(urn))];
        next = page.next;
        more = found.length === 0 ? [{ label: l10n.t('No matching service accounts'), alwaysShow: true }] : [];
      }
    } catch (thrown) {
      found = start === 0 ? [] : found;
      more = failureItems(toServiceFailure(thrown));
    }
    if (!signal.aborted) {
      showFound(more);
      pick.busy = false;
    }
  };
  const answer = showInput<PickedAccount>(pick, place, (done) => {
    void load(0);
    return [
      pick.onDidChangeValue(() => {
        clearTimeout(timer);
        // The rows belong to another text until the server has answered.
        stop.abort();
        pick.busy = true;
        timer = setTimeout(() => void load(0), PAUSE_MILLIS);
      }),
      pick.onDidAccept(() => {
        const action = pick.selectedItems[0]?.action;
        if (action === 'more') {
          void load(next ?? 0);
        } else if (action === 'typed') {
          done({ kind: 'value', value: { typed: asTyped(pick.value).trim() } });
        } else if (action !== undefined && !pick.busy) {
          done({ kind: 'value', value: action });
        }
      }),
    ];
  });
  return answer.finally(() => {
    clearTimeout(timer);
    stop.abort();
  });
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
