/** Asks which tokens to list: by owner, or by a property of the token record (PROTOCOL.md §5.6). */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import type { MetadataService } from '../service/service.ts';
import { PRIVILEGES } from '../service/failure/privileges.ts';
import type { FilterCondition, TokenListFilter } from '../service/tokens/tokenListing.ts';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import { checkFilteredActor, shortActorName } from '../service/server/identifiers.ts';
import {
  singleStep,
  type StepAnswer,
  askPick,
  askText,
  separator,
  type StepPlace,
  type PickItem,
} from '../ui/inputSteps.ts';
import { localDateText, startOfLocalDay } from '../ui/formats.ts';
import { missingPrivilegeText } from './tokenTexts.ts';
import { showCancellableProgress } from '../ui/messages.ts';
import { askServiceAccount, type ServiceAccountLister } from './pickServiceAccount.ts';
import {
  tokenQueryText,
  OWN_TOKENS,
  type TokenQueryFilter,
  type TokenListQuery,
  withAddedFilter,
} from './tokenQuery.ts';

/** In characters. */
const LONGEST_VALUE = 1_000;

interface TokenFilterChoice extends PickItem {
  readonly chooseFilter?: () => Promise<StepAnswer<TokenListQuery>>;
}

/** Facts that decide which choices are offered. */
interface TokenFilterOptions {
  /** The server can compare values, not only match them. */
  readonly hasCondition: boolean;
  readonly reportsExpiry: boolean;
  /** Undefined if the server lists no service accounts. */
  readonly serviceAccounts: ServiceAccountLister | undefined;
  /** Undefined: not reported. */
  readonly mayManageAllTokens: boolean | undefined;
}

/** @returns the chosen query; undefined if the user cancelled. */
export async function askTokenQuery(
  title: string,
  current: TokenListQuery,
  service: MetadataService,
): Promise<TokenListQuery | undefined> {
  const possibilities = await showCancellableProgress(l10n.t('Loading filters…'), (signal) =>
    loadFilterOptions(service, signal),
  );
  const items = filterChoices(title, current, possibilities);
  const chosen = await askPick(singleStep(title), {
    items,
    active: items[0],
    placeholder: l10n.t('Filter by… (current: {0})', tokenQueryText(current, language())),
  });
  const query = chosen.kind === 'value' ? await chosen.value.chooseFilter?.() : undefined;
  return query?.kind === 'value' ? query.value : undefined;
}

async function loadFilterOptions(service: MetadataService, signal: AbortSignal): Promise<TokenFilterOptions> {
  const [{ hasCondition }, tokenFields, hasAccounts, callerInfo] = await Promise.all([
    service.server.fact('filter', signal),
    service.server.fact('tokenFields', signal),
    service.hasServiceAccounts(signal),
    // Only for hints beside choices, so failures are ignored.
    service.callerInfo(signal).catch(() => undefined),
  ]);
  return {
    hasCondition,
    reportsExpiry: tokenFields.includes('expiresAt'),
    serviceAccounts: hasAccounts ? service.serviceAccounts.bind(service) : undefined,
    mayManageAllTokens: callerInfo?.identity?.mayManageAllTokens,
  };
}

function filterChoices(
  title: string,
  query: TokenListQuery,
  { hasCondition, reportsExpiry, serviceAccounts, mayManageAllTokens }: TokenFilterOptions,
): TokenFilterChoice[] {
  const place = singleStep(title);
  const withPresetFilter = (filter: TokenQueryFilter): (() => Promise<StepAnswer<TokenListQuery>>) =>
    alwaysAnswer(withAddedFilter(query, filter));
  const withAskedFilter = async (
    asked: Promise<StepAnswer<TokenQueryFilter>>,
    to = query,
  ): Promise<StepAnswer<TokenListQuery>> => {
    const answer = await asked;
    return answer.kind === 'value' ? { kind: 'value', value: withAddedFilter(to, answer.value) } : answer;
  };
  /** Current value of the filter that would be replaced. */
  const currentValue = (field: string, condition: FilterCondition): string =>
    query.filters.find(
      (filter): filter is TokenListFilter =>
        !('kind' in filter) && filter.field === field && filter.condition === condition,
    )?.value ?? '';
  const withAskedDate = (field: string, condition: FilterCondition, prompt: string) => () =>
    withAskedFilter(askFilterDate(place, field, condition, currentValue(field, condition), prompt));
  const nameCondition = hasCondition ? 'CONTAIN' : 'EQUAL';
  // Exact times are useless, and without conditions there is no "before".
  const byExpiry: TokenFilterChoice[] = [
    ...[7, 30].map((days) => ({
      icon: 'warning',
      label: l10n.t('Expires within {0} days', days),
      chooseFilter: withPresetFilter({ kind: 'expiresWithin', days }),
    })),
    {
      icon: 'calendar',
      label: l10n.t('Expires before…'),
      chooseFilter: withAskedDate('expiresAt', 'LESS_THAN', l10n.t('Tokens that expire before this date.')),
    },
    { icon: 'circle-slash', label: l10n.t('Already expired'), chooseFilter: withPresetFilter({ kind: 'expired' }) },
  ];
  const { order } = query;
  const byReportedExpiry: TokenFilterChoice[] = [
    {
      icon: 'warning',
      label: l10n.t('Never expires'),
      chooseFilter: withPresetFilter({ kind: 'neverExpires' }),
    },
    orderChoice(query),
  ];
  const byCreation: TokenFilterChoice[] = [
    {
      icon: 'history',
      label: l10n.t('Created after…'),
      chooseFilter: withAskedDate('createdAt', 'GREATER_THAN', l10n.t('Tokens created after this date.')),
    },
    {
      icon: 'history',
      label: l10n.t('Created before…'),
      chooseFilter: withAskedDate('createdAt', 'LESS_THAN', l10n.t('Tokens created before this date.')),
    },
  ];
  return [
    {
      icon: 'person',
      label: l10n.t('My access tokens'),
      description: l10n.t('created by you'),
      chooseFilter: alwaysAnswer({ ...OWN_TOKENS, order }),
    },
    {
      icon: 'organization',
      label: l10n.t('All access tokens'),
      description: allTokensText(mayManageAllTokens),
      chooseFilter: alwaysAnswer({ scope: 'all', filters: [], order }),
    },
    ...(hasCondition || reportsExpiry ? [separator(l10n.t('Expiry'))] : []),
    ...(hasCondition ? byExpiry : []),
    ...(reportsExpiry ? byReportedExpiry : []),
    separator(l10n.t('Filter by')),
    {
      icon: 'tag',
      label: l10n.t('Name…'),
      chooseFilter: () =>
        withAskedFilter(
          askFilterValue(place, 'name', nameCondition, {
            value: currentValue('name', nameCondition),
            prompt: hasCondition ? l10n.t('Part of the name.') : l10n.t('Full name.'),
          }),
        ),
    },
    {
      icon: 'account',
      label: l10n.t('Acting as…'),
      chooseFilter: () =>
        withAskedFilter(askFilteredActor(place, 'actorUrn', currentValue('actorUrn', 'EQUAL'), actsAsPrompt())),
    },
    ...(serviceAccounts === undefined
      ? []
      : [
          {
            icon: 'server-process',
            label: l10n.t('Service account…'),
            chooseFilter: () =>
              withAskedFilter(askFilteredAccount(place, currentValue('actorUrn', 'EQUAL'), serviceAccounts)),
          },
        ]),
    {
      icon: 'edit',
      label: l10n.t('Created by…'),
      description: mayManageAllTokens === false ? allTokensText(mayManageAllTokens) : '',
      chooseFilter: () =>
        withAskedFilter(
          askFilteredActor(
            place,
            'ownerUrn',
            currentValue('ownerUrn', 'EQUAL'),
            l10n.t('Tokens that this user created.'),
          ),
          {
            ...query,
            scope: 'all',
          },
        ),
    },
    ...(hasCondition ? byCreation : []),
    {
      icon: 'symbol-field',
      label: l10n.t('Another property…'),
      chooseFilter: () => withAskedFilter(askOtherProperty(title)),
    },
    ...(query.filters.length > 0
      ? [
          separator(''),
          { icon: 'clear-all', label: l10n.t('Clear Filters'), chooseFilter: alwaysAnswer({ ...query, filters: [] }) },
        ]
      : []),
  ];
}

/** The order that the list doesn't have now. */
function orderChoice(query: TokenListQuery): TokenFilterChoice {
  const icon = 'list-ordered';
  return query.order === 'soonest'
    ? {
        icon,
        label: l10n.t('Server Order'),
        description: l10n.t('as the server lists them'),
        chooseFilter: alwaysAnswer({ ...query, order: undefined }),
      }
    : {
        icon,
        label: l10n.t('Expiring Soonest First'),
        description: l10n.t('sorted by expiry, expired tokens last'),
        chooseFilter: alwaysAnswer({ ...query, order: 'soonest' }),
      };
}

/** @param mayManageAllTokens Undefined: unknown. */
function allTokensText(mayManageAllTokens: boolean | undefined): string {
  switch (mayManageAllTokens) {
    case true:
      return l10n.t('created by anyone');
    case false:
      return missingPrivilegeText(PRIVILEGES.manageAllTokens);
    case undefined:
      return l10n.t('requires the "Manage All Access Tokens" privilege');
  }
}

function alwaysAnswer(query: TokenListQuery): () => Promise<StepAnswer<TokenListQuery>> {
  return () => Promise.resolve({ kind: 'value', value: query });
}

async function askFilterValue(
  place: StepPlace,
  field: string,
  condition: FilterCondition,
  question: { readonly value: string; readonly prompt: string },
): Promise<StepAnswer<TokenListFilter>> {
  const answer = await askText(place, {
    ...question,
    problem: (text) => (text.trim() === '' ? l10n.t('Enter a value.') : filterValueProblem(text)),
  });
  return answer.kind === 'value' ? { kind: 'value', value: { field, value: answer.value.trim(), condition } } : answer;
}

/** The value is sent to the server, whose logs may keep it. */
function filterValueProblem(text: string): string | undefined {
  return (
    tokenElsewhereProblem(text) ??
    (text.length > LONGEST_VALUE
      ? l10n.t('At most {0} characters. You entered {1}.', LONGEST_VALUE, text.length)
      : undefined)
  );
}

/** Service accounts are picked by name, since their URNs can't be guessed. */
async function askFilteredAccount(
  place: StepPlace,
  before: string,
  serviceAccounts: ServiceAccountLister,
): Promise<StepAnswer<TokenQueryFilter>> {
  const picked = await askServiceAccount(place, serviceAccounts, before);
  if (picked.kind !== 'value') {
    return picked;
  }
  if ('typed' in picked.value) {
    const { typed } = picked.value;
    return askFilteredActor(place, 'actorUrn', typed === '' ? before : typed, actsAsPrompt());
  }
  const { urn, name } = picked.value;
  return { kind: 'value', value: { field: 'actorUrn', value: urn, condition: 'EQUAL', name } };
}

function actsAsPrompt(): string {
  return l10n.t('Tokens that act as this user.');
}

async function askFilteredActor(
  place: StepPlace,
  field: string,
  before: string,
  prompt: string,
): Promise<StepAnswer<TokenListFilter>> {
  const answer = await askText(place, {
    value: shortActorName(before),
    prompt,
    placeholder: l10n.t('for example jdoe'),
    problem: (text) => {
      const checked = checkFilteredActor(text);
      return 'problem' in checked ? checked.problem : undefined;
    },
  });
  if (answer.kind !== 'value') {
    return answer;
  }
  const checked = checkFilteredActor(answer.value);
  return 'actorUrn' in checked
    ? { kind: 'value', value: { field, value: checked.actorUrn, condition: 'EQUAL' } }
    : { kind: 'cancelled' };
}

async function askFilterDate(
  place: StepPlace,
  field: string,
  condition: FilterCondition,
  before: string,
  prompt: string,
): Promise<StepAnswer<TokenListFilter>> {
  const answer = await askText(place, {
    value: localDateText(before === '' ? new Date() : new Date(Number(before))),
    prompt,
    placeholder: 'YYYY-MM-DD',
    problem: (text) => (startOfLocalDay(text) === undefined ? l10n.t('Enter a date as YYYY-MM-DD.') : undefined),
  });
  return answer.kind === 'value'
    ? { kind: 'value', value: { field, value: String(startOfLocalDay(answer.value)), condition } }
    : answer;
}

async function askOtherProperty(title: string): Promise<StepAnswer<TokenListFilter>> {
  const field = await askText(singleStep(title), {
    value: '',
    prompt: l10n.t('Property of the token record aspect, as the server names it.'),
    placeholder: l10n.t('for example actorUrn'),
    problem: (text) =>
      /^[A-Za-z][A-Za-z0-9_.]*$/.test(text.trim())
        ? filterValueProblem(text)
        : l10n.t('Properties can contain letters, digits, dots and underscores.'),
  });
  return field.kind === 'value'
    ? askFilterValue(singleStep(title), field.value.trim(), 'EQUAL', {
        value: '',
        prompt: l10n.t('Value of {0}.', field.value.trim()),
      })
    : field;
}
