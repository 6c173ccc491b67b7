/** Creating a token (PROTOCOL.md §5.5): what is sent, in the words of this server, and what came of it. */
import * as v from 'valibot';
import { parseIsoDuration, describeLength, type IsoDuration, type TokenDuration } from './durations.ts';
import { STORED_IDENTIFIER } from '../server/identifiers.ts';
import { ServiceFailure, type ServerOperation } from '../failure/failure.ts';
import type { SchemaFacts } from '../server/schema.ts';
import { TokenSecret } from '../failure/secret.ts';
import { maskKnownSecrets } from '../failure/secretMask.ts';
import * as l10n from '@vscode/l10n';
import { parseDurationRefusal, type DurationRefusal } from './durationPolicy.ts';

/** The interface description shows PERSONAL; newer servers have service accounts too (PROTOCOL.md §5.9). */
export type TokenType = 'PERSONAL' | 'SERVICE_ACCOUNT';

export interface TokenCreationRequest {
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
  readonly secret: TokenSecret;
  /** Empty where the server did not tell it. */
  readonly id: string;
  /** As it was asked for: what the answer says besides could be anything. */
  readonly name: string;
  readonly description: string | undefined;
}

/** The selection is that of the interface description: every server knows it, so that the one request cannot fail for asking too much. */
export function creationDocument({ createInputType }: Pick<SchemaFacts, 'createInputType'>): string {
  return `mutation createAccessToken($input: ${createInputType}!) { createAccessToken(input: $input) { accessToken metadata { id name description } } }`;
}

/** What a header can hold. With anything else it is no token, and a line break in it would run what follows where it is pasted. */
const TOKEN = v.pipe(v.string(), v.trim(), v.regex(/^[\x21-\x7E]+$/));
const CREATED = v.object({
  accessToken: TOKEN,
  metadata: v.fallback(v.nullish(v.object({ id: v.fallback(v.nullish(v.string()), undefined) })), undefined),
});

/**
 * The mutation's input.
 * @throws ServiceFailure before anything is sent, where this server could not understand it.
 */
export function creationInput(
  { duration, description, ...input }: TokenCreationRequest,
  schema: SchemaFacts,
  operation: ServerOperation,
): Record<string, unknown> {
  const facts = { operation: operation.name };
  if (input.type === 'SERVICE_ACCOUNT' && !schema.serviceAccounts) {
    throw new ServiceFailure('unsupported', l10n.t('This server has no service accounts.'), facts);
  }
  if (typeof duration !== 'string' && !schema.createTakesDurationIso) {
    throw new ServiceFailure('unsupported', l10n.t('This server only accepts its own preset durations.'), facts);
  }
  if (typeof duration !== 'string' && parseIsoDuration(duration.iso) === undefined) {
    throw new ServiceFailure(
      'badRequest',
      l10n.t('Not a valid duration. Use P45D for days or PT12H for hours.'),
      facts,
    );
  }
  return {
    ...input,
    ...durationInput(duration, schema),
    ...(schema.createTakesDescription ? { description } : {}),
  };
}

/** A week stands in the enum of servers that have nothing behind it (PROTOCOL.md §5.3): where they take ISO 8601 it is sent as seven days. */
function durationInput(
  duration: TokenDuration | IsoDuration,
  { createTakesDurationIso }: SchemaFacts,
): Record<string, string> {
  if (typeof duration !== 'string') {
    return { durationIso: duration.iso };
  }
  return duration === 'ONE_WEEK' && createTakesDurationIso ? { durationIso: 'P7D' } : { duration };
}

/**
 * The token in an answer's data, or undefined when there is none. Of the rest of the answer only the id is taken, since it is
 * needed and told nowhere else; one that holds part of the token is none.
 */
export function parseCreatedToken(
  created: unknown,
  request: TokenCreationRequest,
  schema: SchemaFacts,
): CreatedToken | undefined {
  const parsed = v.safeParse(CREATED, created);
  if (!parsed.success) {
    return undefined;
  }
  const { accessToken, metadata } = parsed.output;
  const secret = new TokenSecret(accessToken);
  // By now the new token is known, and is in no ID. One of fewer characters than are remembered is looked for by itself.
  const id = v.safeParse(STORED_IDENTIFIER, metadata?.id);
  return {
    secret,
    id: id.success && maskKnownSecrets(id.output, [accessToken], '') === id.output ? id.output : '',
    name: request.name,
    description: schema.createTakesDescription ? request.description : undefined,
  };
}

/** So many lengths make a sentence that is still read. */
const MOST_NAMED = 12;

interface CreationRefusal {
  readonly failure: ServiceFailure;
  /** What it says about durations, if it is about them. */
  readonly durations: DurationRefusal | undefined;
}

/** @param heard What the server said, word for word. */
export function explainCreationRefusal(
  failure: ServiceFailure,
  { duration, type }: TokenCreationRequest,
  heard: readonly string[],
): CreationRefusal {
  const { kind, operation, status } = failure;
  if (kind !== 'badRequest' && kind !== 'server' && kind !== 'invalidDocument') {
    return { failure, durations: undefined };
  }
  const text = heard.join('\n');
  const durations = parseDurationRefusal(duration, text);
  // Who reads the input and throws over it has made nothing yet, whatever the status says.
  const facts = { operation, status, mayHaveActed: false };
  if (durations !== undefined) {
    const next =
      durations.lengths === undefined
        ? l10n.t('Choose another duration.')
        : l10n.t('Choose one of these: {0}.', durations.lengths.slice(0, MOST_NAMED).map(describeLength).join(', '));
    return {
      failure: new ServiceFailure('badRequest', l10n.t("This server doesn't allow that duration."), { ...facts, next }),
      durations,
    };
  }
  if (type === 'SERVICE_ACCOUNT' && /is not a service account|failed to validate service account/i.test(text)) {
    const next = l10n.t('Enter the ID or URN of a service account.');
    return {
      failure: new ServiceFailure('badRequest', l10n.t("This service account doesn't exist on the server."), {
        ...facts,
        next,
      }),
      durations,
    };
  }
  const next = kind === 'badRequest' ? l10n.t('Check the name, the user and the duration.') : undefined;
  return { failure: next === undefined ? failure : failure.with({ next: failure.next ?? next }), durations };
}
