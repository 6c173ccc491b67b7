/** Creating an access token: asked step by step, sent once, its string offered once. */
import * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import { asFailure } from '../service/failure/failure.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { millisOf } from '../service/server/durations.ts';
import type { IsoDuration } from '../service/server/durations.ts';
import { durationName } from '../service/durationText.ts';
import type { SchemaFacts } from '../service/server/schema.ts';
import type { Service } from '../service/service.ts';
import type { WantedToken } from '../service/tokens/tokenSearch.ts';
import type { AccessToken, CreatedToken, TokenDuration, TokenType } from '../service/tokens/tokens.ts';
import { checkActor, shortActor } from '../service/urn.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import { askInto, askPick, askText, runSteps } from '../ui/inputSteps.ts';
import type { Answer, Step, StepPlace } from '../ui/inputSteps.ts';
import { showProgress } from '../ui/messages.ts';
import type { Notices } from '../ui/notices.ts';
import type { CreatedTokens } from './createdTokens.ts';
import { endOf } from './expiry.ts';
import { offerToken } from './offerToken.ts';
import { inProgress } from './progress.ts';
import type { TokenLists } from './tokenLists.ts';
import { typedLength } from './typedLength.ts';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

export interface CreateParts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly tokenLists: TokenLists;
  readonly created: CreatedTokens;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}

/** A token as it is being described. */
export interface TokenDraft {
  type: TokenType;
  name: string;
  actor: string;
  duration: TokenDuration | IsoDuration;
  description: string;
}

/** The longest that the service's own page takes. */
const LONGEST_NAME = 50;
const LONGEST_DESCRIPTION = 500;

/**
 * Asks, creates, offers the string.
 * @param draft What is proposed; it keeps what was typed, so that leaving or a refusal loses nothing.
 * @returns whether it was created: false when the person left, or it failed and was told.
 * @throws ServiceFailure when the server does not tell what it takes; then nothing was asked.
 */
export async function createToken(
  parts: CreateParts,
  connection: Connection,
  title: string,
  draft: TokenDraft,
): Promise<boolean> {
  const service = parts.services.get(connection);
  const takes = await inProgress(vscode.l10n.t('Loading token types from "{0}"…', connection.name), (signal) =>
    askTakes(service, signal),
  );
  const { caller } = takes;
  draft.actor = draft.actor === '' ? shortActor(caller) : draft.actor;
  const actorOf = actorsFrom(draft.actor);
  if (!(await runSteps(title, stepsFor(draft, takes, actorOf)))) {
    return false;
  }
  const checkedActor = actorOf(draft.actor);
  const actorUrn = 'actorUrn' in checkedActor ? checkedActor.actorUrn : '';
  const sentAt = Date.now();
  const known = new Set(parts.tokenLists.get(connection.id).tokens.map((token) => token.id));
  const wanted: WantedToken = { name: draft.name, ownerUrn: caller, since: sentAt, known };
  let created: CreatedToken;
  try {
    created = await showProgress(vscode.l10n.t('Creating the access token "{0}"…', draft.name), false, () =>
      service.tokens.create(
        {
          type: draft.type,
          actorUrn,
          duration: draft.duration,
          name: draft.name,
          description: draft.description === '' ? undefined : draft.description,
        },
        actorUrn === caller,
      ),
    );
  } catch (thrown) {
    const failure = asFailure(thrown);
    parts.notices.failure(failure.mayHaveActed ? await lookForLost(service, wanted, failure) : failure, connection);
    void parts.tokenLists.get(connection.id).refresh();
    return false;
  }
  const id = created.id || (await lookFor(service, wanted))?.id;
  const offered = { ...created, id, isSelf: actorUrn === caller };
  if (id === undefined) {
    // Without an id there is nothing to hold it by, to show or to revoke: the listing may show it later.
    void parts.tokenLists.get(connection.id).refresh();
    await offerToken(parts, connection, offered);
  } else {
    // Held before anything else can fail: from here on the string must not be lost.
    parts.created.hold(connection.id, id, created.secret);
    const token: AccessToken = {
      urn: `urn:li:dataHubAccessToken:${id}`,
      id,
      actorUrn,
      ownerUrn: caller,
      name: created.name,
      description: created.description,
      createdAt: sentAt,
      expiresAt: endOf(draft.duration, sentAt),
    };
    await parts.created.remember(connection.id, token);
    parts.tokenLists.get(connection.id).created(token);
    await offerToken(parts, connection, offered);
    // Signing in throws away what was loaded, and the listing may not have heard of the token yet.
    parts.tokenLists.get(connection.id).created(token);
  }
  return true;
}

/** What the server takes, and who is asking. */
interface Takes {
  readonly schema: SchemaFacts;
  readonly caller: string;
  readonly durations: readonly (TokenDuration | IsoDuration)[];
  readonly takesOtherDurations: boolean;
}

async function askTakes(service: Service, signal: AbortSignal): Promise<Takes> {
  const [caller, durations] = await Promise.all([service.caller(signal), service.durations(signal)]);
  // Known by now: nothing more is asked for these.
  return {
    caller,
    durations,
    schema: await service.schema(),
    takesOtherDurations: await service.takesOtherDurations(signal),
  };
}

type Actors = (text: string) => ReturnType<typeof checkActor>;

/** What is proposed was named by the server, so that it is taken as it is; what a person types is checked. */
function actorsFrom(proposed: string): Actors {
  return (text) => (text === proposed && text.startsWith('urn:') ? { actorUrn: text } : checkActor(text));
}

function stepsFor(
  draft: TokenDraft,
  { schema, durations, takesOtherDurations, caller }: Takes,
  actorOf: Actors,
): Step[] {
  return [
    {
      applies: () => schema.serviceAccounts,
      ask: async (place) => {
        const items = [
          {
            icon: 'person',
            label: vscode.l10n.t('Personal'),
            description: vscode.l10n.t('acts as a user'),
            type: 'PERSONAL' as const,
          },
          {
            icon: 'server-process',
            label: vscode.l10n.t('Service account'),
            description: vscode.l10n.t('acts as a service account'),
            type: 'SERVICE_ACCOUNT' as const,
          },
        ];
        const active = items.find(({ type }) => type === draft.type);
        return askInto(
          askPick(place, { items, active, placeholder: vscode.l10n.t('Select the token type') }),
          ({ type }) => (draft.type = type),
        );
      },
    },
    {
      ask: (place) =>
        askInto(
          askText(place, {
            value: draft.name,
            prompt: vscode.l10n.t('Name this token so you can recognize it later.'),
            placeholder: vscode.l10n.t('for example nightly ingestion'),
            problem: (text) => lengthProblem(text, 1, LONGEST_NAME),
          }),
          (text) => (draft.name = text.trim()),
        ),
    },
    {
      ask: (place) =>
        askInto(
          askText(place, {
            value: draft.actor,
            prompt: vscode.l10n.t('User this token acts as (ID or URN).'),
            problem: (text) => {
              const checked = actorOf(text);
              return 'problem' in checked ? checked.problem : undefined;
            },
            remark: (text) => {
              const checked = actorOf(text);
              return draft.type === 'PERSONAL' && 'actorUrn' in checked && checked.actorUrn !== caller
                ? vscode.l10n.t(
                    'Creating a token for someone else requires the "Manage All Access Tokens" privilege. You\'ll be its owner.',
                  )
                : undefined;
            },
          }),
          (text) => {
            const checked = actorOf(text);
            draft.actor = 'actorUrn' in checked ? shortActor(checked.actorUrn) : text;
          },
        ),
    },
    {
      ask: async (place) => {
        const items = durations.map((duration) => ({
          label: durationName(duration),
          description: untilText(duration),
          duration,
        }));
        const other = { icon: 'edit', label: vscode.l10n.t('Custom…'), description: '', duration: undefined };
        const offered = [...items, ...(takesOtherDurations ? [other] : [])];
        const active = offered.find(
          ({ duration }) => duration !== undefined && millisOf(duration) === millisOf(draft.duration),
        );
        const answer = await askPick<(typeof offered)[number]>(place, {
          items: offered,
          active,
          placeholder: vscode.l10n.t('Expires after'),
        });
        if (answer.kind === 'value' && answer.value.duration === undefined) {
          return askInto(askLength(place), (text) => (draft.duration = typedLength(text) ?? draft.duration));
        }
        return askInto(Promise.resolve(answer), ({ duration }) => (draft.duration = duration ?? draft.duration));
      },
    },
    {
      applies: () => schema.createTakesDescription,
      ask: (place) =>
        askInto(
          askText(place, {
            value: draft.description,
            prompt: vscode.l10n.t('A description (optional).'),
            placeholder: vscode.l10n.t('what it is used for, and where'),
            problem: (text) => lengthProblem(text, 0, LONGEST_DESCRIPTION),
          }),
          (text) => (draft.description = text.trim()),
        ),
    },
  ];
}

function askLength(place: StepPlace): Promise<Answer<string>> {
  return askText(place, {
    value: '',
    prompt: vscode.l10n.t('Valid for how long? A month counts as 30 days, a year as 365.'),
    placeholder: vscode.l10n.t('for example 45 days, or P45D'),
    problem: (text) =>
      typedLength(text) === undefined
        ? vscode.l10n.t(
            'Not a valid duration. Enter a number and a unit, such as 45 days, or ISO 8601, such as P45D or PT12H.',
          )
        : undefined,
    remark: (text) => {
      const length = typedLength(text);
      return length === undefined ? undefined : untilText(length);
    },
  });
}

function untilText(duration: TokenDuration | IsoDuration): string {
  const end = endOf(duration, Date.now());
  return end === null
    ? vscode.l10n.t('valid until revoked; not allowed on every server')
    : vscode.l10n.t('until {0}', formatsOf(language()).longTime(end));
}

/** The answer was lost, so nobody has the string; whether the token exists can be looked up, never tried again. */
async function lookForLost(service: Service, wanted: WantedToken, failure: ServiceFailure): Promise<ServiceFailure> {
  const found = await lookFor(service, wanted);
  return failure.with({
    next:
      found === undefined
        ? vscode.l10n.t(
            'The token "{0}" may or may not have been created. Refresh the tokens in a moment; if it\'s there, revoke it, since its value is lost.',
            wanted.name,
          )
        : vscode.l10n.t(
            'Token "{0}" was created, but its value was lost. Revoke it and create a new one.',
            wanted.name,
          ),
  });
}

/** Undefined also when looking failed or was given up: then it is not known. */
function lookFor(service: Service, { name, ownerUrn, since, known }: WantedToken): Promise<AccessToken | undefined> {
  return inProgress(vscode.l10n.t('Looking for the access token "{0}" on the server…', name), (signal) =>
    service.tokens.findCreated(name, ownerUrn, since, signal, known),
  ).catch(() => undefined);
}

function lengthProblem(text: string, least: number, most: number): string | undefined {
  const { length } = text.trim();
  if (length < least) {
    return vscode.l10n.t('Enter a name.');
  }
  return length > most ? vscode.l10n.t('At most {0} characters. This has {1}.', most, length) : undefined;
}
