import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ServiceOptions } from '../service/options.ts';
import { profiles, type ProfileName } from '../service/profiles.ts';
import { userNames, type UserName } from '../service/users.ts';
import { serviceFor } from '../service/testClient.ts';
import { CLAIMS } from '../../tools/conformance/claims.ts';
import { ownTokens, runConformance, SMALL } from './running.ts';

/** Claims that are not checked, by profile, because such a server lacks the feature. */
const WITHOUT: Partial<Record<ProfileName, readonly string[]>> = {
  spec: [
    ...CLAIMS.filter(({ onlyDataHub }) => onlyDataHub === true).map(({ id }) => id),
    // This profile lists no times, and sizes in kilobytes.
    'token-expiry',
    'size-units',
  ],
  '0.14': [
    'no-token',
    'wrong-token',
    'listed-service-accounts',
    // Authentication is off by default.
    'token-signs-in',
  ],
};

suite('A missing privilege', () => {
  for (const [profile, users] of Object.entries({
    next: userNames,
    // Without sizes, nothing shows where the rows are stored.
    postgres: ['truncator'],
    spec: ['analyst', 'truncator'],
  } satisfies Partial<Record<ProfileName, readonly UserName[]>>) as [ProfileName, readonly UserName[]][])
    test(`is no difference: ${profile}`, async (context) => {
      const service = await serviceFor(context, { ...SMALL, profile });
      for (const user of users) {
        const run = await runConformance(service, { user });
        assert.deepEqual([run.with('differs'), run.exitCode], [[], 0], `${user}\n${run.printed}`);
        assert.equal(run.with('not permitted').length > 0, user !== 'admin', user);
      }
      assert.deepEqual(ownTokens(service), []);
    });
});

for (const profile of Object.keys(profiles) as ProfileName[]) {
  suite(`The local service conforms: ${profile}`, () => {
    for (const [way, options] of Object.entries({
      directly: {},
      'in front of it': { authentication: true },
    } satisfies Record<string, ServiceOptions>)) {
      test(way, async (context) => {
        const service = await serviceFor(context, { ...SMALL, profile, ...options });
        const isFront = way !== 'directly';
        const run = await runConformance(service, isFront ? { baseUrl: service.frontUrl } : {});
        assert.deepEqual(
          run.with('not asked').toSorted(),
          (isFront && profile === '0.14' ? ['listed-service-accounts'] : (WITHOUT[profile] ?? [])).toSorted(),
        );
        assert.equal(run.with('holds').length, CLAIMS.length - run.with('not asked').length, run.printed);
        assert.equal(run.exitCode, 0);
        assert.equal(run.told.length, CLAIMS.length);
        assert.deepEqual([ownTokens(service), service.tasks()], [[], []]);
      });
    }
  });
}
