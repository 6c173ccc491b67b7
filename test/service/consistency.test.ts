import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunningService } from './main.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { createDocument, listDocument, revokeDocument } from './tokenDocuments.ts';

/** Longer than any test runs. Tests move the server's clock instead of waiting. */
const lagMillis = 3_600_000;
const page = { input: { start: 0, count: 10, filters: [] } };

async function create(service: RunningService, admin: TestClient): Promise<string> {
  const input = { type: 'PERSONAL', actorUrn: service.users.admin.urn, duration: 'ONE_DAY', name: 'x' };
  return String(
    dig((await admin.graphql(createDocument, { input })).body, 'data', 'createAccessToken', 'metadata', 'id'),
  );
}

test('a new token is missing from the listing until the search index knows it', async (t) => {
  const service = await serviceFor(t, { lagMillis });
  const admin = new TestClient(service, 'admin');
  await create(service, admin);
  const before = await admin.graphql(listDocument, page);
  assert.equal(dig(before.body, 'data', 'listAccessTokens', 'total'), 0);
  service.clock.offsetMillis = lagMillis + 1;
  const after = await admin.graphql(listDocument, page);
  assert.equal(dig(after.body, 'data', 'listAccessTokens', 'total'), 1);
});

test('a revoked token that is still indexed is counted, and not listed', async (t) => {
  const service = await serviceFor(t, { lagMillis, phantomTokens: 2 });
  const admin = new TestClient(service, 'admin');
  const id = await create(service, admin);
  service.clock.offsetMillis = lagMillis + 1;
  await admin.graphql(revokeDocument, { tokenId: id });
  const list = dig((await admin.graphql(listDocument, page)).body, 'data', 'listAccessTokens');
  assert.deepEqual(list, { start: 0, count: 10, total: 3, tokens: [] });
});

test('a replica accepts a revoked token for a while', async (t) => {
  const service = await serviceFor(t, { lagMillis, revocationCacheMillis: 300_000 });
  const admin = new TestClient(service, 'admin');
  const { token, record } = service.issueToken({});
  const holder = new TestClient(service, { token });
  assert.equal((await holder.graphql('{ __typename }')).status, 200);
  await admin.graphql(revokeDocument, { tokenId: record.id });
  assert.equal((await holder.graphql('{ __typename }')).status, 200);
  service.clock.offsetMillis = 300_001;
  assert.equal((await holder.graphql('{ __typename }')).status, 401);
});

test('the listing can be brought up to date without its lag', async (t) => {
  const service = await serviceFor(t, { lagMillis });
  const admin = new TestClient(service, 'admin');
  const kept = await create(service, admin);
  await admin.graphql(revokeDocument, { tokenId: await create(service, admin) });
  service.refreshTokens();
  const { body } = await admin.graphql(listDocument, page);
  const listed = dig(body, 'data', 'listAccessTokens', 'tokens') as readonly { readonly id: string }[];
  assert.deepEqual(
    listed.map(({ id }) => id),
    [kept],
  );
});
