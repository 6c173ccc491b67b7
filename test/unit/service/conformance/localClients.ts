/** Clients of the local service, and their shared set-up. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ServiceFailure } from '../../../../src/service/failure/failure.ts';
import type { MetadataService } from '../../../../src/service/service.ts';
import type { TokenCreationRequest } from '../../../../src/service/tokens/tokenCreation.ts';
import type { TokenListingRequest } from '../../../../src/service/tokens/tokenPage.ts';
import type { RunningService } from '../../../service/main.ts';
import { until } from '../../../service/testClient.ts';
import type { UserName } from '../../../service/users.ts';
import { serviceAt, type ServiceOptions as ClientOptions } from '../clients.ts';

export const ALL: TokenListingRequest = { scope: { kind: 'all' }, filters: [], start: 0, count: 20 };
/** Arguments of a truncation, except the cutoff. */
export const PLAN = {
  entityType: 'dataset',
  aspect: 'datasetusagestatistics',
  batchSize: 1_000,
  timeoutSeconds: undefined,
  strategy: 'server',
} as const;

/** Signed in as a user, without knowledge of the server. */
export function clientOf(
  context: TestContext,
  service: RunningService,
  user: UserName,
  options: Partial<ClientOptions> = {},
): MetadataService & { readonly actorUrn: string } {
  const { urn, token } = service.users[user];
  const client = serviceAt(options.baseUrl ?? service.frontUrl, {
    actorUrn: urn,
    readSecrets: () => Promise.resolve({ token }),
    knownFacts: {},
    ...options,
  });
  context.after(() => client.close());
  return Object.assign(client, { actorUrn: urn });
}

export const forActor = (actorUrn: string): TokenCreationRequest => ({
  type: 'PERSONAL',
  actorUrn,
  duration: 'ONE_HOUR',
  name: 'my token',
  description: 'ci',
});
export const ownedBy = (ownerUrn: string): TokenListingRequest => ({ ...ALL, scope: { kind: 'owned', ownerUrn } });

/** The lagging listing, once it has this many tokens. */
export async function listed(
  client: MetadataService,
  request: TokenListingRequest,
  count: number,
): Promise<Awaited<ReturnType<MetadataService['tokens']['list']>>> {
  let page: Awaited<ReturnType<MetadataService['tokens']['list']>> | undefined;
  await until(`${count} tokens`, async () => {
    page = await client.tokens.list(request).catch((thrown: unknown) => {
      // A revoked row is still indexed. Without real pauses, that may happen twice.
      assert.ok(thrown instanceof ServiceFailure && thrown.kind === 'server', String(thrown));
      return undefined;
    });
    return page?.tokens.length === count;
  });
  return page ?? assert.fail();
}
