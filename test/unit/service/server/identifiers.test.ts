import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import * as v from 'valibot';
import {
  toHeaderValue,
  checkTypedActor,
  checkFilteredActor,
  isIdentifier,
  shortActorName,
  STORED_IDENTIFIER,
} from '../../../../src/service/server/identifiers.ts';
import { ME, serviceAt } from '../clients.ts';
import { reply, wireServer } from '../wireServer.ts';

const ZOE = "urn:li:corpuser:zoë.o'neil";

suite('An ID as a header', () => {
  for (const [id, header] of [
    [ME, ME],
    [ZOE, "urn:li:corpuser:zo%C3%AB.o'neil"],
    ['urn:li:corpuser:Doe, Jane', 'urn:li:corpuser:Doe,%20Jane'],
    ['urn:li:corpuser:山', 'urn:li:corpuser:%E5%B1%B1'],
    ['urn:li:corpuser:😀', 'urn:li:corpuser:%F0%9F%98%80'],
    ['urn:li:corpuser:zo%C3%AB', 'urn:li:corpuser:zo%C3%AB'],
  ] as const) {
    test(`is ${header} for ${id}`, () => assert.equal(toHeaderValue(id), header));
  }

  test('can always be sent, is read back unchanged, and is encoded only if needed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const header = toHeaderValue(`urn:li:corpuser:${text}`);
        assert.equal(new Headers({ 'X-Service-Actor': header }).get('x-service-actor'), header);
        assert.match(header, /^[\x21-\x7E]+$/);
        if (/^[\x21-\x7E]*$/.test(text)) {
          assert.equal(header, `urn:li:corpuser:${text}`);
        }
      }),
    );
  });

  test('is the only encoded form: everywhere else the ID is sent unchanged', async (context) => {
    const page = {
      data: {
        me: null,
        listAccessTokens: { total: 1, tokens: [{ urn: 'u', id: 'an id', actorUrn: ZOE, ownerUrn: ZOE, name: 'x' }] },
      },
    };
    const server = await wireServer(context, (_, response) => reply(response, 200, page));
    const service = serviceAt(server.url, { actorUrn: ZOE });
    const caller = await service.callerActorUrn();
    const { tokens } = await service.tokens.list({
      scope: { kind: 'owned', ownerUrn: caller },
      filters: [],
      start: 0,
      count: 10,
    });
    assert.deepEqual(
      tokens.map(({ id, actorUrn, ownerUrn }) => [id, actorUrn, ownerUrn]),
      [['an id', ZOE, ZOE]],
    );
    const seen = server.requests.at(-1);
    assert.equal(seen?.headers['x-datahub-actor'], "urn:li:corpuser:zo%C3%AB.o'neil");
    assert.deepEqual((JSON.parse(seen?.body ?? '') as { variables: { value0: unknown } }).variables.value0, [ZOE]);
  });

  test('of an actor that the server names is sent unchanged', async (context) => {
    const me = {
      corpUser: { urn: 'urn:li:corpuser:Zoë O’Neil' },
      platformPrivileges: { generatePersonalAccessTokens: true, manageTokens: false },
    };
    const server = await wireServer(context, (_, response) => reply(response, 200, { data: { me, appConfig: null } }));
    assert.equal(await serviceAt(server.url, { actorUrn: ZOE }).callerActorUrn(), 'urn:li:corpuser:Zoë O’Neil');
  });
});

suite('An ID', () => {
  test('is any text that is not empty and has no line breaks or control characters', () => {
    for (const id of ['a', 'zoë', 'a b', ' a', 'a,b', '*', '"', "'", '<x>', '\u200Fא', 'x'.repeat(1_000)]) {
      assert.ok(isIdentifier(id), id);
    }
    for (const text of ['', ' ', '\n', 'a\nb', 'a\u0007b', 'a\u0085b', 'a\u2029b', '\uD83D', 'x'.repeat(1_001)]) {
      assert.ok(!isIdentifier(text), JSON.stringify(text));
    }
  });
});

suite('The user of a connection', () => {
  test('may be typed as an ID or as the whole URN', () => {
    assert.deepEqual(checkTypedActor('jdoe'), { actorUrn: 'urn:li:corpuser:jdoe' });
    assert.deepEqual(checkTypedActor(' urn:li:corpuser:jdoe '), { actorUrn: 'urn:li:corpuser:jdoe' });
    assert.deepEqual(checkTypedActor('jane.doe@example.com'), { actorUrn: 'urn:li:corpuser:jane.doe@example.com' });
    assert.deepEqual(checkTypedActor('urn:li:corpuser:j%C3%B6rg'), { actorUrn: 'urn:li:corpuser:j%C3%B6rg' });
  });

  for (const id of [
    "zoë.o'neil",
    'jörg',
    'Doe, Jane (admin)',
    '山田',
    'corp\\jdoe',
    '100%',
    'a*b',
    '<b>',
    'not-a-urn:x',
    'x'.repeat(484),
  ]) {
    test(`may be any ID of a server: ${id.slice(0, 30)}`, () => {
      assert.deepEqual(checkTypedActor(id), { actorUrn: `urn:li:corpuser:${id}` });
      assert.deepEqual(checkTypedActor(`urn:li:corpuser:${id}`), { actorUrn: `urn:li:corpuser:${id}` });
      assert.equal(shortActorName(`urn:li:corpuser:${id}`), id);
    });
  }

  for (const text of [
    '',
    '  ',
    'urn:li:corpuser:',
    'urn:li:corpGroup:admins',
    'URN:LI:corpuser:x',
    'x'.repeat(485),
    'a\r\nX-Evil: 1',
    'a\tb',
    'a\u0000b',
    'a\u2028b',
    'half a character \uD83D.',
  ]) {
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

  test('is shown by its ID alone, other URNs in full', () => {
    assert.equal(shortActorName('urn:li:corpuser:jdoe'), 'jdoe');
    assert.equal(shortActorName('urn:li:corpGroup:admins'), 'urn:li:corpGroup:admins');
  });

  test('is shown by the whole URN if the ID alone would be read as another user', () => {
    for (const urn of [
      'urn:li:corpuser:urn:li:corpuser:x',
      'urn:li:corpuser: x',
      'urn:li:corpuser:x ',
      'urn:li:corpuser:',
    ]) {
      assert.equal(shortActorName(urn), urn);
    }
  });
});

suite('The user of a filter', () => {
  test('is a user by its ID alone', () => {
    assert.deepEqual(checkFilteredActor(" zoë.o'neil "), { actorUrn: "urn:li:corpuser:zoë.o'neil" });
    assert.deepEqual(checkFilteredActor('not-urn:li:corpGroup:a'), {
      actorUrn: 'urn:li:corpuser:not-urn:li:corpGroup:a',
    });
  });

  test('is anything that a server names, by its whole URN', () => {
    assert.deepEqual(checkFilteredActor('urn:li:corpGroup:admins'), { actorUrn: 'urn:li:corpGroup:admins' });
    assert.deepEqual(checkFilteredActor('urn:li:dataHubRole:(a,b)'), { actorUrn: 'urn:li:dataHubRole:(a,b)' });
    assert.deepEqual(checkFilteredActor(' urn:li:corpGroup:admins '), { actorUrn: 'urn:li:corpGroup:admins' });
  });

  for (const text of ['', 'urn:li:corpuser:', 'urn:li:', 'urn:x', 'a\nb', 'urn:li:corpGroup:a\nb']) {
    test(`is not ${JSON.stringify(text)}`, () => assert.ok('problem' in checkFilteredActor(text)));
  }
});

suite('An ID to store', () => {
  const TOKEN = `eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJhIn0.${'Zm9v'.repeat(10)}`;

  test('may be any hash, also one that looks like the beginning of a token', () => {
    for (const id of ['HneyJyluxowJ1FKN74BbGogLvXCS4w9fsd3MZdI35A8=', 'eyJylxuowJ1FKN74BbGogLvXCS4w9fsd3MZdI35A8xx=']) {
      assert.ok(v.is(STORED_IDENTIFIER, id), id);
    }
  });

  test('is no token, whole or without its end', () => {
    for (const id of [TOKEN, `urn:li:dataHubAccessToken:${TOKEN}`, TOKEN.slice(0, 30)]) {
      assert.ok(!v.is(STORED_IDENTIFIER, id), id);
    }
  });
});
