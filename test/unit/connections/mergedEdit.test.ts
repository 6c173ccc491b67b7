import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { draftOf, moveTo } from '../../../src/connections/connectionDraft.ts';
import type { ConnectionDraft } from '../../../src/connections/connectionDraft.ts';
import { mergedEdit } from '../../../src/connections/mergedEdit.ts';
import { connectionTo } from './window.ts';

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
  return mergedEdit(draft, { read: READ, asked, current });
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
