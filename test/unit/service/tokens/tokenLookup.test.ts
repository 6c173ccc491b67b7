import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isKnownSecret, TokenSecret } from '../../../../src/service/failure/secret.ts';
import { lookUpToken } from '../../../../src/service/tokens/tokenLookup.ts';
import { tokenWith } from '../../connections/tokens.ts';
import { failureOf } from '../clients.ts';
import { answering, invalid, refusal } from '../tokenServer.ts';

const VALID = new TokenSecret(tokenWith({ type: 'PERSONAL', actorId: 'jdoe' }));

const RECORD = { urn: 'urn:li:dataHubAccessToken:a+b=', id: 'a+b=', actorUrn: 'urn:li:corpuser:jdoe', name: 'ci' };

suite('Looking up a token by its text', () => {
  test('sends it as an argument, never as a credential', async (context) => {
    const { service, server, sent } = await answering(context, [
      { data: { getAccessTokenMetadata: { ...RECORD, createdAt: 1_790_000_000_000, expiresAt: null } } },
    ]);
    const found = await lookUpToken(service.server, VALID);
    assert.deepEqual([found?.id, found?.expiresAt], ['a+b=', null]);
    assert.deepEqual(
      sent().map(({ variables }) => variables),
      [{ token: VALID.reveal() }],
    );
    for (const { headers, path } of server.requests) {
      assert.ok(!JSON.stringify([headers, path]).includes(VALID.reveal()));
    }
    assert.ok(isKnownSecret(VALID.reveal()), 'a server could show it');
  });

  test('says that a server doesn’t have the query', async (context) => {
    const complaint = 'Cannot query field "getAccessTokenMetadata" on type "Query".';
    const { service } = await answering(context, [invalid(complaint)]);
    const failure = await failureOf(lookUpToken(service.server, VALID));
    assert.equal(failure.message, 'The server doesn\'t support "getAccessTokenMetadata".');
  });

  for (const [what, answer] of [
    ['not found', refusal(404)],
    ['nothing', { data: { getAccessTokenMetadata: null } }],
  ] as const) {
    test(`takes ${what} for an unknown token`, async (context) => {
      const { service } = await answering(context, [answer]);
      assert.equal(await lookUpToken(service.server, VALID), undefined);
    });
  }

  test('takes no other error of the server for an unknown token: a revocation would look done', async (context) => {
    const { service } = await answering(context, [refusal(500)]);
    assert.equal((await failureOf(lookUpToken(service.server, VALID))).kind, 'server');
  });

  test('quotes no server that echoes it, in any failure', async (context) => {
    const echo = `no such token: ${VALID.reveal()} or ${VALID.reveal().slice(9, 40)}`;
    for (const answer of [refusal(403, echo), refusal(400, echo), refusal(503, echo), { data: echo }]) {
      const { service } = await answering(context, [answer]);
      const failure = await failureOf(lookUpToken(service.server, VALID));
      const shown = JSON.stringify([failure.message, failure.serverText, failure.next, failure.stack]);
      assert.doesNotMatch(shown, /eyJ|c2lnbmF0dXJl/);
    }
  });

  test('ends with the signal', async (context) => {
    const { service } = await answering(context, [{}]);
    assert.equal((await failureOf(lookUpToken(service.server, VALID, AbortSignal.abort()))).kind, 'cancelled');
  });
});
