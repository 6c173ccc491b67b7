/** Asks which tokens to list: those that meet all filters that are checked. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { toServiceFailure, type ServiceFailure } from '../service/failure/failure.ts';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import { checkFilteredActor, shortActorName } from '../service/server/identifiers.ts';
import type { MetadataService } from '../service/service.ts';
import type { FilterCondition } from '../service/tokens/tokenListing.ts';
import {
  askAndStore,
  askText,
  createPickList,
  failureItems,
  runInputSteps,
  separator,
  showPickList,
  showPickItems,
  singleStep,
  type PickItem,
  type StepAnswer,
  type StepPlace,
} from '../ui/inputSteps.ts';
import { localDateText, startOfLocalDay } from '../ui/typedValues.ts';
import { askServiceAccount, type ServiceAccountLister } from './pickServiceAccount.ts';
import {
  contradicts,
  tokenFilterText,
  type PropertyFilter,
  type RelativeFilter,
  type TokenQueryFilter,
  type TokenListQuery,
} from './tokenFilters.ts';

/** Facts that decide which filters are offered. */
interface FilterOptions {
  /** The server can compare values, not only match them. */
  readonly canCompare: boolean;
  /** The server says when a token was created, and when it ends. */
  readonly reportsDates: boolean;
  /** Undefined if the server lists no service accounts. */
  readonly serviceAccounts: ServiceAccountLister | undefined;
}

/** A filter without its value yet. */
interface FilterQuestion extends Pick<PropertyFilter, 'field' | 'condition'> {
  readonly label: string;
  /** @param current Has the value to begin with. */
  readonly ask: (place: StepPlace, current: TokenListQuery) => Promise<StepAnswer<PropertyFilter>>;
}

interface CheckRow extends PickItem {
  /** Added to the query: all users' tokens, a filter, or a filter whose value is asked for. */
  readonly adds?: 'all' | TokenQueryFilter | FilterQuestion;
}

/**
 * @returns the chosen query; undefined if the user cancelled.
 * @throws ServiceFailure, once the user has left the list that shows it, if the server doesn't say what it can filter by.
 */
export async function askTokenQuery(
  title: string,
  current: TokenListQuery,
  service: MetadataService,
): Promise<TokenListQuery | undefined> {
  const pick = createPickList<CheckRow>(l10n.t('Select filters. Access tokens must match all of them.'));
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  /** Undefined until the rows are there. */
  let checked: readonly CheckRow[] | undefined;
  let failure = undefined as ServiceFailure | undefined;
  pick.onDidChangeSelection((selected) => {
    checked &&= withoutContradictions(checked, selected);
    if (checked !== undefined && checked.length < selected.length) {
      pick.selectedItems = checked;
    }
  });
  const stop = new AbortController();
  pick.busy = true;
  void loadFilterOptions(service, stop.signal)
    .then(
      (options) => {
        showPickItems(pick, checkRows(current, options));
        checked = pick.items.filter(({ picked }) => picked);
        pick.selectedItems = checked;
      },
      (thrown: unknown) => {
        failure = toServiceFailure(thrown);
        pick.canSelectMany = false;
        showPickItems(pick, failureItems(failure));
      },
    )
    .finally(() => (pick.busy = false));
  const answer = await showPickList(pick, singleStep(title), () => checked);
  stop.abort();
  if (failure !== undefined) {
    throw failure;
  }
  return answer.kind === 'value' ? queryOf(title, answer.value, current) : undefined;
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

/** Checking a row unchecks those that it contradicts. */
function withoutContradictions(before: readonly CheckRow[], selected: readonly CheckRow[]): readonly CheckRow[] {
  const byTime = selected.toSorted((a, b) => Number(before.includes(b)) - Number(before.includes(a)));
  return byTime.reduce<readonly CheckRow[]>(
    (kept, row) => [...kept.filter((one) => !areContradictory(one, row)), row],
    [],
  );
}

function areContradictory({ adds: one }: CheckRow, { adds: other }: CheckRow): boolean {
  return typeof one === 'object' && typeof other === 'object' && contradicts(one, other);
}

/** Asks for the values that are missing. @returns undefined if the user cancelled. */
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
  return { scope: isAll ? 'all' : 'own', filters: [...kept, ...answers] };
}

/** Filters that are set come first. Those with a typed value can be unchecked, or replaced by another value. */
function checkRows(current: TokenListQuery, options: FilterOptions): readonly CheckRow[] {
  const typed = current.filters.filter((filter) => !('kind' in filter));
  const preset = (kind: RelativeFilter['kind']): CheckRow =>
    filterRow(
      { kind },
      current.filters.some((filter) => 'kind' in filter && filter.kind === kind),
    );
  return [
    ...typed.map((filter) => filterRow(filter, true)),
    {
      label: l10n.t('All access tokens'),
      description: l10n.t('requires the "Manage All Access Tokens" privilege'),
      picked: current.scope === 'all',
      adds: 'all',
    },
    ...(options.reportsDates
      ? [
          separator(l10n.t('Expiry')),
          preset('neverExpires'),
          ...(options.canCompare ? [preset('expiresSoon'), preset('expired')] : []),
        ]
      : []),
    separator(l10n.t('Filter by')),
    ...valueQuestions(options).map((adds) => ({ label: adds.label, adds })),
  ];
}

function filterRow(adds: TokenQueryFilter, picked: boolean): CheckRow {
  return { label: tokenFilterText(adds, language()), picked, adds };
}

/** Filters by a property of the token record whose value is asked for (PROTOCOL.md §5.6). Values are sent to the server. */
function valueQuestions({ canCompare, reportsDates, serviceAccounts }: FilterOptions): readonly FilterQuestion[] {
  const askName = canCompare
    ? nameQuestion(l10n.t('Part of the name. Some servers are case-sensitive.'))
    : nameQuestion(l10n.t('Exact name of the token.'));
  return [
    question(l10n.t('Name…'), 'name', canCompare ? 'CONTAIN' : 'EQUAL', askName),
    question(l10n.t('Acting as…'), 'actorUrn', 'EQUAL', askActor),
    ...(serviceAccounts === undefined
      ? []
      : [question(l10n.t('Service account…'), 'actorUrn', 'EQUAL', accountQuestion(serviceAccounts))]),
    question(l10n.t('Created by…'), 'ownerUrn', 'EQUAL', askActor),
    // Without comparisons, a date would have to match to the millisecond.
    ...(canCompare && reportsDates ? dateQuestions() : []),
  ];
}

function dateQuestions(): readonly FilterQuestion[] {
  return [
    question(l10n.t('Expires before…'), 'expiresAt', 'LESS_THAN', askDate),
    question(l10n.t('Created after…'), 'createdAt', 'GREATER_THAN', askDate),
    question(l10n.t('Created before…'), 'createdAt', 'LESS_THAN', askDate),
  ];
}

/** @param before The value that is set, or an empty text. @param prompt The filter's label. */
type AskValue = (
  place: StepPlace,
  before: string,
  prompt: string,
) => Promise<StepAnswer<Pick<PropertyFilter, 'value' | 'name'>>>;

function question(
  label: string,
  field: PropertyFilter['field'],
  condition: FilterCondition,
  askValue: AskValue,
): FilterQuestion {
  const ask: FilterQuestion['ask'] = async (place, { filters }) => {
    const before = filters.find(
      (filter): filter is PropertyFilter =>
        !('kind' in filter) && filter.field === field && filter.condition === condition,
    );
    const answer = await askValue(place, before?.value ?? '', label.replace(/…$/, ''));
    return answer.kind === 'value' ? { kind: 'value', value: { field, condition, ...answer.value } } : answer;
  };
  return { label, field, condition, ask };
}

/** Service accounts are picked by name, since their URNs can't be guessed. */
function accountQuestion(serviceAccounts: ServiceAccountLister): AskValue {
  return async (place, before) => {
    const picked = await askServiceAccount(place, serviceAccounts, before);
    return picked.kind === 'value'
      ? { kind: 'value', value: { value: picked.value.urn, name: picked.value.name } }
      : picked;
  };
}

function nameQuestion(prompt: string): AskValue {
  return (place, before) =>
    askTyped(place, { value: before, prompt, placeholder: '' }, (text) => {
      // Servers' logs may keep it.
      const problem = text.trim() === '' ? l10n.t('Enter a value.') : tokenElsewhereProblem(text);
      return problem === undefined ? { value: text.trim() } : { problem };
    });
}

const askActor: AskValue = (place, before, prompt) =>
  askTyped(place, { value: shortActorName(before), prompt, placeholder: l10n.t('for example jdoe') }, (text) => {
    const checked = checkFilteredActor(text);
    return 'actorUrn' in checked ? { value: checked.actorUrn } : checked;
  });

const askDate: AskValue = (place, before, prompt) => {
  const value = localDateText(before === '' ? new Date() : new Date(Number(before)));
  return askTyped(place, { value, prompt, placeholder: 'YYYY-MM-DD' }, (text) => {
    const day = startOfLocalDay(text);
    return day === undefined ? { problem: l10n.t('Enter a date as YYYY-MM-DD.') } : { value: String(day) };
  });
};

/** @param parse Returns the value to send, or what is wrong with the text. */
async function askTyped(
  place: StepPlace,
  input: { readonly value: string; readonly prompt: string; readonly placeholder: string },
  parse: (text: string) => { readonly value: string } | { readonly problem: string },
): ReturnType<AskValue> {
  const problem = (text: string): string | undefined => {
    const parsed = parse(text);
    return 'problem' in parsed ? parsed.problem : undefined;
  };
  const answer = await askText(place, { ...input, problem });
  if (answer.kind !== 'value') {
    return answer;
  }
  const parsed = parse(answer.value);
  return 'value' in parsed ? { kind: 'value', value: parsed } : { kind: 'cancelled' };
}
