import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { CREDENTIAL, failureOf } from '../clients.ts';
import { answering } from '../tokenServer.ts';

const { signal } = new AbortController();
const listed = (serviceAccounts: unknown): object => ({ data: { listServiceAccounts: { serviceAccounts } } });
const URN = 'urn:li:corpuser:service_1';

suite('Service accounts', () => {
  test('have names of one line without an access token, and URNs of users only', async (context) => {
    const { service } = await answering(context, [
      listed([
        { urn: URN, displayName: ` a\u202E\nb ${CREDENTIAL}` },
        { urn: `urn:li:corpuser:${CREDENTIAL}`, name: 'x' },
        { urn: 'urn:li:corpGroup:ops', name: 'x' },
        { urn: 'urn:li:corpuser:a\nb', name: 'x' },
        7,
        { urn: `${URN}0`, name: 7, displayName: '' },
      ]),
    ]);
    const accounts = await service.tokens.serviceAccounts(signal);
    assert.deepEqual(
      accounts.map(({ urn }) => urn),
      [URN, `${URN}0`],
    );
    assert.doesNotMatch(accounts[0]?.name ?? '', /eyJ|\n|\u202E/);
    assert.equal(accounts[1]?.name, undefined);
  });

  test('are no list if the response is another, and never more than were asked for', async (context) => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({ urn: `${URN}${index}` }));
    for (const body of [{ data: { listServiceAccounts: null } }, listed(7)]) {
      const { service } = await answering(context, [body]);
      assert.equal((await failureOf(service.tokens.serviceAccounts(signal))).kind, 'unexpectedAnswer');
    }
    const { service } = await answering(context, [listed(many)]);
    assert.equal((await service.tokens.serviceAccounts(signal)).length, 1_000);
  });
});
