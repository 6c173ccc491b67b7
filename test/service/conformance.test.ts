import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, TestClient, until } from './testClient.ts';
import { createDocument, listDocument, revokeDocument } from './tokenDocuments.ts';
import type { UserName } from './users.ts';

const unauthorized = 'Unauthorized to perform this action. Please contact your DataHub administrator.';
const everything = { start: 0, count: 20, filters: [] };

/** The cases of the servers' own smoke test of revocable tokens, through the front as there. */
for (const profile of ['0.14', '1.7', 'next'] as const) {
  describe(`revocable tokens, ${profile}`, () => {
    let service: RunningService;
    before(async () => {
      service = await startService({ profile, authentication: true, tokens: 0, rows: 16, lagMillis: 40 });
    });
    after(() => service.close());

    const as = (user: UserName): TestClient => new TestClient(service, user, 'front');
    const createAs = (user: UserName, actor: UserName): Promise<unknown> =>
      as(user)
        .graphql(createDocument, {
          input: {
            type: 'PERSONAL',
            actorUrn: service.users[actor].urn,
            duration: 'ONE_HOUR',
            name: 'my token',
            description: 'ci',
          },
        })
        .then(({ body }) => body);
    const listAs = async (user: UserName, input: object = everything): Promise<unknown> =>
      dig((await as(user).graphql(listDocument, { input })).body, 'data', 'listAccessTokens');
    const listed = async (user: UserName, count: number, input?: object): Promise<unknown> => {
      let list: unknown;
      await until(`${user} sees ${count} tokens`, async () => {
        const { body } = await as(user).graphql(listDocument, { input: input ?? everything });
        list = dig(body, 'data') === null ? null : dig(body, 'data', 'listAccessTokens');
        return list !== null && (dig(list, 'tokens') as unknown[]).length === count;
      });
      return list;
    };
    const ownedBy = (user: UserName): object => ({
      ...everything,
      filters: [{ field: 'ownerUrn', values: [service.users[user].urn] }],
    });

    beforeEach(() => listed('admin', 0));

    test('an admin creates a token for herself, sees it and revokes it', async () => {
      const admin = service.users.admin.urn;
      assert.equal(dig(await listAs('admin'), 'total'), 0);
      const created = dig(await createAs('admin', 'admin'), 'data', 'createAccessToken');
      assert.match(String(dig(created, 'accessToken')), /^[\w-]+\.[\w-]+\.[\w-]+$/);
      assert.equal(dig(created, 'metadata', 'actorUrn'), admin);
      const list = await listed('admin', 1);
      assert.equal(dig(list, 'tokens', 0, 'actorUrn'), admin);
      assert.equal(dig(list, 'tokens', 0, 'ownerUrn'), admin);
      const revoked = await as('admin').graphql(revokeDocument, { tokenId: dig(created, 'metadata', 'id') });
      assert.equal(revoked.text, '{"data":{"revokeAccessToken":true},"extensions":{}}');
      await listed('admin', 0);
    });

    test('an admin creates a token for another user and stays its owner', async () => {
      const created = dig(await createAs('admin', 'analyst'), 'data', 'createAccessToken', 'metadata');
      assert.equal(dig(created, 'actorUrn'), service.users.analyst.urn);
      const list = await listed('admin', 1);
      assert.equal(dig(list, 'tokens', 0, 'actorUrn'), service.users.analyst.urn);
      assert.equal(dig(list, 'tokens', 0, 'ownerUrn'), service.users.admin.urn);

      const refused = await as('analyst').graphql(revokeDocument, { tokenId: dig(created, 'id') });
      assert.equal(dig(refused.body, 'errors', 0, 'message'), unauthorized, 'the subject of a token does not own it');
      await as('admin').graphql(revokeDocument, { tokenId: dig(created, 'id') });
      await listed('admin', 0);
    });

    test('a user creates, sees and revokes a token of her own', async () => {
      const created = dig(await createAs('analyst', 'analyst'), 'data', 'createAccessToken', 'metadata');
      const list = await listed('analyst', 1, ownedBy('analyst'));
      assert.equal(dig(list, 'tokens', 0, 'id'), dig(created, 'id'));
      const revoked = await as('analyst').graphql(revokeDocument, { tokenId: dig(created, 'id') });
      assert.equal(dig(revoked.body, 'data', 'revokeAccessToken'), true);
      await listed('analyst', 0, ownedBy('analyst'));
    });

    test("an admin sees and revokes another user's token", async () => {
      const created = dig(await createAs('analyst', 'analyst'), 'data', 'createAccessToken', 'metadata');
      const list = await listed('admin', 1, ownedBy('analyst'));
      assert.equal(dig(list, 'tokens', 0, 'id'), dig(created, 'id'));
      await as('admin').graphql(revokeDocument, { tokenId: dig(created, 'id') });
      await listed('analyst', 0, ownedBy('analyst'));
      await listed('admin', 0);
    });

    test('a user cannot create a token for the admin', async () => {
      const answer = await createAs('analyst', 'admin');
      assert.deepEqual(answer, {
        errors: [
          {
            message: unauthorized,
            locations: [{ line: 2, column: 3 }],
            path: ['createAccessToken'],
            extensions: { code: 403, type: 'UNAUTHORIZED', classification: 'DataFetchingException' },
          },
        ],
        data: { createAccessToken: null },
        extensions: {},
      });
      assert.deepEqual(service.tokens(), []);
    });
  });
}
