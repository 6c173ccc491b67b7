/** The client's call for the requests of each fixture that doesn't say its result itself, and what is expected. */
import assert from 'node:assert/strict';
import type { KnownFacts } from '../../../../src/service/server/facts.ts';
import { TokenSecret } from '../../../../src/service/failure/secret.ts';
import { ServiceFailure, type FailureKind } from '../../../../src/service/failure/failure.ts';
import type { MetadataService } from '../../../../src/service/service.ts';
import type { TokenCreationRequest } from '../../../../src/service/tokens/tokenCreation.ts';
import type { TokenListingRequest } from '../../../../src/service/tokens/tokenListing.ts';
import type { TruncationPlan } from '../../../../src/service/indices/truncationRequest.ts';
import { lookUpToken } from '../../../../src/service/tokens/tokenLookup.ts';
import { NEW, OWN } from '../changes.ts';
import { ALWAYS, KNOWN_FACTS, ME, SCHEMA_OF_0_14, SCHEMA_OF_1_6, SCHEMA_OF_SPEC } from '../clients.ts';
import { TASK_ID, TOKEN_ID } from './values.ts';

export interface Case {
  /** Undefined: those of today's server. */
  readonly knownFacts?: KnownFacts;
  /** Typed by the user of an unidentified server. */
  readonly product?: string | undefined;
  readonly call: (service: MetadataService) => Promise<unknown>;
  /** Checks the result of the call, or its exception. */
  readonly outcome: (outcome: unknown, service: MetadataService) => void;
}

const V0_14: KnownFacts = {
  identity: { product: 'DataHub', version: 'v0.14.0', entrance: 'direct' },
  ...SCHEMA_OF_0_14,
  operationsPath: '/operations',
};
const V1_6: KnownFacts = { ...KNOWN_FACTS, ...SCHEMA_OF_1_6 };
const OF_SPEC = { knownFacts: { ...SCHEMA_OF_SPEC, operationsPath: '/gms/operations' }, product: 'Service' } as const;

const listedIndices = ({ indices }: MetadataService): Promise<unknown> => indices.listIndexSizes();

const listedIndex = (entityType: string, aspect: string, sizeBytes: number | undefined, suffix = ''): object => ({
  indexName: `${entityType}_${aspect}aspect_v1${suffix}`,
  entityType,
  aspect,
  isTotal: false,
  sizeBytes,
});

const unnamedIndex = (indexName: string, sizeBytes: number | undefined): object => ({
  ...listedIndex('', '', sizeBytes),
  indexName,
  entityType: undefined,
  aspect: undefined,
});

const INDICES_OF_1_6 = [
  listedIndex('dashboard', 'dashboardusagestatistics', 208),
  listedIndex('query', 'queryusagestatistics', 208),
  listedIndex('chart', 'chartusagestatistics', 208),
  listedIndex('datajob', 'datahubingestionrunsummary', 412_834, '_1795699012205'),
  listedIndex('datajob', 'datahubingestioncheckpoint', 102_452),
  listedIndex('assertion', 'assertionrunevent', 208),
  listedIndex('dataprocessinstance', 'dataprocessinstancerunevent', 208),
  listedIndex('dataset', 'datasetprofile', 5_068_954, '_1795699015022'),
  listedIndex('document', 'documentusagestatistics', 208),
  listedIndex('dataset', 'operation', 1_217_319),
  listedIndex('dataset', 'datasetusagestatistics', 208),
];

const LOOKED_UP = new TokenSecret('eyJhbGciOiJIUzI1NiJ9.eyJ0eXBlIjoiUEVSU09OQUwifQ.c2ln');
const PLAN: TruncationPlan = {
  entityType: 'dataset',
  aspect: 'datasetusagestatistics',
  endTimeMillis: 1_687_970_192_000,
  batchSize: 100,
  timeoutSeconds: 3_600,
  strategy: 'server',
};
const ON_POSTGRES = { aspect: 'datasetUsageStatistics' };
const BY_SPEC = { batchSize: 10_000, timeoutSeconds: undefined };
const UNAUTHORIZED = 'Unauthorized to perform this action. Please contact your DataHub administrator.';
const DRY_RUN = 'This was a dry run. Run with dryRun = false to execute.';
const byQuery = (rows: string): string => `Delete ${rows}. Issuing a delete by query request. ${DRY_RUN}`;
const byReindex = (rows: string): string =>
  `Delete ${rows}. Reindexing the aspect without the deleted records. ${DRY_RUN}`;
const DONE = {
  kind: 'known',
  completed: true,
  total: 893,
  deleted: 893,
  created: 0,
  updated: 0,
  versionConflicts: 0,
  bulkRetries: 0,
  runTimeMillis: 206.429666,
  cancelled: undefined,
};

export type Call = Case['call'];
const create =
  (change: Partial<TokenCreationRequest> = {}): Call =>
  ({ tokens }) =>
    tokens.create({ ...NEW, ...change }, true, { mayStillSend: ALWAYS });
const list =
  (change: Partial<TokenListingRequest> = {}): Call =>
  ({ tokens }) =>
    tokens.list({ ...OWN, ...change });
const revoke =
  (id: string): Call =>
  ({ tokens }) =>
    tokens.revoke(id, { mayStillSend: ALWAYS });
const lookUp: Call = ({ server }) => lookUpToken(server, LOOKED_UP);
const listedAccounts: Call = (service) => service.tokens.serviceAccounts(new AbortController().signal);
const dryRun =
  (change: Partial<TruncationPlan> = {}): Call =>
  async ({ indices }) =>
    (await indices.dryRun({ ...PLAN, ...change })).text;
const execute =
  (change: Partial<TruncationPlan> = {}): Call =>
  ({ indices }) =>
    indices.execute({ ...PLAN, ...change }, ALWAYS);
const status =
  (id: string): Call =>
  ({ tasks }) =>
    tasks.readTaskStatus(id);

const gives =
  (expected: unknown): Case['outcome'] =>
  (outcome) =>
    assert.deepEqual(outcome, expected);
type ToldFact = 'message' | 'serverText' | 'privilege' | 'mayHaveActed' | 'next' | 'retryAfterMillis';
export type FailureFacts = Partial<Pick<ServiceFailure, ToldFact>>;
export const fails =
  (kind: FailureKind, facts: FailureFacts): Case['outcome'] =>
  (outcome) => {
    assert.ok(outcome instanceof ServiceFailure, `expected a failure, got ${JSON.stringify(outcome)}`);
    const told = Object.keys(facts).map((name) => [name, outcome[name as ToldFact]] as const);
    assert.deepEqual({ kind: outcome.kind, ...Object.fromEntries(told) }, { kind, ...facts });
  };
const row = (id: string): object => ({
  urn: `urn:li:dataHubAccessToken:${id}`,
  id,
  actorUrn: ME,
  ownerUrn: ME,
  name: 'my personal token',
  description: 'ci',
  createdAt: 1_724_000_000_000,
  expiresAt: 1_724_003_600_000,
});
const created =
  (description: string | undefined): Case['outcome'] =>
  (outcome) => {
    const { secret, ...rest } = outcome as Awaited<ReturnType<MetadataService['tokens']['create']>>;
    assert.match(secret.reveal(), /^eyJ/);
    assert.deepEqual(rest, { id: TOKEN_ID, name: 'my personal token', description });
  };

/** Those of fixtures that say themselves how they fail, by the operation that they name. */
export const OPERATIONS: Readonly<Record<string, Call>> = {
  createAccessToken: create(),
  listAccessTokens: list(),
  truncateTimeseriesAspect: dryRun(),
  getIndexSizes: listedIndices,
  getEsTaskStatus: status(TASK_ID),
};

export const CASES: Readonly<Record<string, Case>> = {
  'token-created': { call: create(), outcome: created('ci') },
  'token-never-expiring-disabled': {
    call: create({ duration: 'NO_EXPIRY' }),
    outcome: fails('badRequest', { mayHaveActed: false, serverText: undefined, next: 'Choose another duration.' }),
  },
  'token-of-one-week': {
    knownFacts: V1_6,
    call: create({ duration: 'ONE_WEEK' }),
    outcome: created('ci'),
  },
  'token-of-one-week-on-0.14': {
    knownFacts: V0_14,
    call: create({ duration: 'ONE_WEEK' }),
    outcome: fails('server', { mayHaveActed: true, serverText: undefined }),
  },
  'tokens-own': { call: list(), outcome: gives({ tokens: [row(TOKEN_ID)], received: 1, total: 1 }) },
  'tokens-all': {
    call: list({ scope: { kind: 'all' } }),
    outcome: gives({ tokens: [row(TOKEN_ID)], received: 1, total: 1 }),
  },
  'tokens-expired': {
    call: list({ filters: [{ field: 'expiresAt', value: '1900000000000', condition: 'LESS_THAN' }] }),
    outcome: gives({ tokens: [row(TOKEN_ID)], received: 1, total: 1 }),
  },
  'tokens-never-expiring': {
    call: list({ filters: [{ field: 'expiresAt', value: '', condition: 'ABSENT' }] }),
    outcome: gives({ tokens: [{ ...row(TOKEN_ID), expiresAt: null }], received: 1, total: 1 }),
  },
  'service-accounts': {
    call: listedAccounts,
    outcome: gives([
      { urn: 'urn:li:corpuser:service_3d6c0ca2-18e2-4c1f-a80c-41f1d490f142', name: 'nightly ingestion' },
      {
        urn: 'urn:li:corpuser:service_a720bdab-469b-4ccd-9ee4-8e56ee5c502d',
        name: 'service_a720bdab-469b-4ccd-9ee4-8e56ee5c502d',
      },
      { urn: 'urn:li:corpuser:service_d5b44814-6cd5-4e17-8b28-f4a632ec13a6', name: 'ci pipeline' },
    ]),
  },
  'service-accounts-refused': {
    call: listedAccounts,
    outcome: fails('refused', {
      privilege: 'Manage Service Accounts',
      serverText: 'Unauthorized to list service accounts. Please contact your DataHub administrator.',
    }),
  },
  'tokens-all-refused': {
    call: list({ scope: { kind: 'all' } }),
    outcome: fails('refused', { privilege: 'Manage All Access Tokens', serverText: UNAUTHORIZED }),
  },
  'tokens-total-without-rows': {
    call: list({ scope: { kind: 'all' }, start: 20 }),
    outcome: gives({ tokens: [], received: 0, total: 7 }),
  },
  'tokens-revoked-a-moment-ago': { call: list(), outcome: gives({ tokens: [], received: 0, total: 1 }) },
  'transaction-conflict': {
    call: list(),
    outcome: gives({ tokens: [row(TOKEN_ID)], received: 1, total: 1 }),
  },
  'token-revoked': { call: revoke(TOKEN_ID), outcome: gives('revoked') },
  'token-revocation-of-unknown-id': { call: revoke('bm8gc3VjaCB0b2tlbg=='), outcome: gives('alreadyGone') },
  'token-revocation-of-unknown-id-on-0.14': {
    knownFacts: V0_14,
    call: revoke('bm8gc3VjaCB0b2tlbg=='),
    outcome: fails('server', { serverText: 'An unknown error occurred.' }),
  },
  'token-lookup-unknown': { call: lookUp, outcome: gives(undefined) },
  'token-lookup-refused': {
    call: lookUp,
    outcome: fails('refused', { privilege: 'Manage All Access Tokens' }),
  },
  'token-revocation-refused': {
    call: revoke('bm8gc3VjaCB0b2tlbg=='),
    outcome: fails('refused', { privilege: 'Manage All Access Tokens' }),
  },

  'spec-tokens-own': {
    knownFacts: {},
    product: 'Service',
    call: async (service) => {
      // A listing asks for both at once.
      await service.server.fact('filter');
      await service.server.fact('tokenFields');
      return service.tokens.list(OWN);
    },
    outcome: (outcome, { server }) => {
      const [token] = (outcome as Awaited<ReturnType<MetadataService['tokens']['list']>>).tokens;
      assert.deepEqual(
        [token?.urn, token?.id, token?.actorUrn, token?.name, token?.expiresAt],
        [`urn:li:serviceAccessToken:${TOKEN_ID}`, TOKEN_ID, ME, undefined, undefined],
      );
      assert.deepEqual([server.known.filter?.spelling, server.known.tokenFields], ['value', ['urn', 'id', 'actorUrn']]);
    },
  },
  'spec-token-created': { ...OF_SPEC, call: create(), outcome: created(undefined) },
  'spec-token-revoked': { ...OF_SPEC, call: revoke(TOKEN_ID), outcome: gives('revoked') },
  'spec-dry-run': {
    ...OF_SPEC,
    call: dryRun(BY_SPEC),
    outcome: gives(byReindex('134517 out of 135600 rows (99.20%)')),
  },
  'spec-execution': {
    ...OF_SPEC,
    call: execute(BY_SPEC),
    outcome: gives({ kind: 'started', taskId: 'qhxGdzytQS-pQek8CwBCZg:533446' }),
  },

  'dry-run': { call: dryRun(), outcome: gives(byReindex('23084 out of 30597 rows (75.45%)')) },
  'dry-run-of-a-small-share': { call: dryRun(), outcome: gives(byQuery('746 out of 30597 rows (2.44%)')) },
  'dry-run-of-nothing': {
    call: async ({ indices }) => [
      (await indices.dryRun({ ...PLAN, strategy: 'deleteByQuery' })).text,
      (await indices.dryRun({ ...PLAN, strategy: 'reindex' })).text,
    ],
    outcome: gives([byQuery('0 out of 0 rows (NaN%)'), byReindex('20 out of 201 rows (9,95%)')]),
  },
  execution: {
    call: execute(),
    outcome: gives({ kind: 'started', taskId: 'tl_mrLM_QviWla4SztHyzw:12397' }),
  },
  'execution-on-postgres': {
    call: execute(ON_POSTGRES),
    outcome: gives({ kind: 'started', taskId: '7f0c2a52-3f6e-4c55-9a0e-5d7c1c0a6b21' }),
  },
  'dry-run-on-postgres': { call: dryRun(ON_POSTGRES), outcome: gives(byQuery('134517 out of 135600 rows (99.20%)')) },
  'execution-declined': {
    call: execute(),
    outcome: gives({ kind: 'declined', serverText: 'please only set forceReindex OR forceDeleteByQuery flags' }),
  },
  'execution-of-an-index-without-alias': {
    call: execute({ strategy: 'reindex' }),
    outcome: fails('badRequest', { serverText: 'Async reindex failed', mayHaveActed: false }),
  },
  'entity-type-unknown': {
    call: dryRun({ entityType: 'nope' }),
    outcome: fails('badRequest', { serverText: 'Failed to find entity with name nope in EntityRegistry' }),
  },
  'aspect-unknown': {
    call: dryRun({ aspect: 'nope' }),
    outcome: fails('server', {
      serverText:
        '[dataset_nopeaspect_v1] OpenSearchStatusException[OpenSearch exception [type=index_not_found_exception, reason=no such index [dataset_nopeaspect_v1]]]',
    }),
  },
  sizes: { call: listedIndices, outcome: gives(INDICES_OF_1_6) },
  'sizes-of-0.14': {
    knownFacts: V0_14,
    call: listedIndices,
    outcome: gives([
      listedIndex('dashboard', 'dashboardusagestatistics', 208),
      listedIndex('datajob', 'datahubingestionrunsummary', 26_917),
      listedIndex('chart', 'chartusagestatistics', 208),
      listedIndex('dataset', 'datasetprofile', 3_610_475),
      listedIndex('query', 'queryusagestatistics', 208),
      listedIndex('datajob', 'datahubingestioncheckpoint', 208),
      listedIndex('assertion', 'assertionrunevent', 208),
      listedIndex('dataprocessinstance', 'dataprocessinstancerunevent', 208),
      listedIndex('dataset', 'operation', 265_027),
      listedIndex('dataset', 'datasetusagestatistics', 208),
    ]),
  },
  'sizes-in-kilobytes': {
    knownFacts: V0_14,
    call: listedIndices,
    outcome: gives([
      listedIndex('dataset', 'datasetusagestatistics', undefined),
      listedIndex('dataset', 'datasetprofile', undefined),
      // Its 5,000,000,000 bytes overflowed to a plausible number.
      listedIndex('dataset', 'operation', undefined),
      // Only the name shows its entity and aspect, and that is no proof.
      unnamedIndex('chart_chartusagestatisticsaspect_v1_1723456789012', undefined),
    ]),
  },
  'sizes-on-postgres': {
    call: listedIndices,
    outcome: gives([{ ...unnamedIndex('public.metadata_timeseries_aspect', 812_500_000), isTotal: true }]),
  },
  task: { call: status(TASK_ID), outcome: gives(DONE) },
  'task-unknown': { call: status('tl_mrLM_QviWla4SztHyzw:999999999'), outcome: gives({ kind: 'unknown' }) },
};
