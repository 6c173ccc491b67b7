/** Which tokens to list: whose, and by which property of the token record aspect (PROTOCOL.md §5.6). */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import type { MetadataService } from '../service/service.ts';
import { PRIVILEGES } from '../service/failure/privileges.ts';
import type { FilterCondition, TokenFilter } from '../service/tokens/tokenListing.ts';
import { tokenElsewhereProblem } from '../service/failure/pastedToken.ts';
import { checkFilteredActor, shortActorName } from '../service/server/identifiers.ts';
import { alone, type Answer, askPick, askText, type StepPlace } from '../ui/inputSteps.ts';
import { localDate, startOfDay } from '../ui/localTimeText.ts';
import type { PickItem } from '../ui/quickPick.ts';
import { missingPrivilegeText } from './tokenTexts.ts';
import { showCancellableProgress } from '../ui/messages.ts';
import { queryText } from './queryText.ts';
import { OWN_TOKENS, type QueryFilter, type TokenQuery, withFilter } from './tokenQuery.ts';

/** In characters. */
const LONGEST_VALUE = 1_000;

interface Choice extends PickItem {
  readonly choose?: () => Promise<Answer<TokenQuery>>;
}

/** What decides about the choices that are offered. */
interface Possibilities {
  /** The server compares, besides looking for what is equal. */
  readonly hasCondition: boolean;
  /** Undefined: the server does not tell. */
  readonly mayManageAllTokens: boolean | undefined;
}

/** @returns the query that was chosen, or undefined when the person left. */
export async function askQuery(
  title: string,
  current: TokenQuery,
  service: MetadataService,
): Promise<TokenQuery | undefined> {
  const possibilities = await showCancellableProgress(l10n.t('Loading filters…'), (signal) => ask(service, signal));
  const items = choices(title, current, possibilities);
  const chosen = await askPick(alone(title), {
    items,
    active: items[0],
    placeholder: l10n.t('Filter by… (now: {0})', queryText(current, language())),
  });
  const query = chosen.kind === 'value' ? await chosen.value.choose?.() : undefined;
  return query?.kind === 'value' ? query.value : undefined;
}

async function ask(service: MetadataService, signal: AbortSignal): Promise<Possibilities> {
  const [{ filterHasCondition }, introduction] = await Promise.all([
    service.schema(),
    // Only for what is said beside a choice: that it is not known keeps nobody from choosing.
    service.introduction(signal).catch(() => undefined),
  ]);
  return { hasCondition: filterHasCondition, mayManageAllTokens: introduction?.identity?.mayManageAllTokens };
}

function choices(title: string, query: TokenQuery, { hasCondition, mayManageAllTokens }: Possibilities): Choice[] {
  const place = alone(title);
  const filtered = (filter: QueryFilter): (() => Promise<Answer<TokenQuery>>) => always(withFilter(query, filter));
  const added = async (asked: Promise<Answer<TokenFilter>>, to = query): Promise<Answer<TokenQuery>> => {
    const answer = await asked;
    return answer.kind === 'value' ? { kind: 'value', value: withFilter(to, answer.value) } : answer;
  };
  /** What the filter that would be replaced says now. */
  const before = (field: string, condition: FilterCondition): string =>
    query.filters.find(
      (filter): filter is TokenFilter =>
        !('kind' in filter) && filter.field === field && filter.condition === condition,
    )?.value ?? '';
  const time = (field: string, condition: FilterCondition, prompt: string) => () =>
    added(askTime(place, field, condition, before(field, condition), prompt));
  const nameCondition = hasCondition ? 'CONTAIN' : 'EQUAL';
  // Exact times are of no use; without conditions there is no "before".
  const byExpiry: Choice[] = [
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
  const byCreation: Choice[] = [
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
      choose: always(OWN_TOKENS),
    },
    {
      icon: 'organization',
      label: l10n.t('All access tokens'),
      description: allTokensText(mayManageAllTokens),
      choose: always({ scope: 'all', filters: [] }),
    },
    ...(hasCondition ? byExpiry : []),
    separator(l10n.t('Filter by')),
    {
      icon: 'tag',
      label: l10n.t('Name…'),
      choose: () =>
        added(
          askValue(place, 'name', nameCondition, {
            value: before('name', nameCondition),
            prompt: hasCondition ? l10n.t('Part of the name.') : l10n.t('Full name.'),
          }),
        ),
    },
    {
      icon: 'account',
      label: l10n.t('Acting as…'),
      choose: () =>
        added(askActor(place, 'actorUrn', before('actorUrn', 'EQUAL'), l10n.t('Tokens that act as this user.'))),
    },
    {
      icon: 'edit',
      label: l10n.t('Created by…'),
      ...(mayManageAllTokens === false ? { description: allTokensText(mayManageAllTokens) } : {}),
      choose: () =>
        added(askActor(place, 'ownerUrn', before('ownerUrn', 'EQUAL'), l10n.t('Tokens that this user created.')), {
          ...query,
          scope: 'all',
        }),
    },
    ...(hasCondition ? byCreation : []),
    { icon: 'symbol-field', label: l10n.t('Another property…'), choose: () => added(askProperty(title)) },
    ...(query.filters.length > 0
      ? [
          separator(''),
          { icon: 'clear-all', label: l10n.t('Clear Filters'), choose: always({ ...query, filters: [] }) },
        ]
      : []),
  ];
}

function separator(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** @param mayManageAllTokens Undefined: not known. */
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

function always(query: TokenQuery): () => Promise<Answer<TokenQuery>> {
  return () => Promise.resolve({ kind: 'value', value: query });
}

async function askValue(
  place: StepPlace,
  field: string,
  condition: FilterCondition,
  question: { readonly value: string; readonly prompt: string },
): Promise<Answer<TokenFilter>> {
  const answer = await askText(place, {
    ...question,
    problem: (text) => (text.trim() === '' ? l10n.t('Enter a value.') : valueProblem(text)),
  });
  return answer.kind === 'value' ? { kind: 'value', value: { field, value: answer.value.trim(), condition } } : answer;
}

/** The server is asked for it, and logs may hold what it was asked. */
function valueProblem(text: string): string | undefined {
  return (
    tokenElsewhereProblem(text) ??
    (text.length > LONGEST_VALUE
      ? l10n.t('At most {0} characters. This has {1}.', LONGEST_VALUE, text.length)
      : undefined)
  );
}

async function askActor(place: StepPlace, field: string, before: string, prompt: string): Promise<Answer<TokenFilter>> {
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

async function askTime(
  place: StepPlace,
  field: string,
  condition: FilterCondition,
  before: string,
  prompt: string,
): Promise<Answer<TokenFilter>> {
  const answer = await askText(place, {
    value: localDate(before === '' ? new Date() : new Date(Number(before))),
    prompt,
    placeholder: 'YYYY-MM-DD',
    problem: (text) => (startOfDay(text) === undefined ? l10n.t('Enter a date as YYYY-MM-DD.') : undefined),
  });
  return answer.kind === 'value'
    ? { kind: 'value', value: { field, value: String(startOfDay(answer.value)), condition } }
    : answer;
}

async function askProperty(title: string): Promise<Answer<TokenFilter>> {
  const field = await askText(alone(title), {
    value: '',
    prompt: l10n.t('Property of the token record aspect, as the server names it.'),
    placeholder: l10n.t('for example actorUrn'),
    problem: (text) =>
      /^[A-Za-z][A-Za-z0-9_.]*$/.test(text.trim())
        ? valueProblem(text)
        : l10n.t('Properties can contain letters, digits, dots and underscores.'),
  });
  return field.kind === 'value'
    ? askValue(alone(title), field.value.trim(), 'EQUAL', {
        value: '',
        prompt: l10n.t('Value of {0}.', field.value.trim()),
      })
    : field;
}
