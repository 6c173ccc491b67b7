/** Requests that change something on a server, for suites that apply to all of them. */
import type { ServerOperation } from '../../../src/service/failure/failure.ts';
import type { MayStillSend } from '../../../src/service/http/transport.ts';
import type { TruncationPlan } from '../../../src/service/indices/truncation.ts';
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
    make: ({ tokens }, mayStillSend = ALWAYS) =>
      tokens.create({ type: 'PERSONAL', actorUrn: ME, duration: 'ONE_DAY', name: 'ci', description: undefined }, true, {
        mayStillSend,
      }),
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
