// Each kind of server is found at its own address and at that of its front end, and says whose token it is.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { askTokenOwner } from '../../../../src/service/server/callerRights.ts';
import { findService } from '../../../../src/service/server/findService.ts';
import { startService } from '../../../service/main.ts';
import { failureOf, transportAt } from '../clients.ts';

/** Servers that check tokens, and say whose they are. */
const KNOW_OWNERS = new Set<string>(['1.7', 'next', 'postgres']);

for (const profile of ['spec', '0.14', '1.7', 'next', 'postgres'] as const) {
  suite(`A server of ${profile}`, () => {
    test('is found without a credential, directly and through the front end', async (context) => {
      const service = await startService({ profile, rows: 100 });
      context.after(() => service.close());
      for (const url of new Set([service.url, service.frontUrl])) {
        const transport = transportAt(url, { readSecrets: () => Promise.resolve({}) });
        await findService([transport]);
      }
      assert.ok(service.requests.length > 0);
      assert.ok(service.requests.every(({ headers }) => headers.authorization === undefined));
    });

    test('says whose token it is only if it checks tokens', async (context) => {
      const service = await startService({ profile, rows: 100 });
      context.after(() => service.close());
      const { urn, token } = service.users.analyst;
      const owner = await askTokenOwner(transportAt(service.url, { readSecrets: () => Promise.resolve({ token }) }));
      assert.equal(owner, KNOW_OWNERS.has(profile) ? urn : undefined);
    });

    if (profile !== '0.14') {
      test('refuses a wrong token without a name in the header', async (context) => {
        const service = await startService({ profile, rows: 100 });
        context.after(() => service.close());
        const transport = transportAt(service.url, { readSecrets: () => Promise.resolve({ token: 'wrong' }) });
        assert.equal((await failureOf(askTokenOwner(transport))).kind, 'signedOut');
      });
    }
  });
}
