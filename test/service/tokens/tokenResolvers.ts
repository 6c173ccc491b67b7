import { fetchingError } from '../graphqlErrors.ts';
import type { Platform } from '../platform.ts';
import { resolveExpiry } from './tokenDuration.ts';
import { filterValues, searchTokens, type TokenFilter } from './tokenSearch.ts';
import type { TokenRecord } from './tokens.ts';
import { serviceAccounts, type Actor } from '../users.ts';

/** Context of every resolver. */
export interface RequestContext {
  readonly platform: Platform;
  readonly actor: Actor;
  /** Time of the request, Unix ms. */
  readonly now: number;
}

interface CreateInput {
  readonly type: 'PERSONAL' | 'SERVICE_ACCOUNT';
  readonly actorUrn: string;
  readonly duration: string;
  readonly name: string;
  readonly description?: string | null;
}

interface ListInput {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly filters?: readonly TokenFilter[] | null;
}

/** The search cluster refuses pages beyond this many results. */
const resultWindow = 10_000;

export function createAccessToken(_: unknown, { input }: { input: CreateInput }, context: RequestContext): unknown {
  const { platform, actor, now } = context;
  // Checked before the caller's privileges.
  if (input.type === 'SERVICE_ACCOUNT' && !serviceAccounts.some(({ urn }) => urn === input.actorUrn)) {
    throw fetchingError('BAD_REQUEST', `The specified URN is not a service account: ${input.actorUrn}`);
  }
  if (!mayCreate(context, input)) {
    throw unauthorized(platform);
  }
  const expiresAt = resolveExpiry(platform, input.duration, now);
  const { type, name, description = null, actorUrn } = input;
  const { token, record } = platform.tokens.issue({
    type,
    name,
    description,
    actorUrn,
    ownerUrn: actor.urn,
    createdAt: now,
    expiresAt,
  });
  return { accessToken: token, metadata: metadataOf(platform, record.id, record) };
}

export function listAccessTokens(_: unknown, { input }: { input: ListInput }, context: RequestContext): unknown {
  const { platform, now } = context;
  const filters = input.filters ?? [];
  if (!mayList(context, filters)) {
    throw unauthorized(platform);
  }
  const start = input.start ?? platform.profile.defaultPage?.start;
  const count = pageSize(platform, input.count ?? platform.profile.defaultPage?.count);
  if (start !== undefined && start < 0) {
    throw fetchingError('BAD_REQUEST', '[from] parameter cannot be negative');
  }
  if (count !== undefined && count < 0) {
    throw fetchingError('BAD_REQUEST', `[size] parameter cannot be negative, found [${count}]`);
  }
  if (start === undefined || count === undefined || start + count > resultWindow) {
    throw serverError(platform, 'Failed to list access tokens', 'Failed to list access tokens. Search query failed:');
  }
  const hits = searchTokens(platform.database, filters, { start, count }, now);
  const tokens = hits.ids.map((id) => metadataOf(platform, id, platform.tokens.find(id)));
  return {
    start,
    count,
    total: hits.total,
    // A revoked token that the index still has is counted, and not listed.
    tokens: tokens.filter((token) => 'name' in token),
  };
}

/** Only a manager is informed that a token is unknown. For others it counts as another user's. */
export function revokeAccessToken(_: unknown, { tokenId }: { tokenId: string }, context: RequestContext): boolean {
  const { platform, actor, now } = context;
  const owner = platform.tokens.find(tokenId)?.ownerUrn;
  if (!actor.privileges.has('MANAGE_ACCESS_TOKENS') && owner !== actor.urn) {
    throw unauthorized(platform);
  }
  if (!platform.tokens.revoke(tokenId, now)) {
    throw serverError(
      platform,
      'Failed to revoke access token',
      'Failed to revoke access token. Access token no longer exists',
    );
  }
  return true;
}

export function getAccessTokenMetadata(_: unknown, { token }: { token: string }, context: RequestContext): unknown {
  const { platform, actor } = context;
  const id = platform.tokens.idOf(token);
  const record = platform.tokens.find(id);
  const isOwner = platform.profile.metadataForOwners && record?.ownerUrn === actor.urn;
  if (!isOwner && !actor.privileges.has('MANAGE_ACCESS_TOKENS')) {
    throw unauthorized(platform);
  }
  return metadataOf(platform, id, record);
}

interface AccountsInput {
  readonly start?: number | null;
  readonly count?: number | null;
  readonly query?: string | null;
}

/** Searches the names, as a listing of users does. */
export function listServiceAccounts(_: unknown, { input }: { input: AccountsInput }, context: RequestContext): unknown {
  if (!context.actor.privileges.has('MANAGE_SERVICE_ACCOUNTS')) {
    throw unauthorized(context.platform, 'list service accounts');
  }
  const [start, count, text] = [input.start ?? 0, input.count ?? 10, (input.query ?? '').toLowerCase()];
  const found = serviceAccounts.filter(({ displayName }) => displayName.toLowerCase().includes(text));
  return {
    start,
    count,
    total: found.length,
    serviceAccounts: found.slice(start, start + count),
  };
}

function mayCreate({ actor }: RequestContext, input: CreateInput): boolean {
  if (input.type === 'SERVICE_ACCOUNT') {
    return actor.privileges.has('MANAGE_SERVICE_ACCOUNTS');
  }
  const own = input.actorUrn === actor.urn && actor.privileges.has('GENERATE_PERSONAL_ACCESS_TOKENS');
  return own || actor.privileges.has('MANAGE_ACCESS_TOKENS');
}

function mayList({ platform, actor }: RequestContext, filters: readonly TokenFilter[]): boolean {
  if (actor.privileges.has('MANAGE_ACCESS_TOKENS')) {
    return true;
  }
  if (!actor.privileges.has('GENERATE_PERSONAL_ACCESS_TOKENS')) {
    return false;
  }
  return filters.some((filter) => {
    if (!platform.profile.ownFields.includes(filter.field)) {
      return false;
    }
    if (platform.profile.ownFilterSpelling === 'values' && !filter.values) {
      // Only `values` is read here. A filter that only has the deprecated `value` makes the server fail.
      throw serverError(platform, 'Failed to list access tokens', 'null');
    }
    const values = filterValues(filter);
    return values.length === 1 && values[0] === actor.urn;
  });
}

/**
 * A token that only the search index still has consists of its identifier. Its missing non-null fields fail the whole
 * response.
 */
function metadataOf(platform: Platform, id: string, record: TokenRecord | null): object {
  const urn = platform.profile.tokenUrnPrefix + id;
  if (!record) {
    return { urn, id, type: 'ACCESS_TOKEN' };
  }
  return { ...record, urn, type: 'ACCESS_TOKEN', owner: { urn: record.ownerUrn } };
}

function unauthorized(platform: Platform, what = 'perform this action'): Error {
  const { product } = platform.profile;
  return fetchingError('UNAUTHORIZED', `Unauthorized to ${what}. Please contact your ${product} administrator.`);
}

/** A negative or too large size is the largest one, in newer releases. */
function pageSize({ profile }: Platform, count: number | undefined): number | undefined {
  const isUsual = count === undefined || (count >= 0 && count <= resultWindow);
  return isUsual ? count : (profile.largestPage ?? count);
}

function serverError(platform: Platform, message: string, cause: string): Error {
  return fetchingError(
    'SERVER_ERROR',
    platform.profile.explainsServerErrors
      ? `java.lang.RuntimeException: ${message}. Root cause: ${cause}`
      : 'An unknown error occurred.',
  );
}
