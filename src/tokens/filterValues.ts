/** Filters by a property of the token record whose value is asked for (PROTOCOL.md §5.6). Values are sent to the server. */
import * as l10n from '@vscode/l10n';
import type { FilterCondition } from '../service/tokens/tokenPage.ts';
import { tokenElsewhereProblem } from '../service/failure/redaction.ts';
import { checkFilteredActor, shortActorName } from '../service/server/identifiers.ts';
import { askText, type StepAnswer, type StepPlace } from '../ui/inputSteps.ts';
import { localDateText, startOfLocalDay } from '../ui/typedValues.ts';
import { askServiceAccount, type ServiceAccountLister } from './pickServiceAccount.ts';
import type { PropertyFilter, TokenListQuery } from './tokenQuery.ts';

/** Facts that decide which filters are offered. */
export interface FilterOptions {
  /** The server can compare values, not only match them. */
  readonly canCompare: boolean;
  /** The server says when a token was created, and when it ends. */
  readonly reportsDates: boolean;
  /** Undefined if the server lists no service accounts. */
  readonly serviceAccounts: ServiceAccountLister | undefined;
}

export interface FilterQuestion {
  readonly label: string;
  /** @param current Has the value to begin with. */
  readonly ask: (place: StepPlace, current: TokenListQuery) => Promise<StepAnswer<PropertyFilter>>;
}

type Ask = (place: StepPlace, before: string) => Promise<StepAnswer<Pick<PropertyFilter, 'value' | 'name'>>>;

/** In characters. */
const LONGEST_VALUE = 1_000;

export function valueQuestions({
  canCompare,
  reportsDates,
  serviceAccounts,
}: FilterOptions): readonly FilterQuestion[] {
  return [
    canCompare
      ? question(
          l10n.t('Name…'),
          'name',
          'CONTAIN',
          nameQuestion(l10n.t('Part of the name. Some servers distinguish upper and lower case.')),
        )
      : question(l10n.t('Name…'), 'name', 'EQUAL', nameQuestion(l10n.t('Exact name of the token.'))),
    question(l10n.t('Acting as…'), 'actorUrn', 'EQUAL', (place, before) => askActor(place, before, actsAsPrompt())),
    ...(serviceAccounts === undefined
      ? []
      : [
          question(l10n.t('Service account…'), 'actorUrn', 'EQUAL', (place, before) =>
            askAccount(place, before, serviceAccounts),
          ),
        ]),
    question(l10n.t('Created by…'), 'ownerUrn', 'EQUAL', (place, before) =>
      askActor(place, before, l10n.t('Tokens that this user created.')),
    ),
    // Without comparisons, a date would have to match to the millisecond.
    ...(canCompare && reportsDates
      ? [
          question(
            l10n.t('Expires before…'),
            'expiresAt',
            'LESS_THAN',
            dateQuestion(l10n.t('Tokens that expire before this date.')),
          ),
          question(
            l10n.t('Created after…'),
            'createdAt',
            'GREATER_THAN',
            dateQuestion(l10n.t('Tokens created after this date.')),
          ),
          question(
            l10n.t('Created before…'),
            'createdAt',
            'LESS_THAN',
            dateQuestion(l10n.t('Tokens created before this date.')),
          ),
        ]
      : []),
  ];
}

function question(
  label: string,
  field: PropertyFilter['field'],
  condition: FilterCondition,
  askValue: Ask,
): FilterQuestion {
  const ask: FilterQuestion['ask'] = async (place, { filters }) => {
    const before = filters.find(
      (filter): filter is PropertyFilter =>
        !('kind' in filter) && filter.field === field && filter.condition === condition,
    );
    const answer = await askValue(place, before?.value ?? '');
    return answer.kind === 'value' ? { kind: 'value', value: { field, condition, ...answer.value } } : answer;
  };
  return { label, ask };
}

function nameQuestion(prompt: string): Ask {
  return async (place, before) => {
    const answer = await askText(place, {
      value: before,
      prompt,
      problem: (text) => (text.trim() === '' ? l10n.t('Enter a value.') : nameProblem(text)),
    });
    return answer.kind === 'value' ? { kind: 'value', value: { value: answer.value.trim() } } : answer;
  };
}

/** Servers' logs may keep it. */
function nameProblem(text: string): string | undefined {
  return (
    tokenElsewhereProblem(text) ??
    (text.length > LONGEST_VALUE
      ? l10n.t('At most {0} characters. You entered {1}.', LONGEST_VALUE, text.length)
      : undefined)
  );
}

/** Service accounts are picked by name, since their URNs can't be guessed. */
async function askAccount(place: StepPlace, before: string, serviceAccounts: ServiceAccountLister): ReturnType<Ask> {
  const picked = await askServiceAccount(place, serviceAccounts, before);
  if (picked.kind !== 'value') {
    return picked;
  }
  if ('typed' in picked.value) {
    const { typed } = picked.value;
    return askActor(place, typed === '' ? before : typed, actsAsPrompt());
  }
  const { urn, name } = picked.value;
  return { kind: 'value', value: { value: urn, name } };
}

function actsAsPrompt(): string {
  return l10n.t('Tokens that act as this user.');
}

async function askActor(place: StepPlace, before: string, prompt: string): ReturnType<Ask> {
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
  return 'actorUrn' in checked ? { kind: 'value', value: { value: checked.actorUrn } } : { kind: 'cancelled' };
}

function dateQuestion(prompt: string): Ask {
  return async (place, before) => {
    const answer = await askText(place, {
      value: localDateText(before === '' ? new Date() : new Date(Number(before))),
      prompt,
      placeholder: 'YYYY-MM-DD',
      problem: (text) => (startOfLocalDay(text) === undefined ? l10n.t('Enter a date as YYYY-MM-DD.') : undefined),
    });
    return answer.kind === 'value'
      ? { kind: 'value', value: { value: String(startOfLocalDay(answer.value)) } }
      : answer;
  };
}
