/** Asks which tokens to list: by owner, or by a property of the token record (PROTOCOL.md §5.6). */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import type { MetadataService } from '../service/service.ts';
import { PRIVILEGES } from '../service/failure/privileges.ts';
import type { FilterCondition, TokenFilter } from '../service/tokens/tokenListing.ts';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import { checkFilteredActor, shortActorName } from '../service/server/identifiers.ts';
import { singleStep, type StepAnswer, askPick, askText, type StepPlace, type PickItem } from '../ui/inputSteps.ts';
import { localDateText, startOfLocalDay } from '../ui/formats.ts';
import { missingPrivilegeText } from './tokenTexts.ts';
import { showCancellableProgress } from '../ui/messages.ts';
import { tokenQueryText, OWN_TOKENS, type QueryFilter, type TokenQuery, withFilter } from './tokenQuery.ts';

/** In characters. */
const LONGEST_VALUE = 1_000;

interface FilterChoice extends PickItem {
  readonly choose?: () => Promise<StepAnswer<TokenQuery>>;
}

/** Facts that decide which choices are offered. */
interface FilterOptions {
  /** The server can compare values, not only match them. */
  readonly hasCondition: boolean;
  /** Undefined: not reported. */
  readonly mayManageAllTokens: boolean | undefined;
}

/** @returns the chosen query; undefined if the user left. */
export async function askTokenQuery(
  title: string,
  current: TokenQuery,
  service: MetadataService,
): Promise<TokenQuery | undefined> {
  const possibilities = await showCancellableProgress(l10n.t('Loading filters…'), (signal) =>
    loadFilterOptions(service, signal),
  );
  const items = filterChoices(title, current, possibilities);
  const chosen = await askPick(singleStep(title), {
    items,
    active: items[0],
    placeholder: l10n.t('Filter by… (now: {0})', tokenQueryText(current, language())),
  });
  const query = chosen.kind === 'value' ? await chosen.value.choose?.() : undefined;
  return query?.kind === 'value' ? query.value : undefined;
}

async function loadFilterOptions(service: MetadataService, signal: AbortSignal): Promise<FilterOptions> {
  const [{ filterHasCondition }, introduction] = await Promise.all([
    service.schema(),
    // Only for hints beside choices, so failures are ignored.
    service.introduction(signal).catch(() => undefined),
  ]);
  return { hasCondition: filterHasCondition, mayManageAllTokens: introduction?.identity?.mayManageAllTokens };
}

function filterChoices(
  title: string,
  query: TokenQuery,
  { hasCondition, mayManageAllTokens }: FilterOptions,
): FilterChoice[] {
  const place = singleStep(title);
  const filtered = (filter: QueryFilter): (() => Promise<StepAnswer<TokenQuery>>) =>
    alwaysAnswer(withFilter(query, filter));
  const added = async (asked: Promise<StepAnswer<TokenFilter>>, to = query): Promise<StepAnswer<TokenQuery>> => {
    const answer = await asked;
    return answer.kind === 'value' ? { kind: 'value', value: withFilter(to, answer.value) } : answer;
  };
  /** Current value of the filter that would be replaced. */
  const before = (field: string, condition: FilterCondition): string =>
    query.filters.find(
      (filter): filter is TokenFilter =>
        !('kind' in filter) && filter.field === field && filter.condition === condition,
    )?.value ?? '';
  const time = (field: string, condition: FilterCondition, prompt: string) => () =>
    added(askFilterDate(place, field, condition, before(field, condition), prompt));
  const nameCondition = hasCondition ? 'CONTAIN' : 'EQUAL';
  // Exact times are useless, and without conditions there is no "before".
  const byExpiry: FilterChoice[] = [
    separator(l10n.t('Expiry')),
    ...[7, 30].map((days) => ({
      icon: 'warning',
      label: l10n.t('Expires within {0} days', days),
      choose: filtered({ kind: 'expiresWithin', days }),
    })),
    {
      icon: 'calendar',
      label: l10n.t('Expires before…'),
      choose: time('expiresAt', 'LESS_THAN', l10n.t('Tokens that expire before this date.')),
    },
    { icon: 'circle-slash', label: l10n.t('Expired'), choose: filtered({ kind: 'expired' }) },
  ];
  const byCreation: FilterChoice[] = [
    {
      icon: 'history',
      label: l10n.t('Created after…'),
      choose: time('createdAt', 'GREATER_THAN', l10n.t('Tokens created after this date.')),
    },
    {
      icon: 'history',
      label: l10n.t('Created before…'),
      choose: time('createdAt', 'LESS_THAN', l10n.t('Tokens created before this date.')),
    },
  ];
  return [
    {
      icon: 'person',
      label: l10n.t('My access tokens'),
      description: l10n.t('created by you'),
      choose: alwaysAnswer(OWN_TOKENS),
    },
    {
      icon: 'organization',
      label: l10n.t('All access tokens'),
      description: allTokensText(mayManageAllTokens),
      choose: alwaysAnswer({ scope: 'all', filters: [] }),
    },
    ...(hasCondition ? byExpiry : []),
    separator(l10n.t('Filter by')),
    {
      icon: 'tag',
      label: l10n.t('Name…'),
      choose: () =>
        added(
          askFilterValue(place, 'name', nameCondition, {
            value: before('name', nameCondition),
            prompt: hasCondition ? l10n.t('Part of the name.') : l10n.t('Full name.'),
          }),
        ),
    },
    {
      icon: 'account',
      label: l10n.t('Acting as…'),
      choose: () =>
        added(
          askFilteredActor(place, 'actorUrn', before('actorUrn', 'EQUAL'), l10n.t('Tokens that act as this user.')),
        ),
    },
    {
      icon: 'edit',
      label: l10n.t('Created by…'),
      description: mayManageAllTokens === false ? allTokensText(mayManageAllTokens) : '',
      choose: () =>
        added(
          askFilteredActor(place, 'ownerUrn', before('ownerUrn', 'EQUAL'), l10n.t('Tokens that this user created.')),
          {
            ...query,
            scope: 'all',
          },
        ),
    },
    ...(hasCondition ? byCreation : []),
    { icon: 'symbol-field', label: l10n.t('Another property…'), choose: () => added(askOtherProperty(title)) },
    ...(query.filters.length > 0
      ? [
          separator(''),
          { icon: 'clear-all', label: l10n.t('Clear Filters'), choose: alwaysAnswer({ ...query, filters: [] }) },
        ]
      : []),
  ];
}

function separator(label: string): FilterChoice {
  return { label, kind: vscode.QuickPickItemKind.Separator };
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

function alwaysAnswer(query: TokenQuery): () => Promise<StepAnswer<TokenQuery>> {
  return () => Promise.resolve({ kind: 'value', value: query });
}

async function askFilterValue(
  place: StepPlace,
  field: string,
  condition: FilterCondition,
  question: { readonly value: string; readonly prompt: string },
): Promise<StepAnswer<TokenFilter>> {
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
      ? l10n.t('At most {0} characters. This has {1}.', LONGEST_VALUE, text.length)
      : undefined)
  );
}

async function askFilteredActor(
  place: StepPlace,
  field: string,
  before: string,
  prompt: string,
): Promise<StepAnswer<TokenFilter>> {
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
): Promise<StepAnswer<TokenFilter>> {
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

async function askOtherProperty(title: string): Promise<StepAnswer<TokenFilter>> {
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
