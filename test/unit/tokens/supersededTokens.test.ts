import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { rememberSecret } from '../../../src/service/failure/secret.ts';
import { SupersededTokens } from '../../../src/tokens/supersededTokens.ts';
import { Memory } from '../memory.ts';

const NOW = 1_790_000_000_000;

let memory: Memory;
let superseded: SupersededTokens;
/** IDs from change events. */
let told: string[];

beforeEach(() => {
  memory = new Memory();
  superseded = new SupersededTokens(memory);
  told = [];
  superseded.onDidChange((id) => told.push(id));
});

suite('A token that a rotation replaced', () => {
  test('is marked in this and the next window, for its connection only, with an event', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    assert.equal(superseded.supersededAt('a', 'old'), NOW);
    assert.equal(new SupersededTokens(memory).supersededAt('a', 'old'), NOW);
    assert.deepEqual(
      [superseded.supersededAt('a', 'new'), superseded.supersededAt('b', 'old')],
      [undefined, undefined],
    );
    assert.deepEqual(told, ['a']);
  });

  test('is marked even if the server returned no ID for the new one', async () => {
    await superseded.mark('a', 'old', undefined, NOW);
    assert.equal(superseded.supersededAt('a', 'old'), NOW);
  });

  test('is not marked if its ID is a token itself: nothing of a token is stored', async () => {
    rememberSecret('the-credential-of-a-connection');
    await superseded.mark('a', 'x the-credential-of-a-connection', 'new', NOW);
    assert.deepEqual([memory.keys(), told], [[], []]);
  });

  test('is unmarked once revoked, with an event', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    await superseded.forgetToken('a', 'old');
    assert.equal(superseded.supersededAt('a', 'old'), undefined);
    assert.deepEqual(memory.keys(), []);
    assert.deepEqual(told, ['a', 'a']);
  });

  test('is unmarked when its replacement is revoked', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    await superseded.mark('b', 'old', 'new', NOW);
    await superseded.forgetToken('a', 'new');
    assert.deepEqual([superseded.supersededAt('a', 'old'), superseded.supersededAt('b', 'old')], [undefined, NOW]);
  });

  test("stays marked while its replacement's replacement exists", async () => {
    await superseded.mark('a', 'first', 'second', NOW);
    await superseded.mark('a', 'second', 'third', NOW + 1);
    await superseded.forgetToken('a', 'second');
    assert.equal(superseded.supersededAt('a', 'first'), NOW);
    await superseded.forgetToken('a', 'third');
    assert.equal(superseded.supersededAt('a', 'first'), undefined);
  });

  test('is ignored if its mark is damaged', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    const [key = ''] = memory.keys();
    for (const damaged of [null, 'x', [], { at: 'now' }]) {
      await memory.update(key, damaged);
      assert.equal(superseded.supersededAt('a', 'old'), undefined);
    }
  });

  test('is forgotten silently if it had no mark', async () => {
    await superseded.forgetToken('a', 'never seen');
    assert.deepEqual(told, []);
  });
});

suite('The marks', () => {
  test("are deleted with their connection, and no other's", async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    await superseded.mark('ab', 'old', 'new', NOW);
    await superseded.forgetConnection('a');
    assert.deepEqual([superseded.supersededAt('a', 'old'), superseded.supersededAt('ab', 'old')], [undefined, NOW]);
  });

  test('are limited: the newest of all connections stay, and other keys too', async () => {
    await memory.update('createdToken.a.old', { id: 'old' });
    await memory.update('supersededToken.a.damaged', 7);
    for (let n = 1; n <= 510; n++) {
      await superseded.mark(n % 2 === 0 ? 'a' : 'b', `t${n}`, undefined, NOW + n);
    }
    assert.equal(memory.keys().length, 501);
    assert.deepEqual(memory.get('createdToken.a.old'), { id: 'old' });
    assert.deepEqual([superseded.supersededAt('a', 't10'), superseded.supersededAt('b', 't11')], [undefined, NOW + 11]);
  });
});
