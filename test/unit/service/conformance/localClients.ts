/** Clients of the local service. */
import type { TestContext } from 'node:test';
import type { MetadataService } from '../../../../src/service/service.ts';
import type { RunningService } from '../../../service/main.ts';
import type { UserName } from '../../../service/users.ts';
import { serviceAt, type ServiceOptions as ClientOptions } from '../clients.ts';

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
