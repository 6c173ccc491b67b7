import { groupByEntityType } from '../../src/indices/indexList.ts';
import { MetadataService } from '../../src/service/service.ts';
import { startService, type RunningService } from '../../test/service/main.ts';
import { figureTable, median } from './report.ts';

const MANY_INDICES = 5_000;

/** Measures the client against bare requests, as ratios within one run, so that the machine hardly matters. */
export async function clientFigures(): Promise<string> {
  const service = await startService({ profile: 'next', rows: 10_000, tokens: 500, smallIndices: MANY_INDICES });
  const client = new MetadataService({
    baseUrl: service.url,
    actorUrn: service.users.admin.urn,
    product: undefined,
    readSecrets: () => Promise.resolve({ token: service.adminToken }),
    timeoutMillis: () => 60_000,
  });
  try {
    const [first, second] = [await requestsOfALook(service, client), await requestsOfALook(service, client)];
    return figureTable([
      ['requests for the first look at tokens and indices, what the server can do included', String(first)],
      ['requests for every further look', String(second)],
      ...(await ratios(service, client)),
    ]);
  } finally {
    client.close();
    await service.close();
  }
}

async function requestsOfALook(service: RunningService, client: MetadataService): Promise<number> {
  service.clearRequests();
  const ownerUrn = await client.server.callerActorUrn();
  await Promise.all([
    client.tokens.list({ scope: { kind: 'owned', ownerUrn }, filters: [], start: 0, count: 50 }),
    client.indices.listIndexSizes(),
  ]);
  return service.requests.length;
}

async function ratios({ url, adminToken }: RunningService, client: MetadataService): Promise<[string, string][]> {
  const bare = (path: string, body: string) => async (): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${adminToken}` },
      body,
    });
    return answer.json();
  };
  const listing = JSON.stringify({
    query:
      '{ listAccessTokens(input: {start: 0, count: 50, filters: []}) { start count total tokens { urn id name description actorUrn ownerUrn createdAt expiresAt } } }',
    variables: {},
  });
  const [bareTokens, bareSizes] = [bare('/api/graphql', listing), bare('/operations?action=getIndexSizes', '{}')];
  const indices = await client.indices.listIndexSizes();
  const shown = indices.map((index) => Object.assign(index, { isAdded: false }));
  const tokens = await paired(
    () => client.tokens.list({ scope: { kind: 'all' }, filters: [], start: 0, count: 50 }),
    bareTokens,
    60,
  );
  const sizes = await paired(() => client.indices.listIndexSizes(), bareSizes, 20);
  const grouping = await paired(async () => groupByEntityType(shown, 'size'), bareSizes, 20);
  return [
    ['50 tokens: client ÷ bare request', tokens],
    [`sizes of ${MANY_INDICES} indices: client ÷ bare request`, sizes],
    [`grouping and sorting ${MANY_INDICES} indices ÷ bare request for their sizes`, grouping],
  ];
}

/** Median time of the first ÷ median time of the second, measured in turns so that both run on the same machine. */
async function paired(first: () => Promise<unknown>, second: () => Promise<unknown>, rounds: number): Promise<string> {
  const measured = [first, second].map((work) => ({ work, times: [] as number[] }));
  // The first round fills caches.
  for (let round = 0; round <= rounds; round++) {
    for (const { work, times } of measured) {
      const started = performance.now();
      await work();
      if (round > 0) times.push(performance.now() - started);
    }
  }
  const [ours = Number.NaN, beside = Number.NaN] = measured.map(({ times }) => median(times));
  return (ours / beside).toFixed(2);
}
