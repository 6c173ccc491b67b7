import type { RunningService } from '../service/main.ts';
import { CUTOFFS, NO_SUCH_ASPECT, NO_SUCH_ENTITY } from '../../tools/conformance/dryRunClaims.ts';
import { UNKNOWN_ACTION } from '../../tools/conformance/guard.ts';
import { MADE_UP_TOKEN } from '../../tools/conformance/identityClaims.ts';
import { isRecord, parseJson } from '../../tools/json.ts';
import { edited, graphqlIn, type PassedReply, type PassedRequest, type Rewriting } from './rewritingProxy.ts';
import { FAR_START, NO_SUCH_NAME } from '../../tools/conformance/tokenClaims.ts';

type Break = (service: RunningService) => Rewriting;
type Matches = (request: PassedRequest, service: RunningService) => boolean;

const OWN_NAME = /^conformance-/;
const DAY = 86_400_000;
const BY_QUERY = 'Issuing a delete by query request';
const BY_REINDEX = 'Reindexing the aspect without the deleted records';
const ADMIN = 'urn:li:corpuser:admin';
/** A valid token of a listing. */
const ROW = { urn: 'urn:li:dataHubAccessToken:x', id: 'x', name: 'x', actorUrn: ADMIN, ownerUrn: ADMIN, createdAt: 1 };
const VALIDATION_ERROR = ok({
  errors: [{ message: 'Validation error', extensions: { classification: 'ValidationError' } }],
});
const VALID_ROW = { ...ROW, expiresAt: Date.now() + DAY };

/** A way to break each claim and no other, in front of a local service of the main line. */
export const BREAKS: Readonly<Record<string, Break>> = {
  product: changed(at(/^\/config$/), 'noCode', leaveOut),
  caller: replaced(all(asks('generatePersonalAccessTokens'), byUser), VALIDATION_ERROR),
  application: changed(asks('tokenAuthEnabled'), 'data.appConfig.authConfig', leaveOut),
  'no-token': replaced(
    all(asks('corpUser'), ({ headers }) => headers.authorization === undefined),
    ok({ data: { me: {} } }),
  ),
  'wrong-token': replaced(({ headers }) => headers.authorization === `Bearer ${MADE_UP_TOKEN}`, {
    status: 403,
    body: '',
  }),

  introspection: replaced(asks('__type('), VALIDATION_ERROR),
  validation: replaced(asks('conformanceHasNoSuchField'), ok({ data: {} })),
  filters: changed(asks('"FacetFilterInput"'), 'data.type.inputFields', without('condition')),
  'token-fields': changed(asks('"AccessTokenMetadata"'), 'data.type.fields', without('description')),
  'creation-input': changed(asks('"CreateAccessTokenInput"'), 'data.type.inputFields', without('description')),
  // All eight are assumed then, which is no answer.
  durations: changed(asks('"AccessTokenDuration"'), 'data.type', () => null),

  privileges: changed(asks('getGrantedPrivileges'), 'data.getGrantedPrivileges', () => null),
  'listed-service-accounts': changed(asks('listServiceAccounts('), 'data.listServiceAccounts', () => null),
  'ingestion-release': changed(at(/^\/config$/), 'managedIngestion', leaveOut),

  'own-tokens': changed(
    lists('"start":0,"count":10,"field0":"ownerUrn","value0"', 1),
    'data.listAccessTokens.tokens.0.id',
    leaveOut,
  ),
  'all-tokens': changed(lists('"start":0,"count":10', 0), 'data.listAccessTokens.tokens.0.id', leaveOut),
  'end-of-tokens': changed(lists(`"start":${FAR_START}`, 1), 'data.listAccessTokens.tokens', () => [VALID_ROW]),
  'tokens-by-name': changed(lists(NO_SUCH_NAME, 2), 'data.listAccessTokens.tokens', () => [VALID_ROW]),
  'never-expiring-tokens': changed(
    all(lists('"expiresAt"', 2), asks('negated: true')),
    'data.listAccessTokens.tokens',
    () => [VALID_ROW],
  ),
  'expired-tokens': changed(all(lists('"expiresAt"', 2), asks('LESS_THAN')), 'data.listAccessTokens.tokens', () => [
    VALID_ROW,
  ]),

  'token-created': changed(asks('mutation createAccessToken'), 'data.createAccessToken.metadata', () => null),
  'token-signs-in': changed(
    all(
      asks('generatePersonalAccessTokens'),
      ({ headers }, { adminToken }) => headers.authorization !== `Bearer ${adminToken}`,
    ),
    'data.me.corpUser.urn',
    () => 'urn:li:corpuser:analyst',
  ),
  'token-listed': changed(isLooking, 'data.listAccessTokens.tokens', (rows) =>
    rowsOf(rows).filter((row) => !isOwn(row)),
  ),
  'token-expiry': changed(isLooking, 'data.listAccessTokens.tokens', (rows) =>
    rowsOf(rows).map((row) => (isOwn(row) ? Object.assign(row, { expiresAt: Number(row['expiresAt']) + DAY }) : row)),
  ),
  'token-revoked': changed(asks('mutation revokeAccessToken'), 'data.revokeAccessToken', () => false),
  'token-gone': () => {
    let before: PassedReply | undefined;
    let isRevoked = false;
    return {
      reply: (request, reply) => {
        isRevoked ||= isRevocation(request);
        if (!isLooking(request) || !graphqlIn(request).variables.includes('"start":0,')) {
          return undefined;
        }
        before = isRevoked ? before : reply;
        return before;
      },
    };
  },
  'token-revoked-twice': () => {
    let revocations = 0;
    return {
      reply: (request) => {
        revocations += isRevocation(request) ? 1 : 0;
        return isRevocation(request) && revocations === 2 ? ok({ data: { revokeAccessToken: true } }) : undefined;
      },
    };
  },

  sizes: changed(action('getIndexSizes'), 'value', () => ({})),
  'size-units': changed(action('getIndexSizes'), 'value.indexSizes', (rows) =>
    parseJson(JSON.stringify(rows).replaceAll('"sizeInMb"', '"sizeMb"')),
  ),
  'unknown-action': replaced(action(UNKNOWN_ACTION), ok({ value: '' })),
  'unknown-task': changed(all(action('getEsTaskStatus'), says('conformanceNoSuchNode:1')), 'value', () =>
    JSON.stringify({ completed: true, status: '{}' }),
  ),
  'malformed-task': replaced(
    all(action('getEsTaskStatus'), says('"task":"conformance"')),
    ok({ value: JSON.stringify({ error: 'Could not get task status' }) }),
  ),

  'dry-run': () => {
    let dryRuns = 0;
    return {
      reply: (request) => {
        dryRuns += request.path.includes('truncateTimeseriesAspect') ? 1 : 0;
        return dryRuns === 1 ? ok({ value: 'Some rows would be deleted.' }) : undefined;
      },
    };
  },
  'dry-run-only-counts': () => {
    const seen = new Set<string>();
    return {
      reply: ({ path, body }) => {
        const isRepeated = path.includes('truncateTimeseriesAspect') && seen.has(body);
        seen.add(body);
        return isRepeated ? dryRun(0, 1, BY_QUERY) : undefined;
      },
    };
  },
  cutoff: replaced(says(`"endTimeMillis":${CUTOFFS.beforeAll},`), dryRun(5, 10, BY_QUERY)),
  'delete-by-query': replaced(all(says('forceDeleteByQuery'), not(says('forceReindex'))), dryRun(5, 10, BY_REINDEX)),
  reindex: replaced(all(says('forceReindex'), not(says('forceDeleteByQuery'))), dryRun(5, 10, BY_QUERY)),
  strategy: changed(says(`"endTimeMillis":${CUTOFFS.now},`), 'value', (text) =>
    String(text).replace(BY_REINDEX, BY_QUERY),
  ),
  'unknown-entity-type': replaced(says(NO_SUCH_ENTITY), dryRun(0, 0, BY_QUERY)),
  'unknown-aspect': replaced(all(says(NO_SUCH_ASPECT), not(says(NO_SUCH_ENTITY))), dryRun(1, 2, BY_QUERY)),
};

/** Breaks a claim by replacing the reply. */
function replaced(matches: Matches, reply: PassedReply): Break {
  return (service) => ({ reply: (request) => (matches(request, service) ? reply : undefined) });
}

/** Breaks a claim by changing one value in the JSON of a reply. */
function changed(matches: Matches, path: string, change: (old: unknown) => unknown): Break {
  return (service) => ({
    reply: (request, reply) => (matches(request, service) ? edited(reply, path, change) : undefined),
  });
}

function at(pattern: RegExp): Matches {
  return ({ path }) => pattern.test(path);
}

function action(name: string): Matches {
  return ({ path }) => path.endsWith(`?action=${name}`);
}

function says(text: string): Matches {
  return ({ body }) => body.includes(text);
}

function asks(text: string): Matches {
  return (request) => graphqlIn(request).query.includes(text);
}

/** A listing with this many filters, one of which includes the text. */
function lists(text: string, filters: number): Matches {
  return (request) => {
    const { query, variables } = graphqlIn(request);
    const count = [...query.matchAll(/\$field\d: /g)].length;
    return query.includes('listAccessTokens') && count === filters && variables.includes(text);
  };
}

/** The listing that searches for the created token. */
function isLooking(request: PassedRequest): boolean {
  const { query, variables } = graphqlIn(request);
  return query.includes('listAccessTokens') && variables.includes('"count":100,');
}

function isRevocation(request: PassedRequest): boolean {
  return graphqlIn(request).query.includes('mutation revokeAccessToken');
}

function byUser({ headers }: PassedRequest, { adminToken }: RunningService): boolean {
  return headers.authorization === `Bearer ${adminToken}`;
}

function all(...matchers: readonly Matches[]): Matches {
  return (request, service) => matchers.every((matches) => matches(request, service));
}

function not(matches: Matches): Matches {
  return (request, service) => !matches(request, service);
}

function leaveOut(): undefined {
  return undefined;
}

function without(name: string): (old: unknown) => unknown {
  return (old) => rowsOf(old).filter((row) => row['name'] !== name);
}

function rowsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isOwn({ name }: Readonly<Record<string, unknown>>): boolean {
  return OWN_NAME.test(String(name));
}

function ok(body: object): PassedReply {
  return { status: 200, body: JSON.stringify(body) };
}

function dryRun(toDelete: number, total: number, strategy: string): PassedReply {
  const value =
    `Delete ${toDelete} out of ${total} rows (1.00%). ${strategy}. ` +
    'This was a dry run. Run with dryRun = false to execute.';
  return ok({ value });
}
