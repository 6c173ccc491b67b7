import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Connection, lacksConsent } from '../../../src/connections/connection.ts';
import {
  connectionFrom,
  connectionDraftOf,
  emptyConnectionDraft,
  leadsToSame,
  moveDraftTo,
  nameOfDraft,
  nameProblem,
  roleOfDraft,
  secretsOf,
  takeToken,
  tokenProblem,
  withoutSecrets,
  type ConnectionDraft,
} from '../../../src/connections/connectionDraft.ts';
import type { ConnectionRole } from '../../../src/connections/role.ts';
import { tokenUntil } from './tokens.ts';
import { connectionTo } from './window.ts';

const JDOE = 'urn:li:corpuser:jdoe';
const HEADER = { name: 'X-Access', value: 'secret' };

function typed(changes: Partial<ConnectionDraft> = {}): ConnectionDraft {
  return {
    ...emptyConnectionDraft(),
    name: 'Production',
    baseUrl: 'http://a.example.com/datahub',
    typedUser: JDOE,
    token: 'typed-for-a',
    ...changes,
  };
}

/** Addresses to which a draft is moved, and what it keeps from its first one. */
const MOVES = [
  ['http://a.example.com/datahub', { keepsSecrets: true, keepsRole: true }],
  ['http://a.example.com/elsewhere', { keepsSecrets: true, keepsRole: false }],
  ['http://b.example.com/datahub', { keepsSecrets: false, keepsRole: false }],
  ['http://a.example.com:8080', { keepsSecrets: false, keepsRole: false }],
  ['https://a.example.com/datahub', { keepsSecrets: false, keepsRole: false }],
] as const;

suite('The draft of a connection', () => {
  for (const [baseUrl, { keepsSecrets, keepsRole }] of MOVES) {
    test(`keeps ${keepsSecrets ? 'its secrets' : 'no secret'} and ${keepsRole ? 'its' : 'no'} role at ${baseUrl}, even if it is moved back`, () => {
      const draft = typed({ headers: [HEADER], role: 'development', plainHttpOrigin: 'http://a.example.com' });
      moveDraftTo(draft, baseUrl);
      assert.equal(draft.baseUrl, baseUrl);
      const isPlainHttp = baseUrl.startsWith('http:');
      assert.equal(lacksConsent(connectionFrom(draft)), isPlainHttp && !keepsSecrets);
      assert.equal(connectionFrom(draft).plainHttpOrigin !== undefined, keepsSecrets);
      moveDraftTo(draft, 'http://a.example.com/datahub');
      assert.deepEqual([draft.token, draft.headers], keepsSecrets ? ['typed-for-a', [HEADER]] : [undefined, []]);
      assert.equal(draft.role, keepsRole ? 'development' : undefined);
      assert.equal(lacksConsent(connectionFrom(draft)), false);
    });
  }

  test('knows where a token was imported from until another one is typed', () => {
    for (const [change, source] of [
      [(draft: ConnectionDraft) => takeToken(draft, 'imported'), 'commandLineEnvironment'],
      [(draft: ConnectionDraft) => takeToken(draft, 'imported', 'commandLineFile'), 'commandLineFile'],
      [(draft: ConnectionDraft) => takeToken(draft, 'another'), undefined],
      [(draft: ConnectionDraft) => moveDraftTo(draft, 'http://b.example.com'), undefined],
    ] as const) {
      const draft = typed();
      takeToken(draft, 'imported', 'commandLineEnvironment');
      change(draft);
      assert.equal(draft.source, source);
    }
  });

  test('keeps no user that was typed for another token, but the stored one at its origin', () => {
    const draft = typed();
    takeToken(draft, 'another');
    assert.equal(draft.typedUser, undefined);
    const stored = connectionDraftOf(connectionTo('https://a.example.com', { typedUser: JDOE }));
    stored.typedUser = 'typed';
    takeToken(stored, 'another');
    assert.equal(stored.typedUser, JDOE);
    moveDraftTo(stored, 'https://b.example.com');
    takeToken(stored, 'of-b');
    assert.equal(stored.typedUser, undefined);
    moveDraftTo(stored, 'https://a.example.com');
    assert.equal(stored.typedUser, JDOE);
  });

  test('sends the stored headers with the changes to them', () => {
    const draft = typed({ headers: [HEADER, { name: 'x-gone', value: '' }, { name: 'X-ACCESS', value: 'newer' }] });
    assert.deepEqual(secretsOf(draft, { token: 'stored', headers: { 'X-Gone': '1', 'X-Kept': '2' } }), {
      token: 'typed-for-a',
      headers: { 'X-Kept': '2', 'X-ACCESS': 'newer' },
    });
  });

  test('keeps no secret once it is left, and no user that was typed for a token', () => {
    const draft = typed({ headers: [HEADER], plainHttpOrigin: 'http://a.example.com' });
    const { token, headers, typedUser, plainHttpOrigin, name } = withoutSecrets(draft);
    assert.deepEqual([token, headers, typedUser, plainHttpOrigin], [undefined, [], undefined, undefined]);
    assert.equal(name, 'Production');
    assert.equal(withoutSecrets(typed({ token: undefined })).typedUser, JDOE);
  });

  test('starts from a stored connection, to which it leads until more than name and role are changed', () => {
    const stored = { ...connectionFrom(typed()), plainHttpOrigin: 'http://a.example.com' };
    const read: Connection = { ...stored, role: 'readOnly' };
    const draft = connectionDraftOf(read);
    assert.deepEqual([draft.role, draft.token, roleOfDraft(draft)], [undefined, undefined, 'readOnly']);
    assert.deepEqual(connectionFrom(draft), stored);
    assert.ok(leadsToSame({ ...draft, name: 'Renamed', role: 'production' }));
    for (const changes of [
      { baseUrl: 'http://a.example.com' },
      { token: 'another' },
      { headers: [HEADER] },
      { typedUser: 'another' },
      { product: 'Other' },
    ]) {
      assert.ok(!leadsToSame({ ...draft, ...changes }), JSON.stringify(changes));
    }
    assert.ok(!leadsToSame(typed({ token: undefined })));
  });
});

suite('A typed token', () => {
  test("can't be an address, which the form and the rows show", () => {
    assert.match(tokenProblem('https://a.example.com') ?? '', /^Not an access token/);
    for (const text of ['', 'typed-for-a']) assert.equal(tokenProblem(text), undefined, text);
  });

  test("can't have expired: a server that is sent such a token deletes its record", () => {
    const token = tokenUntil(1_700_000_000_000);
    assert.equal(tokenProblem(`export TOKEN="${token}"`), 'The access token has expired.');
  });
});

suite('What the form proposes', () => {
  const named = (name: string, baseUrl = 'http://a.example.com:8080/datahub'): ConnectionDraft =>
    typed({ name, baseUrl });

  test('proposes the typed name or the host, with a number if another connection has it', () => {
    assert.equal(nameOfDraft(named('Mine'), ['a.example.com:8080']), 'Mine');
    assert.equal(nameOfDraft(named(''), ['Mine']), 'a.example.com:8080');
    assert.equal(nameOfDraft(named(''), ['a.example.com:8080']), 'a.example.com:8080 2');
    assert.equal(nameOfDraft(named('Mine'), ['Mine 2', 'Mine']), 'Mine 3');
    assert.match(nameProblem('Mi\u200Bne\u00A0', ['Mine']) ?? '', /^Another connection already has this name/);
  });

  test('proposes a name that can be saved, however long the host is', () => {
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`;
    const first = nameOfDraft(named('', `https://${host}`), []);
    const second = nameOfDraft(named('', `https://${host}`), [first]);
    assert.notEqual(first, second);
    for (const name of [first, second]) {
      assert.equal(nameProblem(name, []), undefined);
    }
  });

  const LOCAL = 'http://localhost:8080';
  const elsewhere = (role: ConnectionRole): Connection => connectionTo('https://before.example.com', { role });
  const here = (role: ConnectionRole): Connection => connectionTo(typed().baseUrl, { role });
  for (const [draft, saved, role] of [
    [named('', LOCAL), undefined, 'development'],
    [named('Main'), undefined, 'production'],
    // A choice counts, even one of a laxer role.
    [typed({ role: 'readOnly' }), elsewhere('development'), 'readOnly'],
    [typed({ role: 'development' }), elsewhere('readOnly'), 'development'],
    [typed({ role: 'production' }), here('readOnly'), 'production'],
    // No proposal is laxer than the role of the former address.
    [named('', LOCAL), elsewhere('production'), 'production'],
    [named('Main'), elsewhere('readOnly'), 'readOnly'],
    [named('Dev'), elsewhere('development'), 'production'],
    // A saved role stays at its address, unless none was ever chosen.
    [typed(), here('development'), 'development'],
    [typed(), here('readOnly'), 'readOnly'],
    [typed(), { ...here('readOnly'), lacksRole: true }, 'production'],
  ] as const) {
    test(`is ${role} for ${draft.name} at ${draft.baseUrl}, chosen ${draft.role}, saved as ${saved?.role} at ${saved?.baseUrl}`, () => {
      assert.equal(roleOfDraft({ ...draft, ...(saved && { saved }) }), role);
    });
  }
});
