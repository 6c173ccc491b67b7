/** Access tokens over GraphQL (spec §4.1; facts §2, §3). */
import * as v from 'valibot';
import { ServiceFailure, unexpectedAnswer } from './failure.ts';
import type { Operation } from './failure.ts';
import { InvalidDocument } from './graphql.ts';
import type { GraphQL } from './graphql.ts';
import { sleep, withRetries } from './retry.ts';
import type { Pause } from './retry.ts';
import { learn } from './schema.ts';
import type { SchemaFacts } from './schema.ts';
import { Secret } from './secret.ts';
import { l10n } from './words.ts';

/** What a listing tells of a token. A server that follows the spec to the letter gives the first three only (spec §2). */
export interface AccessToken {
  readonly urn: string;
  /** What revokeAccessToken takes. */
  readonly id: string;
  /** The actor that the token acts as. */
  readonly actorUrn: string;
  /** The actor that created it. */
  readonly ownerUrn?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Unix time in ms. */
  readonly createdAt?: number | undefined;
  /** Unix time in ms; null: never; undefined: the server does not tell. */
  readonly expiresAt?: number | null | undefined;
}

export type FilterCondition = 'EQUAL' | 'CONTAIN' | 'LESS_THAN' | 'GREATER_THAN';

/** A filter on a property of the token record aspect (spec §2; facts §3 "Filter fields"). */
export interface TokenFilter {
  readonly field: string;
  readonly value: string;
  readonly condition: FilterCondition;
}

export interface ListTokens {
  /** `owned`: created by `ownerUrn`, which needs no more than Generate Personal Access Tokens; `all` needs Manage All Access Tokens. */
  readonly scope: { readonly kind: 'owned'; readonly ownerUrn: string } | { readonly kind: 'all' };
  readonly filters: readonly TokenFilter[];
  readonly start: number;
  readonly count: number;
}

export interface TokenPage {
  readonly tokens: readonly AccessToken[];
  /** How many rows the server gave, before any was dropped: the next page starts that much later. */
  readonly received: number;
  /** A hint only: it may stay above zero where nothing is left (facts §3). */
  readonly total: number;
}

/** Spec §2 shows PERSONAL; servers of today know service accounts too (facts §2). */
export type TokenType = 'PERSONAL' | 'SERVICE_ACCOUNT';

/** Values of the duration enum (facts §2). */
export const DURATIONS = ['ONE_HOUR', 'ONE_DAY', 'ONE_WEEK', 'ONE_MONTH', 'THREE_MONTHS', 'SIX_MONTHS', 'ONE_YEAR', 'NO_EXPIRY'] as const;
export type TokenDuration = (typeof DURATIONS)[number];

export interface CreateToken {
  readonly type: TokenType;
  readonly actorUrn: string;
  readonly duration: TokenDuration;
  readonly name: string;
  /** Left out where the server does not take one. */
  readonly description: string | undefined;
}

export interface CreatedToken {
  /** The token string: given once, never again. */
  readonly secret: Secret;
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
}

const LIST: Operation = { name: 'listAccessTokens', doing: () => l10n.t('list access tokens'), privilege: 'Generate Personal Access Tokens' };
const LIST_ALL: Operation = { name: 'listAccessTokens', doing: () => l10n.t('list the access tokens of others'), privilege: 'Manage All Access Tokens' };
const CREATE: Operation = { name: 'createAccessToken', doing: () => l10n.t('create access tokens'), privilege: 'Generate Personal Access Tokens' };
const CREATE_FOR: Operation = { name: 'createAccessToken', doing: () => l10n.t('create access tokens for others'), privilege: 'Manage All Access Tokens' };
const CREATE_SERVICE: Operation = { name: 'createAccessToken', doing: () => l10n.t('create access tokens of service accounts'), privilege: 'Manage Service Accounts' };
const REVOKE: Operation = { name: 'revokeAccessToken', doing: () => l10n.t('revoke this access token'), privilege: 'Manage All Access Tokens' };

/** Times are longs: a number in JSON, a text where a proxy or a gateway plays safe. */
const TIME = v.fallback(v.nullish(v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number))])), undefined);
const OPTIONAL_TEXT = v.fallback(v.nullish(v.string()), undefined);
const TOKEN = v.object({
  urn: OPTIONAL_TEXT,
  id: v.pipe(v.string(), v.minLength(1)),
  actorUrn: v.fallback(v.string(), ''),
  ownerUrn: OPTIONAL_TEXT,
  name: OPTIONAL_TEXT,
  description: OPTIONAL_TEXT,
  createdAt: TIME,
  expiresAt: TIME,
});
const LISTED = v.object({ total: v.fallback(v.number(), 0), tokens: v.array(v.unknown()) });
const CREATED = v.object({
  accessToken: v.pipe(v.string(), v.minLength(1)),
  metadata: v.fallback(v.nullish(v.object({ id: OPTIONAL_TEXT, name: OPTIONAL_TEXT, description: OPTIONAL_TEXT })), undefined),
});

/** A listing that trips over a row revoked a moment ago is well again after this (facts §3). */
const STALE_ROW_PAUSE_MILLIS = 3_000;

/** The schema facts, and where a lesson about them goes. */
export interface SchemaSource {
  facts(): Promise<SchemaFacts>;
  learned(facts: SchemaFacts): void;
}

export class Tokens {
  readonly #graphql: GraphQL;
  readonly #schema: SchemaSource;
  readonly #pause: Pause;

  constructor(graphql: GraphQL, schema: SchemaSource, pause: Pause = sleep) {
    this.#graphql = graphql;
    this.#schema = schema;
    this.#pause = pause;
  }

  /**
   * One page (spec §4.1 listAccessTokens). `start` and `count` are always sent: older servers fail without them.
   * @throws ServiceFailure; `refused` names the privilege that is missing.
   */
  async list(request: ListTokens, signal?: AbortSignal): Promise<TokenPage> {
    const read = (): Promise<TokenPage> => this.#listInThisDialect(request, signal);
    return withRetries(
      async () => {
        try {
          return await read();
        } catch (thrown) {
          if (thrown instanceof ServiceFailure && thrown.kind === 'server' && thrown.status === 200) {
            await this.#pause(STALE_ROW_PAUSE_MILLIS, signal);
            return read();
          }
          throw thrown;
        }
      },
      signal,
      this.#pause,
    );
  }

  /**
   * Creates a token (spec §4.1 createAccessToken). Sent once: the caller never repeats it, and neither does anything below.
   * @throws ServiceFailure; with `mayHaveActed` the token may exist although its string is lost.
   */
  async create(request: CreateToken, isSelf: boolean, signal?: AbortSignal): Promise<CreatedToken> {
    const operation = request.type === 'SERVICE_ACCOUNT' ? CREATE_SERVICE : isSelf ? CREATE : CREATE_FOR;
    const schema = await this.#schema.facts();
    const { description, ...input } = request;
    const { data } = await this.#graphql.run(
      operation,
      // The selection is the spec's own: every server knows it, so that the one request cannot fail for asking too much.
      `mutation createAccessToken($input: ${schema.createInputType}!) { createAccessToken(input: $input) { accessToken metadata { id name description } } }`,
      { input: { ...input, ...(description !== undefined && schema.createTakesDescription ? { description } : {}) } },
      signal,
    );
    const parsed = v.safeParse(CREATED, data.createAccessToken);
    if (!parsed.success) {
      throw unexpectedAnswer(operation);
    }
    const { accessToken, metadata } = parsed.output;
    return {
      secret: new Secret(accessToken),
      id: metadata?.id ?? '',
      name: metadata?.name ?? request.name,
      description: metadata?.description ?? undefined,
    };
  }

  /**
   * Revokes a token (spec §4.1 revokeAccessToken). Sent once.
   * @throws ServiceFailure also when the server answers false.
   */
  async revoke(tokenId: string, signal?: AbortSignal): Promise<void> {
    const { data } = await this.#graphql.run(
      REVOKE,
      'mutation revokeAccessToken($tokenId: String!) { revokeAccessToken(tokenId: $tokenId) }',
      { tokenId },
      signal,
    );
    if (data.revokeAccessToken !== true) {
      throw new ServiceFailure('server', l10n.t('The server says that it did not revoke the token.'), { operation: REVOKE.name });
    }
  }

  /** A validation error executes nothing, so it may teach and be followed by another wording; learning ends by itself. */
  async #listInThisDialect(request: ListTokens, signal: AbortSignal | undefined): Promise<TokenPage> {
    let schema = await this.#schema.facts();
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- each wording follows from the answer to the one before
        return await this.#listOnce(request, schema, signal);
      } catch (thrown) {
        const lesson = thrown instanceof InvalidDocument ? learn(schema, thrown.complaints) : undefined;
        if (lesson === undefined) {
          throw thrown;
        }
        schema = lesson;
        this.#schema.learned(schema);
      }
    }
  }

  async #listOnce(request: ListTokens, schema: SchemaFacts, signal: AbortSignal | undefined): Promise<TokenPage> {
    const { scope } = request;
    const operation = scope.kind === 'owned' ? LIST : LIST_ALL;
    const owner: TokenFilter[] = scope.kind === 'owned' ? [{ field: 'ownerUrn', value: scope.ownerUrn, condition: 'EQUAL' }] : [];
    const { document, variables } = listDocument([...owner, ...request.filters], schema, operation);
    const { data } = await this.#graphql.run(operation, document, { start: request.start, count: request.count, ...variables }, signal);
    const parsed = v.safeParse(LISTED, data.listAccessTokens);
    if (!parsed.success) {
      throw unexpectedAnswer(operation);
    }
    const tokens = parsed.output.tokens.flatMap((row) => tokenFrom(row, schema));
    return {
      // Should a server ever overlook the filter, nobody else's tokens are shown as one's own.
      tokens: scope.kind === 'owned' ? tokens.filter(({ ownerUrn }) => ownerUrn === undefined || ownerUrn === scope.ownerUrn) : tokens,
      received: parsed.output.tokens.length,
      total: parsed.output.total,
    };
  }
}

/**
 * The listing's document: only variables of GraphQL's own scalar types, so that it fits whatever the server calls its input
 * types, and no datum is ever part of the text. Field names and conditions are variables or from closed lists.
 */
export function listDocument(
  filters: readonly TokenFilter[],
  schema: Pick<SchemaFacts, 'filterSpelling' | 'filterHasCondition' | 'tokenFields'>,
  operation: Operation = LIST,
): { readonly document: string; readonly variables: Record<string, unknown> } {
  const declarations = ['$start: Int!', '$count: Int!'];
  const variables: Record<string, unknown> = {};
  const texts = filters.map(({ field, value, condition }, index) => {
    if (condition !== 'EQUAL' && !schema.filterHasCondition) {
      throw new ServiceFailure('unsupported', l10n.t('This server can only filter by exact values.'), { operation: operation.name });
    }
    declarations.push(`$field${index}: String!`, `$value${index}: ${schema.filterSpelling === 'values' ? '[String!]!' : 'String!'}`);
    variables[`field${index}`] = field;
    variables[`value${index}`] = schema.filterSpelling === 'values' ? [value] : value;
    return `{field: $field${index}, ${schema.filterSpelling}: $value${index}${condition === 'EQUAL' ? '' : `, condition: ${condition}`}}`;
  });
  return {
    document:
      `query listAccessTokens(${declarations.join(', ')}) { listAccessTokens(input: {start: $start, count: $count, filters: [${texts.join(', ')}]})` +
      ` { start count total tokens { ${schema.tokenFields.join(' ')} } } }`,
    variables,
  };
}

/** A row that cannot be used is left out: one bad row is no reason to show none. */
function tokenFrom(row: unknown, schema: SchemaFacts): AccessToken[] {
  const parsed = v.safeParse(TOKEN, row);
  if (!parsed.success) {
    return [];
  }
  const { urn, expiresAt, ...token } = parsed.output;
  const tellsExpiry = schema.tokenFields.includes('expiresAt');
  return [
    {
      urn: urn ?? `urn:li:dataHubAccessToken:${token.id}`,
      id: token.id,
      actorUrn: token.actorUrn,
      ownerUrn: token.ownerUrn ?? undefined,
      name: token.name ?? undefined,
      description: token.description ?? undefined,
      createdAt: token.createdAt ?? undefined,
      expiresAt: tellsExpiry ? (expiresAt ?? null) : undefined,
    },
  ];
}
