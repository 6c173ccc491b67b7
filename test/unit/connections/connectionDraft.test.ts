import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { lacksConsent, type Connection } from '../../../src/connections/connection.ts';
import {
  agreesToPlainHttp,
  connectionFrom,
  draftOf,
  emptyConnectionDraft,
  mergeEdit,
  moveTo,
  tokenProblem,
  type ConnectionDraft,
} from '../../../src/connections/connectionDraft.ts';
import { connectionTo } from './window.ts';

function typed(changes: Partial<ConnectionDraft> = {}): ConnectionDraft {
  return {
    ...emptyConnectionDraft(),
    name: 'Production',
    baseUrl: 'http://a.example.com/datahub',
    actor: 'jdoe',
    token: 'typed-for-a',
    ...changes,
  };
}

suite('A connection that is being typed', () => {
  test('takes no token along to another origin, and asks for it again on the way back', () => {
    for (const baseUrl of ['http://b.example.com', 'http://a.example.com:8080', 'https://a.example.com/datahub']) {
      const draft = typed();
      moveTo(draft, baseUrl);
      assert.deepEqual([draft.baseUrl, draft.token], [baseUrl, undefined]);
      moveTo(draft, 'http://a.example.com/datahub');
      assert.equal(draft.token, undefined);
    }
  });

  test('keeps its token at the same origin', () => {
    for (const baseUrl of ['http://a.example.com/datahub', 'http://a.example.com', 'http://a.example.com/elsewhere']) {
      const draft = typed();
      moveTo(draft, baseUrl);
      assert.deepEqual([draft.baseUrl, draft.token], [baseUrl, 'typed-for-a']);
    }
  });

  test('has its role at its address only: what another is used for is asked anew', () => {
    const draft = typed({ role: 'development' });
    moveTo(draft, draft.baseUrl);
    assert.equal(connectionFrom(draft).role, 'development');
    for (const baseUrl of ['http://b.example.com/datahub', 'http://a.example.com/elsewhere']) {
      const moved = typed({ role: 'development' });
      moveTo(moved, baseUrl);
      assert.equal('role' in connectionFrom(moved), false);
      moveTo(moved, draft.baseUrl);
      assert.equal(moved.role, undefined);
    }
    assert.equal(draftOf(connectionFrom(typed({ role: 'readOnly' }))).role, 'readOnly');
  });

  test('can be given its first address', () => {
    const draft = emptyConnectionDraft();
    moveTo(draft, 'https://datahub.example.com');
    assert.equal(draft.baseUrl, 'https://datahub.example.com');
  });

  test('asks anew whether plain HTTP will do where the origin is another one', () => {
    const draft = typed({ plainHttpOrigin: 'http://a.example.com' });
    assert.equal(agreesToPlainHttp(draft), true);
    assert.equal(lacksConsent(connectionFrom(draft)), false);
    moveTo(draft, 'http://b.example.com');
    assert.equal(agreesToPlainHttp(draft), false);
    assert.deepEqual([lacksConsent(connectionFrom(draft)), connectionFrom(draft).plainHttpOrigin], [true, undefined]);
    moveTo(draft, 'http://a.example.com');
    assert.equal(agreesToPlainHttp(draft), true);
  });

  test('starts from what is stored, also by 0.1.0', () => {
    const stored = { ...connectionFrom(typed()), plainHttpConsent: true };
    assert.equal('plainHttpOrigin' in stored, false);
    const draft = draftOf(stored);
    assert.equal(agreesToPlainHttp(draft), true);
    assert.equal(draft.token, undefined);
    assert.deepEqual(connectionFrom(draft), { ...stored, plainHttpOrigin: 'http://a.example.com' });
    moveTo(draft, 'http://b.example.com');
    assert.equal(agreesToPlainHttp(draft), false);
  });

  test('with a new token has no former one', () => {
    assert.equal(connectionFrom(typed({ credentialTokenId: 'former' })).credentialTokenId, undefined);
    assert.equal(connectionFrom(typed({ credentialTokenId: 'former', token: undefined })).credentialTokenId, 'former');
  });
});

suite('What may be typed as a token', () => {
  test('is what can stand in a header', () => {
    for (const token of ['', '  ', 'abc', ' eyJhbGciOi.eyJ.sig ', 'x'.repeat(8_192)]) {
      assert.equal(tokenProblem(token), undefined);
    }
    for (const token of ['Bearer abc', 'bearer abc', 'two words', 'a\nb', 'tökén', 'x'.repeat(8_193)]) {
      assert.match(tokenProblem(token) ?? '', /\.$/, token);
    }
  });
});

const READ = connectionTo('https://a.example.com', {
  role: 'production',
  credentialTokenId: 'a-token',
  plainHttpConsent: false,
});
const MOVED: Connection = { ...READ, baseUrl: 'https://b.example.com', credentialId: crypto.randomUUID() };
const TYPED = 'typed-for-a';

/** What is saved after an edit that began with `READ`. */
function edited(
  edit: (draft: ConnectionDraft) => void,
  current: Connection = READ,
  asked: Connection = READ,
): Connection | undefined {
  const draft = draftOf(READ);
  edit(draft);
  return mergeEdit(draft, { read: READ, asked, current });
}

const rename = (draft: ConnectionDraft): void => void (draft.name = 'Renamed');

suite('An edit of a connection', () => {
  test('that changes nothing is the connection as it was', () =>
    assert.deepEqual(
      edited(() => undefined),
      READ,
    ));

  test('keeps what another window did to it meanwhile: an address, a user, a product, a consent, a sign-in', () => {
    for (const change of [
      { baseUrl: 'https://b.example.com' },
      { actorUrn: 'urn:li:corpuser:another' },
      { product: undefined },
      { product: 'Other' },
      { plainHttpConsent: true, plainHttpOrigin: 'http://a.example.com' },
      { credentialId: crypto.randomUUID(), credentialTokenId: 'another' },
      { role: 'readOnly' },
    ] as const) {
      const current: Connection = { ...READ, ...change };
      assert.deepEqual(edited(rename, current), { ...current, name: 'Renamed' });
    }
  });

  test('takes each field that was changed here, and no other', () => {
    const current: Connection = { ...READ, name: 'Of another window' };
    const { credentialTokenId: _gone, ...rest } = current;
    for (const [edit, expected] of [
      [(draft: ConnectionDraft) => (draft.actor = 'somebody'), { ...current, actorUrn: 'urn:li:corpuser:somebody' }],
      [(draft: ConnectionDraft) => (draft.product = 'Other'), { ...current, product: 'Other' }],
      [(draft: ConnectionDraft) => (draft.product = ''), { ...current, product: undefined }],
      [(draft: ConnectionDraft) => (draft.role = 'readOnly'), { ...current, role: 'readOnly' }],
      [(draft: ConnectionDraft) => (draft.token = TYPED), { ...rest, credentialTokenId: undefined }],
    ] as const) {
      assert.deepEqual(edited(edit, current), expected);
    }
  });

  test('that moves a connection takes the consent to the new address along', () => {
    const moved = edited((draft) => {
      moveTo(draft, 'http://c.example.com');
      draft.plainHttpOrigin = 'http://c.example.com';
      draft.role = 'production';
    });
    assert.deepEqual(moved, {
      ...READ,
      baseUrl: 'http://c.example.com',
      plainHttpConsent: true,
      plainHttpOrigin: 'http://c.example.com',
    });
  });

  for (const [what, edit] of [
    ['the address', (draft: ConnectionDraft) => moveTo(draft, 'https://c.example.com')],
    ['the user', (draft: ConnectionDraft) => (draft.actor = 'somebody')],
    ['the token, which belongs to the address before', (draft: ConnectionDraft) => (draft.token = TYPED)],
    ['the role, which was chosen for the address before', (draft: ConnectionDraft) => (draft.role = 'development')],
    ['the consent', (draft: ConnectionDraft) => (draft.plainHttpOrigin = 'https://a.example.com')],
  ] as const) {
    test(`of ${what} is refused where another window moved the connection`, () => {
      assert.equal(edited(edit, MOVED), undefined);
      assert.equal(edited(edit, { ...READ, actorUrn: 'urn:li:corpuser:another' }), undefined);
    });
  }

  test('never relaxes a role that another window made stricter, and leaves it alone where it was not chosen here', () => {
    const chooseDevelopment = (draft: ConnectionDraft): void => void (draft.role = 'development');
    assert.equal(edited(chooseDevelopment, { ...READ, role: 'readOnly' })?.role, 'readOnly');
    assert.equal(edited(rename, { ...READ, role: 'development' })?.role, 'development');
    const stricter: Connection = { ...READ, role: 'readOnly' };
    assert.equal(edited(() => undefined, stricter, stricter)?.role, 'production', 'chosen after the question');
  });
});
