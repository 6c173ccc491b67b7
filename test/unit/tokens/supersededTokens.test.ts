import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { rememberSecret } from '../../../src/service/failure/secret.ts';
import { SupersededTokens } from '../../../src/tokens/supersededTokens.ts';
import { Memory } from '../memory.ts';

const NOW = 1_790_000_000_000;

let memory: Memory;
let superseded: SupersededTokens;
/** Connections of which a change was told. */
let told: string[];

beforeEach(() => {
  memory = new Memory();
  superseded = new SupersededTokens(memory);
  told = [];
  superseded.onDidChange((id) => told.push(id));
});

suite('A token that a rotation replaced', () => {
  test('is marked in this window and in the next, for its connection only, and that is told', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    assert.equal(superseded.since('a', 'old'), NOW);
    assert.equal(new SupersededTokens(memory).since('a', 'old'), NOW);
    assert.deepEqual([superseded.since('a', 'new'), superseded.since('b', 'old')], [undefined, undefined]);
    assert.deepEqual(told, ['a']);
  });

  test('is marked although the server did not tell the id of the new one', async () => {
    await superseded.mark('a', 'old', undefined, NOW);
    assert.equal(superseded.since('a', 'old'), NOW);
  });

  test('is not marked where its ID is a token itself: nothing of one is stored', async () => {
    rememberSecret('the-credential-of-a-connection');
    await superseded.mark('a', 'x the-credential-of-a-connection', 'new', NOW);
    assert.deepEqual([memory.keys(), told], [[], []]);
  });

  test('is not marked any more once it is revoked, and that is told', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    await superseded.forget('a', 'old');
    assert.equal(superseded.since('a', 'old'), undefined);
    assert.deepEqual(memory.keys(), []);
    assert.deepEqual(told, ['a', 'a']);
  });

  test('is the only one again when its replacement is revoked', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    await superseded.mark('b', 'old', 'new', NOW);
    await superseded.forget('a', 'new');
    assert.deepEqual([superseded.since('a', 'old'), superseded.since('b', 'old')], [undefined, NOW]);
  });

  test('stays marked while the replacement of its replacement is there', async () => {
    await superseded.mark('a', 'first', 'second', NOW);
    await superseded.mark('a', 'second', 'third', NOW + 1);
    await superseded.forget('a', 'second');
    assert.equal(superseded.since('a', 'first'), NOW);
    await superseded.forget('a', 'third');
    assert.equal(superseded.since('a', 'first'), undefined);
  });

  test('is passed over when what was stored is damaged', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    const [key = ''] = memory.keys();
    for (const damaged of [null, 'x', [], { at: 'now' }]) {
      await memory.update(key, damaged);
      assert.equal(superseded.since('a', 'old'), undefined);
    }
  });

  test('of which nothing was known is forgotten without a word', async () => {
    await superseded.forget('a', 'never seen');
    assert.deepEqual(told, []);
  });
});

suite('The marks', () => {
  test('go with their connection, and no other’s', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    await superseded.mark('ab', 'old', 'new', NOW);
    await superseded.forgetConnection('a');
    assert.deepEqual([superseded.since('a', 'old'), superseded.since('ab', 'old')], [undefined, NOW]);
  });

  test('do not grow for ever: the newest of all connections stay, and nothing else is touched', async () => {
    await memory.update('createdToken.a.old', { id: 'old' });
    await memory.update('supersededToken.a.damaged', 7);
    for (let n = 1; n <= 510; n++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as people rotate them
      await superseded.mark(n % 2 === 0 ? 'a' : 'b', `t${n}`, undefined, NOW + n);
    }
    assert.equal(memory.keys().length, 501);
    assert.deepEqual(memory.get('createdToken.a.old'), { id: 'old' });
    assert.deepEqual([superseded.since('a', 't10'), superseded.since('b', 't11')], [undefined, NOW + 11]);
  });
});
