import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { isRegistrySpelling, timeSeriesAspects } from '../service/entityRegistry.ts';
import { startService, type RunningService } from '../service/main.ts';
import { profiles, type Profile, type ProfileName } from '../service/profiles.ts';
import { until } from '../service/testClient.ts';
import type { RowSummary } from '../service/searchCluster.ts';
import { systemActorUrn } from '../service/users.ts';
import { drive, type DriverAnswers } from './driver.ts';
import { CLIENT_RELEASES, knownCollector, type ClientRelease } from './releases.ts';

/** How the client reaches the service. */
type Route = 'direct' | 'front';

type IndexNames = readonly [entityType: string, aspect: string];

const SIZE = 2000;
const COLLECTED_DAYS = 30;

interface TokenList {
  readonly total: number;
  readonly tokens: readonly { readonly id: string }[];
}

// Starting the client takes most of the time, so each of its processes does everything for one server.
suite('The client', { concurrency: 2 }, () => {
  for (const release of CLIENT_RELEASES) {
    for (const profile of ['0.14', '1.7', 'next', 'postgres'] as const) conversation(release, profile, 'direct');
    refusal(release, '0.14');
    for (const profile of ['1.7', 'next', 'postgres'] as const) conversation(release, profile, 'front');
  }
});

/** Runs a release of the client against a profile of the service. Each test compares one result with the service. */
function conversation(release: ClientRelease, name: ProfileName, route: Route): void {
  const profile = profiles[name];
  const indices = timeSeriesAspects(profile);

  suite(`${release.version} and ${route === 'direct' ? 'the server' : 'the front end'} of the profile ${name}`, () => {
    let service: RunningService;
    let answers: DriverAnswers;
    let rowsBefore: ReadonlyMap<string, RowSummary>;
    let expiredBefore: readonly string[];
    let ownBefore: readonly string[];
    let me: string;
    before(async () => {
      service = await startService({ profile: name, rows: SIZE, lagMillis: 0, refreshIntervalMillis: null });
      me = profile.authentication ? service.users.admin.urn : systemActorUrn;
      rowsBefore = rowsOf(service, indices);
      expiredBefore = expiredTokens(service);
      ownBefore = service
        .tokens()
        .filter(({ ownerUrn }) => ownerUrn === me)
        .map(({ id }) => id);
      answers = await talk(service, route, release);
      await until('the tasks end', () => service.tasks().every(({ completed }) => completed));
    });
    after(() => service.close());

    test('connects', () => assert.equal(answers.value('connect'), profile.version));
    test('learns its identity', () => assert.equal(answers.value('identify'), me));

    test('creates a token, which signs in', () => {
      const { ownerUrn } = answers.value('create') as { readonly ownerUrn: string };
      assert.equal(ownerUrn, me);
      assert.equal(answers.value('identify by the created token'), me);
    });

    test('lists its own tokens', () => {
      const { id } = answers.value('create') as { readonly id: string };
      assertListed(answers.value('list own'), [...ownBefore, id]);
    });

    test('lists expired tokens', () => assertListed(answers.value('list expired'), expiredBefore));

    test('revokes a token', () => {
      assert.equal(answers.value('revoke'), true);
      assertListed(answers.value('list own after revoking'), ownBefore);
    });

    for (const spelled of bothSpellings(indices)) {
      test(`counts the rows of ${spelled.join('/')}`, () => {
        const hasRows = profile.timeseriesStore === 'searchCluster' || isRegistrySpelling(profile, ...spelled);
        const count = hasRows ? rowsBefore.get(nameOf(spelled))?.count : 0;
        assert.match(
          String(answers.value(`dry run of ${spelled.join('/')}`)),
          RegExp(`^Delete ${count} out of ${count} rows`),
        );
      });
    }

    test('runs datahub-gc without a failure', () => {
      assert.deepEqual((answers.value('collect') as CollectorReport).failures, []);
    });

    test('revokes the expired tokens by datahub-gc', () => {
      assert.ok(expiredBefore.length > 0);
      assert.equal((answers.value('collect') as CollectorReport).expiredTokensRevoked, expiredBefore.length);
      assert.deepEqual(expiredTokens(service), []);
    });

    test('truncates only its own list of indices by datahub-gc', async () => {
      const expected = collected(release, profile).map(nameOf).toSorted();
      // Readers see the effect after a refresh.
      await until(`${expected.join(', ')} have fewer rows`, () => {
        const rows = rowsOf(service, indices);
        const truncated = [...rows].filter(([index, { count }]) => count !== rowsBefore.get(index)?.count);
        return isDeepStrictEqual(truncated.map(([index]) => index).toSorted(), expected);
      });
    });

    test('lets datahub-gc omit batch size and strategy, but delete by query after a failure', () => {
      const executions = service.requests
        .filter(({ path }) => path.includes('truncateTimeseriesAspect'))
        .map(({ body, status }) => ({ body: JSON.parse(body) as TruncationBody, status }))
        .filter(({ body }) => !body.dryRun);
      const expected = knownCollector(release).truncated.flatMap((index) => {
        const [entityType, aspect] = index.split('/');
        const first = executions.find(({ body }) => body.entityType === entityType && body.aspect === aspect);
        const plain = { entityType, aspect, dryRun: false };
        return first?.status === 200 ? [plain] : [plain, { ...plain, forceDeleteByQuery: true }];
      });
      assert.deepEqual(
        executions.map(({ body }) =>
          Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'endTimeMillis')),
        ),
        expected,
      );
    });
  });
}

/** Without authentication, the front end requires a browser session, which the client does not have. */
function refusal(release: ClientRelease, name: ProfileName): void {
  suite(`${release.version} and the front end of the profile ${name}`, () => {
    let service: RunningService;
    let answers: DriverAnswers;
    before(async () => {
      service = await startService({ profile: name, rows: 0 });
      answers = await talk(service, 'front', release);
    });
    after(() => service.close());

    test('is refused, and says so', () => assert.match(answers.error('connect') ?? '', /got an authentication error/));

    test('does nothing more', () => {
      assert.deepEqual(answers.steps, ['connect']);
      assert.deepEqual([...new Set(service.requests.map(({ status }) => status))], [401]);
    });
  });
}

interface CollectorReport {
  readonly failures: readonly string[];
  readonly expiredTokensRevoked: number;
}

interface TruncationBody {
  readonly entityType: string;
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
}

function talk(service: RunningService, route: Route, release: ClientRelease): Promise<DriverAnswers> {
  return drive(release.version, {
    command: 'talk',
    server: route === 'direct' ? service.url : `${service.frontUrl}/api/gms`,
    token: service.adminToken,
    indices: bothSpellings(timeSeriesAspects(profiles[service.profile])),
    endTimeMillis: Date.now(),
    collectorConfig: {
      cleanup_expired_tokens: true,
      truncate_indices: true,
      truncate_index_older_than_days: COLLECTED_DAYS,
      truncation_sleep_between_seconds: 1,
      ...Object.fromEntries(knownCollector(release).otherCleanups.map((cleanup) => [cleanup, { enabled: false }])),
    },
  });
}

/** Each name as in the registry, then in lower case as in search clusters. Once if both are the same. */
function bothSpellings(indices: readonly IndexNames[]): IndexNames[] {
  return indices.flatMap((names) => {
    const lowerCase: IndexNames = [names[0].toLowerCase(), names[1].toLowerCase()];
    return names.join('/') === lowerCase.join('/') ? [names] : [names, lowerCase];
  });
}

/** Indices whose rows its `datahub-gc` truncates there. A database finds none for names in another spelling. */
function collected(release: ClientRelease, profile: Profile): IndexNames[] {
  const indices = knownCollector(release).truncated.map((name) => name.split('/') as unknown as IndexNames);
  return profile.timeseriesStore === 'searchCluster'
    ? indices
    : indices.filter((names) => isRegistrySpelling(profile, ...names));
}

function nameOf(names: IndexNames): string {
  return names.join('/').toLowerCase();
}

function rowsOf(service: RunningService, indices: readonly IndexNames[]): Map<string, RowSummary> {
  return new Map(
    indices.map(nameOf).map((name) => {
      const [entity = '', aspect = ''] = name.split('/');
      return [name, service.rows(entity, aspect)];
    }),
  );
}

function expiredTokens(service: RunningService): string[] {
  return service.tokens().flatMap(({ id, expiresAt }) => (expiresAt !== null && expiresAt < Date.now() ? [id] : []));
}

function assertListed(answer: unknown, ids: readonly string[]): void {
  const { total, tokens } = answer as TokenList;
  assert.deepEqual(tokens.map(({ id }) => id).toSorted(), ids.toSorted());
  assert.equal(total, ids.length);
}
