/** Requests that change something on a server, for suites that apply to all of them. */
import type { ServerOperation } from '../../../src/service/failure/failure.ts';
import type { MayStillSend } from '../../../src/service/http/transport.ts';
import type { TruncationPlan } from '../../../src/service/indices/truncationRequest.ts';
import type { TokenCreationRequest } from '../../../src/service/tokens/tokenCreation.ts';
import type { TokenListingRequest } from '../../../src/service/tokens/tokenListing.ts';
import type { MetadataService } from '../../../src/service/service.ts';
import { ALWAYS, ME } from './clients.ts';

export const PLAN: TruncationPlan = {
  entityType: 'dataset',
  aspect: 'operation',
  endTimeMillis: 1_687_970_192_000,
  batchSize: 100,
  timeoutSeconds: undefined,
  strategy: 'server',
};

export const NEW: TokenCreationRequest = {
  type: 'PERSONAL',
  actorUrn: ME,
  duration: 'ONE_HOUR',
  name: 'my personal token',
  description: 'ci',
};
/** A listing of the caller's own tokens. */
export const OWN: TokenListingRequest = { scope: { kind: 'owned', ownerUrn: ME }, filters: [], start: 0, count: 10 };

export interface Change {
  readonly what: string;
  readonly operation: ServerOperation['name'];
  /** Text that only this request has. */
  readonly sign: RegExp;
  readonly make: (service: MetadataService, mayStillSend?: MayStillSend) => Promise<unknown>;
}

export const CHANGES: readonly Change[] = [
  {
    what: 'A creation',
    operation: 'createAccessToken',
    sign: /mutation createAccessToken/,
    make: ({ tokens }, mayStillSend = ALWAYS) => tokens.create(NEW, true, { mayStillSend }),
  },
  {
    what: 'A revocation',
    operation: 'revokeAccessToken',
    sign: /mutation revokeAccessToken/,
    make: ({ tokens }, mayStillSend = ALWAYS) => tokens.revoke('some-id', { mayStillSend }),
  },
  {
    what: 'An execution',
    operation: 'truncateTimeseriesAspect',
    sign: /"dryRun":false/,
    make: ({ indices }, mayStillSend = ALWAYS) => indices.execute(PLAN, mayStillSend),
  },
];
