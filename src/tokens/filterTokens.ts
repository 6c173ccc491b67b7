/** Asks which tokens to list: those that meet all filters that are checked. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import type { MetadataService } from '../service/service.ts';
import {
  askAndStore,
  createPickList,
  runInputSteps,
  separator,
  showPickList,
  showPickItems,
  singleStep,
  type PickItem,
} from '../ui/inputSteps.ts';
import { showCancellableProgress } from '../ui/progress.ts';
import { valueQuestions, type FilterOptions, type FilterQuestion } from './filterValues.ts';
import {
  SOON_DAYS,
  tokenFilterText,
  type RelativeFilter,
  type TokenQueryFilter,
  type TokenListQuery,
  withAddedFilter,
} from './tokenQuery.ts';

interface CheckRow extends PickItem {
  /** Added to the query: all users' tokens, a filter, or a filter whose value is asked for. */
  readonly adds?: 'all' | TokenQueryFilter | FilterQuestion;
}

/** @returns the chosen query; undefined if the user cancelled. */
export async function askTokenQuery(
  title: string,
  current: TokenListQuery,
  service: MetadataService,
): Promise<TokenListQuery | undefined> {
  const options = await showCancellableProgress(l10n.t('Loading filters…'), (signal) =>
    loadFilterOptions(service, signal),
  );
  const checked = await askChecked(title, current, options);
  return checked && queryOf(title, checked, current);
}

async function loadFilterOptions(service: MetadataService, signal: AbortSignal): Promise<FilterOptions> {
  const [{ hasCondition }, tokenFields, hasAccounts] = await Promise.all([
    service.server.fact('filter', signal),
    service.server.fact('tokenFields', signal),
    service.server.hasServiceAccounts(signal),
  ]);
  return {
    canCompare: hasCondition,
    reportsDates: tokenFields.includes('expiresAt'),
    serviceAccounts: hasAccounts ? service.tokens.serviceAccounts.bind(service.tokens) : undefined,
  };
}

/** @returns undefined if the user cancelled. */
async function askChecked(
  title: string,
  current: TokenListQuery,
  options: FilterOptions,
): Promise<readonly CheckRow[] | undefined> {
  const rows = checkRows(current, options);
  const pick = createPickList<CheckRow>(l10n.t('Select filters. Access tokens must match all of them.'));
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  showPickItems(pick, rows);
  pick.selectedItems = pick.items.filter(({ picked }) => picked);
  const answer = await showPickList(pick, singleStep(title), (selected) => selected);
  return answer.kind === 'value' ? answer.value : undefined;
}

/**
 * Asks for the values that are missing. Of filters that contradict each other, the last one counts.
 * @returns undefined if the user cancelled.
 */
async function queryOf(
  title: string,
  checked: readonly CheckRow[],
  current: TokenListQuery,
): Promise<TokenListQuery | undefined> {
  const isAll = checked.some(({ adds }) => adds === 'all');
  const added = checked.flatMap(({ adds = 'all' }) => (adds === 'all' ? [] : adds));
  const kept = added.filter((one): one is TokenQueryFilter => !('ask' in one));
  const questions = added.filter((one): one is FilterQuestion => 'ask' in one);
  const answers: TokenQueryFilter[] = [];
  const isAnswered = await runInputSteps(
    title,
    questions.map(({ ask }, index) => ({
      ask: (place) =>
        askAndStore(ask(place, current), (filter) => {
          answers[index] = filter;
        }),
    })),
  );
  if (!isAnswered) {
    return undefined;
  }
  return [...kept, ...answers].reduce(withAddedFilter, { scope: isAll ? 'all' : 'own', filters: [] });
}

/** Filters that are set come first. Those with a typed value can be unchecked, or replaced by another value. */
function checkRows(current: TokenListQuery, options: FilterOptions): readonly CheckRow[] {
  const typed = current.filters.filter((filter) => !('kind' in filter));
  const preset = (kind: RelativeFilter['kind'], label: string): CheckRow => {
    const picked = current.filters.some((filter) => 'kind' in filter && filter.kind === kind);
    return { label, picked, adds: { kind } };
  };
  const compared = [
    preset('expiresSoon', l10n.t('Expires within {0} days', SOON_DAYS)),
    preset('expired', l10n.t('Already expired')),
  ];
  return [
    ...typed.map((filter) => ({
      label: tokenFilterText(filter, language()),
      picked: true,
      adds: filter,
    })),
    {
      label: l10n.t('All access tokens'),
      description: l10n.t('requires the "Manage All Access Tokens" privilege'),
      picked: current.scope === 'all',
      adds: 'all',
    },
    ...(options.reportsDates
      ? [
          separator(l10n.t('Expiry')),
          preset('neverExpires', l10n.t('Never expires')),
          ...(options.canCompare ? compared : []),
        ]
      : []),
    separator(l10n.t('Filter by')),
    ...valueQuestions(options).map((question) => ({
      label: question.label,
      adds: question,
    })),
  ];
}
