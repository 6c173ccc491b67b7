import { groupByEntityType } from '../../src/indices/indexList.ts';
import { MetadataService } from '../../src/service/service.ts';
import { startService, type RunningService } from '../../test/service/main.ts';
import { curveFigures } from './curve.ts';
import { paired } from './paired.ts';
import type { BenchFigure } from './table.ts';

const MANY_INDICES = 5_000;

/** Measures the client against bare requests, as ratios within one run, so that the machine hardly matters. */
export async function clientFigures(): Promise<BenchFigure[]> {
  const service = await startService({ profile: 'next', rows: 10_000, tokens: 500, smallIndices: MANY_INDICES });
  try {
    return [...(await requests(service)), ...(await ratios(service)), ...(await curveFigures(clientFor))];
  } finally {
    await service.close();
  }
}

function clientFor({ url, users, adminToken }: RunningService): MetadataService {
  return new MetadataService({
    baseUrl: url,
    actorUrn: users.admin.urn,
    product: undefined,
    readSecrets: () => Promise.resolve({ token: adminToken }),
    timeoutMillis: () => 60_000,
  });
}

/** Counts the requests of the first and the second use of a server. */
async function requests(running: RunningService): Promise<BenchFigure[]> {
  const client = clientFor(running);
  const look = async (): Promise<number> => {
    running.clearRequests();
    const ownerUrn = await client.callerActorUrn();
    await Promise.all([
      client.tokens.list({ scope: { kind: 'owned', ownerUrn }, filters: [], start: 0, count: 50 }),
      client.indices.listIndexSizes(),
    ]);
    return running.requests.length;
  };
  const first = await look();
  const second = await look();
  client.close();
  return [
    {
      what: 'requests for the first look at tokens and indices, what the server can do included',
      figure: String(first),
    },
    { what: 'requests for every further look', figure: String(second) },
  ];
}

async function ratios(running: RunningService): Promise<BenchFigure[]> {
  const client = clientFor(running);
  const ownerUrn = await client.callerActorUrn();
  const bare = (path: string, body: string) => async (): Promise<unknown> => {
    const answer = await fetch(running.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${running.adminToken}` },
      body,
    });
    return answer.json();
  };
  const listing = JSON.stringify({
    query:
      '{ listAccessTokens(input: {start: 0, count: 50, filters: []}) { start count total tokens { urn id name description actorUrn ownerUrn createdAt expiresAt } } }',
    variables: {},
  });
  const list = await paired(
    () => client.tokens.list({ scope: { kind: 'all' }, filters: [], start: 0, count: 50 }),
    bare('/api/graphql', listing),
    60,
  );
  const sizes = await paired(() => client.indices.listIndexSizes(), bare('/operations?action=getIndexSizes', '{}'), 20);
  const indices = (await client.indices.listIndexSizes()).indices.map((index) =>
    Object.assign(index, { isAdded: false }),
  );
  const grouping = await paired(
    async () => groupByEntityType(indices, 'size'),
    bare('/operations?action=getIndexSizes', '{}'),
    20,
  );
  await client.tokens.list({ scope: { kind: 'owned', ownerUrn }, filters: [], start: 0, count: 1 });
  client.close();
  return [
    { what: '50 tokens: client ÷ bare request', figure: list.toFixed(2) },
    { what: `sizes of ${MANY_INDICES} indices: client ÷ bare request`, figure: sizes.toFixed(2) },
    {
      what: `grouping and sorting ${MANY_INDICES} indices ÷ bare request for their sizes`,
      figure: grouping.toFixed(2),
    },
  ];
}
