import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { lacksConsent } from '../../../src/connections/connection.ts';
import {
  agreesToPlainHttp,
  connectionFrom,
  draftOf,
  emptyConnectionDraft,
  moveTo,
  tokenProblem,
} from '../../../src/connections/connectionDraft.ts';
import type { ConnectionDraft } from '../../../src/connections/connectionDraft.ts';

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
