/** Creates a token (PROTOCOL.md §5.5): the mutation for this server, its result, and its refusals. */
import { documentFor, type MutationDocument } from '../http/documentFor.ts';
import * as v from 'valibot';
import * as l10n from '@vscode/l10n';
import { isDurationRefusal, type TokenDuration } from './durations.ts';
import { STORED_IDENTIFIER } from '../server/identifiers.ts';
import { ServiceFailure } from '../failure/failure.ts';
import { complaintsOf } from '../failure/graphqlFailure.ts';
import type { CreationSchema } from '../server/facts.ts';
import { isKnownSecret, TokenSecret } from '../failure/secret.ts';

/** The interface description shows PERSONAL. Newer servers add service accounts (PROTOCOL.md §5.9). */
export type AccessTokenType = 'PERSONAL' | 'SERVICE_ACCOUNT';

export interface TokenCreationRequest {
  readonly type: AccessTokenType;
  readonly actorUrn: string;
  readonly duration: TokenDuration;
  readonly name: string;
  /** Omitted for servers without it. */
  readonly description: string | undefined;
}

export interface CreatedAccessToken {
  /** The token string, returned only once. */
  readonly secret: TokenSecret;
  /** Empty if the server omitted it. */
  readonly id: string;
  /** As requested: the response could say anything. */
  readonly name: string;
  readonly description: string | undefined;
}

/**
 * Selects only fields of the interface description: every server knows them, so the one request can't fail for them.
 */
export function creationDocument({ inputType }: Pick<CreationSchema, 'inputType'>): MutationDocument {
  return documentFor('mutation', 'createAccessToken', {
    variables: { input: `${inputType}!` },
    fields: ['accessToken', 'metadata { id name description }'],
  });
}

/** Characters of a header. A line break would run the rest of the text where it is pasted. */
const TOKEN = v.pipe(v.string(), v.trim(), v.regex(/^[\x21-\x7E]+$/));
const CREATED = v.object({
  accessToken: TOKEN,
  metadata: v.fallback(v.nullish(v.object({ id: v.fallback(v.nullish(v.string()), undefined) })), undefined),
});

/** Input of the mutation. */
export function creationInput(request: TokenCreationRequest, schema: CreationSchema): Record<string, unknown> {
  return { ...request, description: schema.takesDescription ? request.description : undefined };
}

/**
 * Reads the token from a response; undefined if there is none. Takes only the ID besides, which comes nowhere else,
 * and drops an ID with part of the token in it.
 * @throws ServiceFailure for a token from before, as a cache answers: revoking it later would revoke one in use.
 */
export function parseCreatedToken(
  created: unknown,
  request: TokenCreationRequest,
  schema: CreationSchema,
  isKnownId: (id: string) => boolean = () => false,
): CreatedAccessToken | undefined {
  const parsed = v.safeParse(CREATED, created);
  if (!parsed.success) {
    return undefined;
  }
  const { accessToken, metadata } = parsed.output;
  if (isKnownSecret(accessToken) || isKnownId(metadata?.id ?? '')) {
    throw new ServiceFailure(
      'unexpectedAnswer',
      l10n.t('The server returned an existing access token. There may be a cache in front of it.'),
      {
        operation: 'createAccessToken',
        mayHaveActed: true,
        next: l10n.t("Check that the address is the service's own, not that of a proxy or sign-in page."),
      },
    );
  }
  const secret = new TokenSecret(accessToken);
  // The new token is known by now and excluded from IDs. A very short one is not remembered, so check it here.
  const id = v.safeParse(STORED_IDENTIFIER, metadata?.id);
  return {
    secret,
    id: id.success && !id.output.includes(accessToken) ? id.output : '',
    name: request.name,
    description: schema.takesDescription ? request.description : undefined,
  };
}

/**
 * Explains a refused creation in our words. The response may hold the new token anywhere,
 * so the server's words are recognized but never shown.
 */
export function explainCreationRefusal(failure: ServiceFailure, { type }: TokenCreationRequest): ServiceFailure {
  const { kind, operation, status } = failure;
  if (kind !== 'badRequest' && kind !== 'server' && kind !== 'invalidDocument') {
    return failure;
  }
  const text = complaintsOf(failure).join('\n');
  // A server that rejects the input has created nothing, whatever the status.
  const facts = { operation, status, mayHaveActed: false };
  if (isDurationRefusal(text)) {
    const next = l10n.t('Choose another duration.');
    return new ServiceFailure('badRequest', l10n.t("This server doesn't allow that duration."), { ...facts, next });
  }
  if (type === 'SERVICE_ACCOUNT' && /is not a service account|failed to validate service account/i.test(text)) {
    const next = l10n.t('Select another service account.');
    return new ServiceFailure('badRequest', l10n.t("This service account doesn't exist on the server."), {
      ...facts,
      next,
    });
  }
  const next = kind === 'badRequest' ? l10n.t('Check the name, the user and the duration.') : undefined;
  return next === undefined ? failure : failure.with({ next: failure.next ?? next });
}
