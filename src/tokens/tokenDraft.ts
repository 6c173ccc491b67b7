/** Draft of a token, what the server accepts, and the steps that ask for its fields. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { closestDuration, durationName, endOfDuration, type TokenDuration } from '../service/tokens/durations.ts';
import type { AccessTokenType } from '../service/tokens/tokenCreation.ts';
import type { CreatedKind } from '../service/tokens/tokens.ts';
import type { MetadataService } from '../service/service.ts';
import type { ServiceAccount } from '../service/tokens/serviceAccounts.ts';
import { checkTypedActor, shortActorName } from '../service/server/identifiers.ts';
import { formatsOf } from '../ui/formats.ts';
import {
  type StepAnswer,
  askAndStore,
  askPick,
  askText,
  type InputStep,
  type StepPlace,
  type PickItem,
} from '../ui/inputSteps.ts';
import { tokenDescriptionProblem, tokenNameProblem } from './tokenTexts.ts';
import { askServiceAccount, type ServiceAccountLister } from './pickServiceAccount.ts';

export interface TokenDraft {
  /** Who drafts it. Undefined until the server has said so. */
  caller?: string;
  type: AccessTokenType;
  name: string;
  /** User that the token acts as; empty until a service account is selected. */
  actorUrn: string;
  /** True for a token that becomes the connection's own: user and type stay. */
  readonly keepsUser?: boolean;
  duration: TokenDuration;
  description: string;
  /** The latest pick: its name is shown while it is the actor. */
  serviceAccount?: ServiceAccount;
}

/** Facts from the server: what it accepts, and who asks. */
export interface TokenCreationFacts {
  readonly takesDescription: boolean;
  readonly caller: string;
  /** The caller is known to lack the privilege for tokens of their own. */
  readonly cannotCreateOwn: boolean;
  readonly durations: readonly TokenDuration[];
  /** Undefined if the server lists no service accounts. */
  readonly serviceAccounts?: ServiceAccountLister | undefined;
}

/**
 * @throws ServiceFailure if the server does not report what it accepts; `refused` if it reports a missing privilege.
 */
export async function loadCreationFacts(
  service: MetadataService,
  what: CreatedKind,
  signal: AbortSignal,
): Promise<TokenCreationFacts> {
  const [, caller, durations, hasAccounts, { takesDescription }] = await Promise.all([
    service.tokens.requireCreation(what, signal),
    service.server.callerActorUrn(signal),
    service.tokens.offeredDurations(signal),
    service.server.hasServiceAccounts(signal),
    service.server.fact('creation', signal),
  ]);
  return {
    caller,
    cannotCreateOwn: service.tokens.cannotCreate('own'),
    durations,
    takesDescription,
    serviceAccounts: hasAccounts ? service.tokens.serviceAccounts.bind(service.tokens) : undefined,
  };
}

/**
 * Proposes a token of the caller's own, or of a service account to be picked where only that can be created, unless the same
 * caller chose another one before that the server has, and an offered duration.
 */
export function proposeDefaults(
  draft: TokenDraft,
  { caller, cannotCreateOwn, durations, serviceAccounts }: TokenCreationFacts,
): void {
  // The connection may lead to another server by now, which has no service accounts.
  if (draft.caller !== caller || (draft.type !== 'PERSONAL' && serviceAccounts === undefined)) {
    const isForAccount = cannotCreateOwn && serviceAccounts !== undefined;
    const proposed = isForAccount ? { type: 'SERVICE_ACCOUNT', actorUrn: '' } : { type: 'PERSONAL', actorUrn: caller };
    Object.assign(draft, { caller, ...proposed });
  }
  if (!durations.includes(draft.duration)) {
    draft.duration = closestDuration(undefined, undefined, durations);
  }
}

/** Asks without anything from the server, so it can come first. */
export function tokenNameStep(draft: TokenDraft): InputStep {
  return {
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: draft.name,
          prompt: l10n.t('Name this token so you can recognize it later.'),
          placeholder: l10n.t('for example nightly ingestion'),
          problem: tokenNameProblem,
        }),
        (text) => (draft.name = text.trim()),
      ),
  };
}

/** Asks whom the token acts as, which decides its type. */
export function tokenActorStep(draft: TokenDraft, facts: TokenCreationFacts): InputStep {
  return {
    ask: async (place) => {
      const { serviceAccounts } = facts;
      if (serviceAccounts === undefined) {
        return askTypedActor(place, draft, facts);
      }
      const items: (PickItem & { readonly type: AccessTokenType })[] = [
        { type: 'PERSONAL', icon: 'person', label: l10n.t('User…') },
        { type: 'SERVICE_ACCOUNT', icon: 'server-process', label: l10n.t('Service account…') },
      ];
      const active = items.find(({ type }) => type === draft.type);
      const chosen = await askPick(place, { items, active, placeholder: l10n.t('Acts as') });
      if (chosen.kind !== 'value') {
        return chosen;
      }
      return chosen.value.type === 'PERSONAL'
        ? askTypedActor(place, draft, facts)
        : askAndStore(askServiceAccount(place, serviceAccounts, draft.actorUrn), (account) =>
            Object.assign(draft, { type: 'SERVICE_ACCOUNT', actorUrn: account.urn, serviceAccount: account }),
          );
    },
  };
}

export function tokenDescriptionStep(draft: TokenDraft): InputStep {
  return {
    ask: (place) =>
      askAndStore(
        askText(place, {
          value: draft.description,
          prompt: l10n.t('A description (optional).'),
          placeholder: l10n.t('what it is used for, and where'),
          problem: tokenDescriptionProblem,
        }),
        (text) => (draft.description = text.trim()),
      ),
  };
}

/** The actor as the summary shows it: a picked service account has a name. */
export function draftedActorText({ actorUrn, serviceAccount: account }: TokenDraft): string {
  const short = shortActorName(actorUrn);
  return account?.name !== undefined && account.urn === actorUrn ? `${account.name} · ${short}` : short;
}

function askTypedActor(place: StepPlace, draft: TokenDraft, facts: TokenCreationFacts): Promise<StepAnswer<void>> {
  const before = draft.type === 'PERSONAL' ? draft.actorUrn : facts.caller;
  const drafted = shortActorName(before);
  // Unchanged, it's the server's own, however odd, or was checked before.
  const check = (text: string): ReturnType<typeof checkTypedActor> =>
    text === drafted && text !== '' ? { actorUrn: before } : checkTypedActor(text);
  const question = {
    value: drafted,
    prompt: l10n.t('User this token acts as (ID or URN).'),
    problem: (text: string) => {
      const checked = check(text);
      return 'problem' in checked ? checked.problem : undefined;
    },
  };
  return askAndStore(askText(place, question), (text) => {
    const checked = check(text);
    if ('actorUrn' in checked) {
      Object.assign(draft, { type: 'PERSONAL', actorUrn: checked.actorUrn });
    }
  });
}

export function tokenDurationStep(draft: TokenDraft, { durations }: TokenCreationFacts): InputStep {
  return {
    ask: (place) => {
      const items = durations.map((duration) => ({
        label: durationName(duration),
        description: validUntilText(duration),
        duration,
      }));
      const active = items.find(({ duration }) => duration === draft.duration);
      return askAndStore(
        askPick(place, { items, active, placeholder: l10n.t('Expires after') }),
        ({ duration }) => (draft.duration = duration),
      );
    },
  };
}

/** When a token of this length would expire. */
export function validUntilText(duration: TokenDuration): string {
  const end = endOfDuration(duration, Date.now());
  return end === null
    ? l10n.t('valid until revoked; not allowed on every server')
    : l10n.t('until {0}', formatsOf(language()).zonedTime(end));
}
