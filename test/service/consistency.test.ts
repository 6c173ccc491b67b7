import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { createDocument, listDocument, revokeDocument } from './tokenDocuments.ts';

/** Longer than any test runs. Tests move the server's clock instead of waiting. */
const lagMillis = 3_600_000;

test('the listing learns of created and revoked tokens after its lag', async (t) => {
  const service = await serviceFor(t, { lagMillis });
  const admin = new TestClient(service, 'admin');
  const listing = async (): Promise<unknown> => {
    const { body } = await admin.graphql(listDocument, { input: { start: 0, count: 10, filters: [] } });
    return dig(body, 'data', 'listAccessTokens');
  };
  const listed = (total: number, tokens: object[]): object => ({ start: 0, count: 10, total, tokens });

  const input = { type: 'PERSONAL', actorUrn: service.users.admin.urn, duration: 'ONE_DAY', name: 'x' };
  const created = (await admin.graphql(createDocument, { input })).body;
  const tokenId = String(dig(created, 'data', 'createAccessToken', 'metadata', 'id'));
  assert.deepEqual(await listing(), listed(0, []));
  service.clock.offsetMillis += lagMillis + 1;
  assert.equal(dig(await listing(), 'tokens', 0, 'id'), tokenId);
  await admin.graphql(revokeDocument, { tokenId });
  assert.deepEqual(await listing(), listed(1, []), 'still indexed: counted, and not listed');
  service.clock.offsetMillis += lagMillis + 1;
  assert.deepEqual(await listing(), listed(0, []));
});
