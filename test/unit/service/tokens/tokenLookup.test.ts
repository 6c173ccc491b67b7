import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isKnownSecret, TokenSecret } from '../../../../src/service/failure/secret.ts';
import { lookUpToken } from '../../../../src/service/tokens/tokenLookup.ts';
import { tokenWith } from '../../connections/tokens.ts';
import { failureOf } from '../clients.ts';
import { answering, invalid, refusal } from '../tokenServer.ts';

const secretOf = (claims: object): TokenSecret =>
  new TokenSecret(tokenWith({ type: 'PERSONAL', actorId: 'jdoe', ...claims }));
const VALID = secretOf({ exp: Math.ceil(Date.now() / 1_000) + 3_600 });

/** The probe has no value for its variable, so no server executes it. */
const HAS_QUERY = invalid("Variable 'token' has coerced Null value for NonNull type 'String!'");
const RECORD = { urn: 'urn:li:dataHubAccessToken:a+b=', id: 'a+b=', actorUrn: 'urn:li:corpuser:jdoe', name: 'ci' };

suite('Looking up a token by its text', () => {
  test('sends it as an argument, never as a credential', async (context) => {
    const { service, server, sent } = await answering(context, [
      HAS_QUERY,
      { data: { getAccessTokenMetadata: { ...RECORD, createdAt: 1_790_000_000_000, expiresAt: null } } },
    ]);
    const found = await lookUpToken(service.server, VALID);
    assert.equal(found.kind === 'known' && found.token.id, 'a+b=');
    assert.equal(found.kind === 'known' && found.token.expiresAt, null);
    assert.deepEqual(
      sent().map(({ variables }) => variables),
      [{}, { token: VALID.reveal() }],
    );
    for (const { headers, path } of server.requests) {
      assert.ok(!JSON.stringify([headers, path]).includes(VALID.reveal()));
    }
    assert.ok(isKnownSecret(VALID.reveal()), 'a server could show it');
  });

  test('sends no token to a server without the query', async (context) => {
    const complaint = 'Cannot query field "getAccessTokenMetadata" on type "Query".';
    const { service, server, sent } = await answering(context, [invalid(complaint)]);
    assert.deepEqual(await lookUpToken(service.server, VALID), { kind: 'unsupported' });
    assert.deepEqual([server.requests.length, sent()[0]?.variables], [1, {}]);
  });

  for (const [what, answer] of [
    ['not found', refusal(404)],
    ['nothing', { data: { getAccessTokenMetadata: null } }],
  ] as const) {
    test(`takes ${what} for an unknown token`, async (context) => {
      const { service } = await answering(context, [HAS_QUERY, answer]);
      assert.deepEqual(await lookUpToken(service.server, VALID), { kind: 'unknown' });
    });
  }

  test('takes no other error of the server for an unknown token: a revocation would look done', async (context) => {
    const { service } = await answering(context, [HAS_QUERY, refusal(500)]);
    assert.equal((await failureOf(lookUpToken(service.server, VALID))).kind, 'server');
  });

  test('sends neither an expired token nor a text that is none', async (context) => {
    const { service, sent } = await answering(context, [HAS_QUERY]);
    for (const secret of [secretOf({ exp: Math.floor(Date.now() / 1_000) - 1 }), new TokenSecret('no token at all')]) {
      const failure = await failureOf(lookUpToken(service.server, secret));
      assert.equal(failure.kind, 'badRequest');
    }
    assert.ok(sent().every(({ variables }) => Object.keys(variables).length === 0));
  });

  test('quotes no server that echoes it, in any failure', async (context) => {
    const echo = `no such token: ${VALID.reveal()} or ${VALID.reveal().slice(9, 40)}`;
    for (const answer of [refusal(403, echo), refusal(400, echo), refusal(503, echo), { data: echo }]) {
      const { service } = await answering(context, [HAS_QUERY, answer]);
      const failure = await failureOf(lookUpToken(service.server, VALID));
      const shown = JSON.stringify([failure.message, failure.serverText, failure.next, failure.stack]);
      assert.doesNotMatch(shown, /eyJ|c2lnbmF0dXJl/);
    }
  });

  test('ends with the signal', async (context) => {
    const { service } = await answering(context, [HAS_QUERY]);
    assert.equal((await failureOf(lookUpToken(service.server, VALID, AbortSignal.abort()))).kind, 'cancelled');
  });
});
