/** Creating a token (spec §4.1 createAccessToken; facts §2, §3): what is sent, in the words of this server, and what came of it. */
import * as v from 'valibot';
import { LONGEST_DESCRIPTION, LONGEST_NAME, shown } from './accessToken.ts';
import { isoMillis } from './durations.ts';
import type { IsoDuration, TokenDuration } from './durations.ts';
import { ServiceFailure } from './failure.ts';
import type { Operation } from './failure.ts';
import type { SchemaFacts } from './schema.ts';
import { Secret } from './secret.ts';
import { l10n } from './words.ts';

/** Spec §2 shows PERSONAL; servers of today know service accounts too (facts §2). */
export type TokenType = 'PERSONAL' | 'SERVICE_ACCOUNT';

export interface CreateToken {
  readonly type: TokenType;
  readonly actorUrn: string;
  /** A value of the enum, or any other length where the server takes one (`SchemaFacts.createTakesDurationIso`). */
  readonly duration: TokenDuration | IsoDuration;
  readonly name: string;
  /** Left out where the server does not take one. */
  readonly description: string | undefined;
}

export interface CreatedToken {
  /** The token string: given once, never again. */
  readonly secret: Secret;
  /** Empty where the server did not tell it. */
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
}

const CREATE: Operation = {
  name: 'createAccessToken',
  doing: () => l10n.t('create access tokens'),
  privilege: 'Generate Personal Access Tokens',
};
const CREATE_FOR: Operation = {
  name: 'createAccessToken',
  doing: () => l10n.t('create access tokens for others'),
  privilege: 'Manage All Access Tokens',
};
const CREATE_SERVICE: Operation = {
  name: 'createAccessToken',
  doing: () => l10n.t('create access tokens of service accounts'),
  privilege: 'Manage Service Accounts',
};
/** The selection is the spec's own: every server knows it, so that the one request cannot fail for asking too much. */
export function createDocument({ createInputType }: Pick<SchemaFacts, 'createInputType'>): string {
  return `mutation createAccessToken($input: ${createInputType}!) { createAccessToken(input: $input) { accessToken metadata { id name description } } }`;
}

const TEXT = v.fallback(v.nullish(v.string()), undefined);
const CREATED = v.object({
  accessToken: v.pipe(v.string(), v.minLength(1)),
  metadata: v.fallback(v.nullish(v.object({ id: TEXT, name: TEXT, description: TEXT })), undefined),
});

/** Which privilege a creation takes depends on whom the token acts as. */
export function creationOperation({ type }: CreateToken, isSelf: boolean): Operation {
  if (type === 'SERVICE_ACCOUNT') {
    return CREATE_SERVICE;
  }
  return isSelf ? CREATE : CREATE_FOR;
}

/**
 * The mutation's input.
 * @throws ServiceFailure before anything is sent, where this server could not understand it.
 */
export function creationInput(
  { duration, description, ...input }: CreateToken,
  schema: SchemaFacts,
  operation: Operation,
): Record<string, unknown> {
  const facts = { operation: operation.name };
  if (input.type === 'SERVICE_ACCOUNT' && !schema.serviceAccounts) {
    throw new ServiceFailure('unsupported', l10n.t('This server has no service accounts.'), facts);
  }
  if (typeof duration !== 'string' && !schema.createTakesDurationIso) {
    throw new ServiceFailure('unsupported', l10n.t('This server takes only the durations that it names itself.'), facts);
  }
  if (typeof duration !== 'string' && isoMillis(duration.iso) === undefined) {
    throw new ServiceFailure('badRequest', l10n.t('"{0}" is no duration: write days as P45D, hours as PT12H.', duration.iso), facts);
  }
  return {
    ...input,
    ...(typeof duration === 'string' ? { duration } : { durationIso: duration.iso }),
    ...(description !== undefined && schema.createTakesDescription ? { description } : {}),
  };
}

/** The token in an answer's data, or undefined when there is none. What the server does not tell of it is as it was asked for. */
export function createdFrom(created: unknown, request: CreateToken): CreatedToken | undefined {
  const parsed = v.safeParse(CREATED, created);
  if (!parsed.success) {
    return undefined;
  }
  const { accessToken, metadata } = parsed.output;
  return {
    secret: new Secret(accessToken),
    id: metadata?.id ?? '',
    name: shown(metadata?.name, LONGEST_NAME) ?? request.name,
    description: shown(metadata?.description, LONGEST_DESCRIPTION),
  };
}
