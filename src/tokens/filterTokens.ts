/** Which tokens to list: whose, and by which property of the token record aspect (PROTOCOL.md §5.6). */
import * as vscode from 'vscode';
import type { Service } from '../service/service.ts';
import type { FilterCondition, TokenFilter } from '../service/tokens/tokens.ts';
import { checkFilteredActor } from '../service/urn.ts';
import { alone, askPick, askText } from '../ui/inputSteps.ts';
import type { Answer, StepPlace } from '../ui/inputSteps.ts';
import { localDate } from '../ui/localTimeText.ts';
import type { PickItem } from '../ui/quickPick.ts';
import { startOfDay } from './filterDate.ts';
import { inProgress } from './progress.ts';
import { queryText } from './queryText.ts';
import { OWN_TOKENS } from './tokenList.ts';
import type { TokenQuery } from './tokenList.ts';

interface Choice extends PickItem {
  readonly choose?: () => Promise<Answer<TokenQuery>>;
}

/** @returns the query that was chosen, or undefined when the person left. */
export async function askQuery(title: string, current: TokenQuery, service: Service): Promise<TokenQuery | undefined> {
  const { filterHasCondition } = await inProgress(vscode.l10n.t('Loading filters…'), () => service.schema());
  const items = choices(title, current, filterHasCondition);
  const chosen = await askPick(alone(title), {
    items,
    active: items[0],
    placeholder: vscode.l10n.t('Filter by… (now: {0})', queryText(current)),
  });
  const query = chosen.kind === 'value' ? await chosen.value.choose?.() : undefined;
  return query?.kind === 'value' ? query.value : undefined;
}

function choices(title: string, query: TokenQuery, hasCondition: boolean): Choice[] {
  const place = alone(title);
  const added = async (asked: Promise<Answer<TokenFilter>>): Promise<Answer<TokenQuery>> => {
    const answer = await asked;
    return answer.kind === 'value'
      ? { kind: 'value', value: { ...query, filters: [...query.filters, answer.value] } }
      : answer;
  };
  const now = Date.now();
  const byTime: Choice[] = [
    {
      icon: 'circle-slash',
      label: vscode.l10n.t('Expired'),
      choose: always({ ...query, filters: [{ field: 'expiresAt', value: String(now), condition: 'LESS_THAN' }] }),
    },
    {
      icon: 'warning',
      label: vscode.l10n.t('Expiring before…'),
      choose: () =>
        added(askTime(place, 'expiresAt', 'LESS_THAN', vscode.l10n.t('Tokens that expire before this date.'))),
    },
    {
      icon: 'history',
      label: vscode.l10n.t('Created after…'),
      choose: () =>
        added(askTime(place, 'createdAt', 'GREATER_THAN', vscode.l10n.t('Tokens created after this date.'))),
    },
    {
      icon: 'history',
      label: vscode.l10n.t('Created before…'),
      choose: () => added(askTime(place, 'createdAt', 'LESS_THAN', vscode.l10n.t('Tokens created before this date.'))),
    },
  ];
  return [
    {
      icon: 'person',
      label: vscode.l10n.t('My access tokens'),
      description: vscode.l10n.t('created by you'),
      choose: always(OWN_TOKENS),
    },
    {
      icon: 'organization',
      label: vscode.l10n.t('All access tokens'),
      description: vscode.l10n.t('requires the "Manage All Access Tokens" privilege'),
      choose: always({ scope: 'all', filters: [] }),
    },
    { label: vscode.l10n.t('Filter by'), kind: vscode.QuickPickItemKind.Separator },
    {
      icon: 'tag',
      label: vscode.l10n.t('Name…'),
      choose: () =>
        added(
          askValue(
            place,
            'name',
            hasCondition ? 'CONTAIN' : 'EQUAL',
            hasCondition ? vscode.l10n.t('Part of the name.') : vscode.l10n.t('Full name.'),
          ),
        ),
    },
    {
      icon: 'account',
      label: vscode.l10n.t('Acting as…'),
      choose: () => added(askActor(place, 'actorUrn', vscode.l10n.t('Tokens that act as this user.'))),
    },
    {
      icon: 'edit',
      label: vscode.l10n.t('Created by…'),
      choose: async () => {
        const answer = await askActor(place, 'ownerUrn', vscode.l10n.t('Tokens that this user created.'));
        return answer.kind === 'value'
          ? { kind: 'value', value: { scope: 'all', filters: [...query.filters, answer.value] } }
          : answer;
      },
    },
    // Exact times are of no use; without conditions there is no "before".
    ...(hasCondition ? byTime : []),
    { icon: 'symbol-field', label: vscode.l10n.t('Another property…'), choose: () => added(askProperty(title)) },
    ...(query.filters.length > 0
      ? [
          { label: '', kind: vscode.QuickPickItemKind.Separator },
          { icon: 'clear-all', label: vscode.l10n.t('Clear Filters'), choose: always({ ...query, filters: [] }) },
        ]
      : []),
  ];
}

function always(query: TokenQuery): () => Promise<Answer<TokenQuery>> {
  return () => Promise.resolve({ kind: 'value', value: query });
}

async function askValue(
  place: StepPlace,
  field: string,
  condition: FilterCondition,
  prompt: string,
): Promise<Answer<TokenFilter>> {
  const answer = await askText(place, {
    value: '',
    prompt,
    problem: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a value.') : undefined),
  });
  return answer.kind === 'value' ? { kind: 'value', value: { field, value: answer.value.trim(), condition } } : answer;
}

async function askActor(place: StepPlace, field: string, prompt: string): Promise<Answer<TokenFilter>> {
  const answer = await askText(place, {
    value: '',
    prompt,
    placeholder: vscode.l10n.t('for example jdoe'),
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
  prompt: string,
): Promise<Answer<TokenFilter>> {
  const answer = await askText(place, {
    value: localDate(new Date()),
    prompt,
    placeholder: 'YYYY-MM-DD',
    problem: (text) => (startOfDay(text) === undefined ? vscode.l10n.t('Enter a date as YYYY-MM-DD.') : undefined),
  });
  return answer.kind === 'value'
    ? { kind: 'value', value: { field, value: String(startOfDay(answer.value)), condition } }
    : answer;
}

async function askProperty(title: string): Promise<Answer<TokenFilter>> {
  const field = await askText(alone(title), {
    value: '',
    prompt: vscode.l10n.t('Property of the token record aspect, as the server names it.'),
    placeholder: vscode.l10n.t('for example actorUrn'),
    problem: (text) =>
      /^[A-Za-z][A-Za-z0-9_.]*$/.test(text.trim())
        ? undefined
        : vscode.l10n.t('Properties can contain letters, digits, dots and underscores.'),
  });
  return field.kind === 'value'
    ? askValue(alone(title), field.value.trim(), 'EQUAL', vscode.l10n.t('Value of {0}.', field.value.trim()))
    : field;
}
