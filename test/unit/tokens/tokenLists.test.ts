import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenSecret } from '../../../src/service/failure/secret.ts';
import { connectionTo, machine } from '../connections/window.ts';
import '../ui/window.ts';

const { createTokenStores } = await import('../../../src/tokens/tokenLists.ts');

for (const [what, change, isHeld] of [
  ['stays when the user agrees to plain HTTP', { plainHttpOrigin: 'http://a.example.com' }, true],
  ['stays when the connection is renamed', { name: 'Renamed' }, true],
  ['is dropped when the connection leads elsewhere', { baseUrl: 'http://b.example.com' }, false],
  ['is dropped with another typed user', { typedUser: 'urn:li:corpuser:b' }, false],
] as const) {
  test(`The value of a created token ${what}`, async (context) => {
    const connection = connectionTo('http://a.example.com');
    const { shared, window } = await machine(context, undefined, { connection });
    const { held } = createTokenStores(window, shared.folders, shared.memory);
    held.hold(connection.id, { urn: '', id: 'id', actorUrn: '' }, new TokenSecret('a-token-that-was-created'));
    await window.store.change(connection.id, () => change);
    assert.equal(held.secretOf(connection.id, 'id') !== undefined, isHeld);
  });
}
