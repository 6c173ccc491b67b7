import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import * as v from 'valibot';
import {
  checkFilteredActor,
  checkTypedActor,
  IDENTIFIER,
  shortActorName,
  STORED_IDENTIFIER,
  toHeaderValue,
} from '../../../../src/service/server/identifiers.ts';
import { ME, serviceAt } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';

const USER = 'urn:li:corpuser:';
const ZOE = "urn:li:corpuser:zoë.o'neil";

suite('An ID as a header', () => {
  for (const [id, header] of [
    [ME, ME],
    [ZOE, "urn:li:corpuser:zo%C3%AB.o'neil"],
    ['urn:li:corpuser:Doe, Jane', 'urn:li:corpuser:Doe,%20Jane'],
    ['urn:li:corpuser:😀', 'urn:li:corpuser:%F0%9F%98%80'],
    ['urn:li:corpuser:zo%C3%AB', 'urn:li:corpuser:zo%C3%AB'],
  ] as const) {
    test(`is ${header} for ${id}`, () => assert.equal(toHeaderValue(id), header));
  }

  test('can always be sent, is read back unchanged, and is encoded only if needed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const header = toHeaderValue(USER + text);
        assert.equal(new Headers({ 'X-Service-Actor': header }).get('x-service-actor'), header);
        assert.match(header, /^[\x21-\x7E]+$/);
        if (/^[\x21-\x7E]*$/.test(text)) {
          assert.equal(header, USER + text);
        }
      }),
    );
  });

  test('is the only encoded form: everywhere else the ID is sent unchanged', async (context) => {
    const rows = [{ urn: 'u', id: 'an id', actorUrn: ZOE, ownerUrn: ZOE, name: 'x' }];
    const page = { data: { me: null, listAccessTokens: { total: 1, tokens: rows } } };
    const server = await wireServer(context, (_, response) => reply(response, 200, page));
    const { tokens } = await serviceAt(server.url, { actorUrn: ZOE }).tokens.listOwn(
      { filters: [], start: 0, count: 10 },
      new AbortController().signal,
    );
    assert.deepEqual(
      tokens.map(({ id, actorUrn, ownerUrn }) => [id, actorUrn, ownerUrn]),
      [['an id', ZOE, ZOE]],
    );
    const seen = server.requests.find(({ body }) => body.includes('listAccessTokens(input'));
    assert.equal(seen?.headers['x-datahub-actor'], "urn:li:corpuser:zo%C3%AB.o'neil");
    assert.deepEqual((JSON.parse(seen?.body ?? '') as { variables: { value0: unknown } }).variables.value0, [ZOE]);
  });
});

suite('An ID', () => {
  test('is any text that is not empty and has no line breaks or control characters', () => {
    for (const id of ['a', 'zoë', 'a b', ' a', 'a,b', '*', '"', '<x>', '\u200Fא', 'x'.repeat(1_000)]) {
      assert.ok(v.is(IDENTIFIER, id), id);
    }
    for (const text of ['', ' ', '\n', 'a\nb', 'a\u0007b', 'a\u0085b', 'a\u2029b', '\uD83D', 'x'.repeat(1_001)]) {
      assert.ok(!v.is(IDENTIFIER, text), JSON.stringify(text));
    }
  });

  test('to store may be any hash, but no token, whole or without its end', () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJhIn0.${'Zm9v'.repeat(10)}`;
    // The second looks like the beginning of a token.
    for (const id of ['HneyJyluxowJ1FKN74BbGogLvXCS4w9fsd3MZdI35A8=', 'eyJylxuowJ1FKN74BbGogLvXCS4w9fsd3MZdI35A8xx=']) {
      assert.ok(v.is(STORED_IDENTIFIER, id), id);
    }
    for (const id of [token, `urn:li:dataHubAccessToken:${token}`, token.slice(0, 30)]) {
      assert.ok(!v.is(STORED_IDENTIFIER, id), id);
    }
  });
});

suite('The user of a connection', () => {
  const ids = [
    "zoë.o'neil",
    'Doe, Jane (admin)',
    '山田',
    'corp\\jdoe',
    '100%',
    'j%C3%B6rg',
    'a*b',
    '<b>',
    'not-a-urn:x',
  ];
  for (const id of [...ids, 'x'.repeat(484)]) {
    test(`may be any ID of a server: ${id.slice(0, 30)}`, () => {
      for (const typed of [id, USER + id, ` ${USER}${id} `]) {
        assert.deepEqual(checkTypedActor(typed), { actorUrn: USER + id });
      }
      assert.equal(shortActorName(USER + id), id);
    });
  }

  const nobody = ['', '  ', USER, 'urn:li:corpGroup:admins', 'URN:LI:corpuser:x', 'x'.repeat(485)];
  for (const text of [...nobody, 'a\r\nX-Evil: 1', 'a\tb', 'a\u0000b', 'a\u2028b', 'half a character \uD83D.']) {
    test(`is not ${JSON.stringify(text.slice(0, 30))}`, () => {
      const check = checkTypedActor(text);
      assert.ok('problem' in check && check.problem.endsWith('.'));
    });
  }

  test('stays the same user, however it is written and read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const check = checkTypedActor(text);
        if ('actorUrn' in check) {
          assert.deepEqual(checkTypedActor(check.actorUrn), check);
          assert.deepEqual(checkTypedActor(shortActorName(check.actorUrn)), check);
        }
      }),
    );
  });

  test('is shown by the whole URN if it is none, or the ID alone would be read as another user', () => {
    for (const urn of ['urn:li:corpGroup:admins', `${USER}${USER}x`, `${USER} x`, `${USER}x `, USER]) {
      assert.equal(shortActorName(urn), urn);
    }
  });
});

test('The user of a filter is a user by its ID alone, and anything that a server names by its whole URN', () => {
  for (const [text, actorUrn] of [
    [" zoë.o'neil ", ZOE],
    ['not-urn:li:corpGroup:a', `${USER}not-urn:li:corpGroup:a`],
    [' urn:li:corpGroup:admins ', 'urn:li:corpGroup:admins'],
    ['urn:li:dataHubRole:(a,b)', 'urn:li:dataHubRole:(a,b)'],
  ] as const) {
    assert.deepEqual(checkFilteredActor(text), { actorUrn });
  }
  for (const text of ['', USER, 'urn:li:', 'urn:x', 'a\nb', 'urn:li:corpGroup:a\nb']) {
    assert.ok('problem' in checkFilteredActor(text), JSON.stringify(text));
  }
});
