/** Draft of a token, and what the server accepts. */
import type { IsoTokenDuration, TokenDuration } from '../service/tokens/durations.ts';
import type { ServiceAccount } from '../service/tokens/serviceAccounts.ts';
import type { MetadataService } from '../service/service.ts';
import type { AccessTokenType } from '../service/tokens/tokenCreation.ts';
import type { ServiceAccountLister } from './pickServiceAccount.ts';
import { closestDuration } from './expiry.ts';

export interface TokenDraft {
  /** Who drafts it. Undefined until the server has said so. */
  caller?: string;
  type: AccessTokenType;
  name: string;
  /** User that the token acts as; empty until a service account is selected. */
  actorUrn: string;
  /** User of the other type, while that isn't selected. */
  otherActorUrn?: string | undefined;
  duration: TokenDuration | IsoTokenDuration;
  description: string;
  /** The latest pick: its name is shown while it is the actor. */
  serviceAccount?: ServiceAccount;
}

/** Facts from the server: what it accepts, and who asks. */
export interface TokenCreationFacts {
  readonly takesDescription: boolean;
  readonly caller: string;
  readonly durations: readonly (TokenDuration | IsoTokenDuration)[];
  /** Undefined if unknown. */
  readonly mayGenerateTokens: boolean | undefined;
  /** Undefined if the server lists no service accounts. */
  readonly serviceAccounts?: ServiceAccountLister | undefined;
}

/** @throws ServiceFailure if the server does not report what it accepts. */
export async function loadCreationFacts(service: MetadataService, signal: AbortSignal): Promise<TokenCreationFacts> {
  const [caller, durations, hasAccounts] = await Promise.all([
    service.callerActorUrn(signal),
    service.offeredDurations(signal),
    service.hasServiceAccounts(signal),
  ]);
  // Known by now: these send no request.
  const { takesDescription } = await service.server.fact('creation', signal);
  const { identity } = await service.server.fact('caller', signal);
  return {
    caller,
    durations,
    takesDescription,
    mayGenerateTokens: identity?.mayGenerateTokens,
    serviceAccounts: hasAccounts ? service.serviceAccounts.bind(service) : undefined,
  };
}

/**
 * Proposes a token of the caller's own, unless the same caller chose another one before that the server has, and an
 * offered duration.
 */
export function proposeDefaults(draft: TokenDraft, { caller, durations, serviceAccounts }: TokenCreationFacts): void {
  // The connection may lead to another server by now, whose form has no row for the type.
  if (draft.caller !== caller || (draft.type !== 'PERSONAL' && serviceAccounts === undefined)) {
    Object.assign(draft, { caller, type: 'PERSONAL', actorUrn: caller, otherActorUrn: undefined });
  }
  if (!durations.includes(draft.duration)) {
    draft.duration = closestDuration(undefined, undefined, durations);
  }
}
