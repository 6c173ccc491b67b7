/** A token as it is being described, and what the server has to say about that before anything is asked. */
import * as l10n from '@vscode/l10n';
import type { IsoDuration, TokenDuration } from '../service/tokens/durations.ts';
import type { SchemaFacts } from '../service/server/schema.ts';
import type { MetadataService } from '../service/service.ts';
import type { TokenType } from '../service/tokens/tokenCreation.ts';
import { checkTypedActor } from '../service/server/identifiers.ts';
import { showCancellableProgress } from '../ui/messages.ts';

export interface TokenDraft {
  type: TokenType;
  name: string;
  /** A user id or a URN, as it was typed or proposed. */
  actor: string;
  duration: TokenDuration | IsoDuration;
  description: string;
}

/** What the server takes, who is asking, and what they may do; undefined where the server does not tell. */
export interface CreationFacts {
  readonly schema: SchemaFacts;
  readonly caller: string;
  readonly durations: readonly (TokenDuration | IsoDuration)[];
  readonly takesOtherDurations: boolean;
  readonly mayGenerateTokens: boolean | undefined;
  readonly mayManageAllTokens: boolean | undefined;
  readonly mayManageServiceAccounts: boolean | undefined;
}

/** @throws ServiceFailure when the server does not tell what it takes, or the person does not want to wait. */
export function loadCreationFacts(service: MetadataService, connectionName: string): Promise<CreationFacts> {
  return showCancellableProgress(l10n.t('Loading token types from "{0}"…', connectionName), async (signal) => {
    const [caller, durations] = await Promise.all([service.caller(signal), service.durations(signal)]);
    // Known by now: nothing more is asked for these.
    const schema = await service.schema();
    const { identity } = await service.introduction(signal);
    return {
      caller,
      durations,
      schema,
      takesOtherDurations: await service.takesOtherDurations(signal),
      mayGenerateTokens: identity?.mayGenerateTokens,
      mayManageAllTokens: identity?.mayManageAllTokens,
      mayManageServiceAccounts: schema.serviceAccounts
        ? await service.mayManageServiceAccounts(signal).catch(() => undefined)
        : undefined,
    };
  });
}

/** Reads what stands in a draft as a user: their URN, or what is wrong with it. */
export type ActorReader = typeof checkTypedActor;

/** What is proposed was named by the server and is taken as it is; what is typed is checked. */
export function actorsFrom(proposed: string): ActorReader {
  return (text) => (text === proposed && text.startsWith('urn:') ? { actorUrn: text } : checkTypedActor(text));
}
