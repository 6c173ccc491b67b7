/** The questions that describe a token, each for one thing. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { durationMillis, durationName, type IsoDuration, type TokenDuration } from '../service/tokens/durations.ts';
import type { TokenType } from '../service/tokens/tokenCreation.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { formatsOf } from '../ui/formats.ts';
import { type Answer, askInto, askPick, askText, type Step, type StepPlace } from '../ui/inputSteps.ts';
import type { PickItem } from '../ui/quickPick.ts';
import { endOf, typedLength } from './expiry.ts';
import { lackingPrivilege } from './tokenTexts.ts';
import type { ActorReader, CreationFacts, TokenDraft } from './tokenDraft.ts';
import { descriptionProblem, nameProblem } from './typedText.ts';

interface DraftSteps {
  readonly type: Step;
  readonly name: Step;
  readonly actor: Step;
  readonly duration: Step;
  readonly description: Step;
}

/** @param actorOf Reads what stands in the draft as a user. */
export function draftSteps(draft: TokenDraft, facts: CreationFacts, actorOf: ActorReader): DraftSteps {
  const { schema, caller } = facts;
  const type: Step = {
    applies: () => schema.serviceAccounts,
    ask: (place) => {
      const items = [
        typeItem('PERSONAL', 'person', l10n.t('acts as a user'), facts),
        typeItem('SERVICE_ACCOUNT', 'server-process', l10n.t('acts as a service account'), facts),
      ];
      const active = items.find((item) => item.type === draft.type);
      return askInto(
        askPick(place, { items, active, placeholder: l10n.t('Select the token type') }),
        (item) => (draft.type = item.type),
      );
    },
  };
  const name: Step = {
    ask: (place) => {
      // Where types are asked for, that step said so already.
      const lacking = schema.serviceAccounts ? undefined : lackingPrivilege(facts, draft.type, true);
      const prompt = l10n.t('Name this token so you can recognize it later.');
      return askInto(
        askText(place, {
          value: draft.name,
          prompt: lacking === undefined ? prompt : `${lacking} ${prompt}`,
          placeholder: l10n.t('for example nightly ingestion'),
          problem: nameProblem,
        }),
        (text) => (draft.name = text.trim()),
      );
    },
  };
  const actor: Step = {
    ask: (place) =>
      askInto(
        askText(place, {
          value: draft.actor,
          prompt: l10n.t('User this token acts as (ID or URN).'),
          problem: (text) => {
            const checked = actorOf(text);
            return 'problem' in checked ? checked.problem : undefined;
          },
          remark: (text) => {
            const checked = actorOf(text);
            return draft.type === 'PERSONAL' && 'actorUrn' in checked && checked.actorUrn !== caller
              ? forOthersText(facts)
              : undefined;
          },
        }),
        (text) => {
          const checked = actorOf(text);
          draft.actor = 'actorUrn' in checked ? shortActorName(checked.actorUrn) : text;
        },
      ),
  };
  const duration: Step = { ask: (place) => askDuration(place, draft, facts) };
  const description: Step = {
    applies: () => schema.createTakesDescription,
    ask: (place) =>
      askInto(
        askText(place, {
          value: draft.description,
          prompt: l10n.t('A description (optional).'),
          placeholder: l10n.t('what it is used for, and where'),
          problem: descriptionProblem,
        }),
        (text) => (draft.description = text.trim()),
      ),
  };
  return { type, name, actor, duration, description };
}

export function typeName(type: TokenType): string {
  switch (type) {
    case 'PERSONAL':
      return l10n.t('Personal');
    case 'SERVICE_ACCOUNT':
      return l10n.t('Service account');
  }
}

function typeItem(
  type: TokenType,
  icon: string,
  description: string,
  facts: CreationFacts,
): PickItem & { readonly type: TokenType } {
  const detail = lackingPrivilege(facts, type, true);
  return { type, icon, label: typeName(type), description, ...(detail === undefined ? {} : { detail }) };
}

function forOthersText(facts: CreationFacts): string {
  return (
    lackingPrivilege(facts, 'PERSONAL', false) ??
    (facts.mayManageAllTokens === true
      ? l10n.t("You'll be the owner of this token, which acts as someone else.")
      : l10n.t(
          'Creating a token for someone else requires the "Manage All Access Tokens" privilege. You\'ll be its owner.',
        ))
  );
}

async function askDuration(
  place: StepPlace,
  draft: TokenDraft,
  { durations, takesOtherDurations }: CreationFacts,
): Promise<Answer<void>> {
  const items = durations.map((one) => ({ label: durationName(one), description: untilText(one), duration: one }));
  const other = { icon: 'edit', label: l10n.t('Custom…'), description: '', duration: undefined };
  const offered = [...items, ...(takesOtherDurations ? [other] : [])];
  const active = offered.find(
    (item) => item.duration !== undefined && durationMillis(item.duration) === durationMillis(draft.duration),
  );
  const answer = await askPick<(typeof offered)[number]>(place, {
    items: offered,
    active,
    placeholder: l10n.t('Expires after'),
  });
  if (answer.kind === 'value' && answer.value.duration === undefined) {
    return askInto(askLength(place), (text) => (draft.duration = typedLength(text) ?? draft.duration));
  }
  return askInto(Promise.resolve(answer), (item) => (draft.duration = item.duration ?? draft.duration));
}

function askLength(place: StepPlace): Promise<Answer<string>> {
  return askText(place, {
    value: '',
    prompt: l10n.t('Valid for how long? A month counts as 30 days, a year as 365.'),
    placeholder: l10n.t('for example 45 days, or P45D'),
    problem: (text) =>
      typedLength(text) === undefined
        ? l10n.t(
            'Not a valid duration. Enter a number and a unit, such as 45 days, or ISO 8601, such as P45D or PT12H.',
          )
        : undefined,
    remark: (text) => {
      const length = typedLength(text);
      return length === undefined ? undefined : untilText(length);
    },
  });
}

/** When a token of this length would end. */
export function untilText(duration: TokenDuration | IsoDuration): string {
  const end = endOf(duration, Date.now());
  return end === null
    ? l10n.t('valid until revoked; not allowed on every server')
    : l10n.t('until {0}', formatsOf(language()).longTime(end));
}
