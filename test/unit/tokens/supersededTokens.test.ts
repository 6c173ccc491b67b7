import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { folderAt } from '../../../src/platform/folder.ts';
import { rememberSecret } from '../../../src/service/failure/secret.ts';
import { SupersededTokens } from '../../../src/tokens/supersededTokens.ts';
import { tokenFileId } from '../../../src/tokens/tokenFiles.ts';

const NOW = 1_790_000_000_000;

let path: string;
let superseded: SupersededTokens;
/** IDs from change events. */
let told: string[];

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'metadata-service-superseded-'));
  superseded = new SupersededTokens(folderAt(path));
  told = [];
  superseded.onDidChange((id) => told.push(id));
});

afterEach(() => rm(path, { recursive: true, force: true }));

/** Another window that has read the files. */
async function nextWindow(): Promise<SupersededTokens> {
  const next = new SupersededTokens(folderAt(path));
  await next.load();
  return next;
}

suite('A token that a rotation replaced', () => {
  test('is marked in this and the next window, for its connection only, with an event', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    assert.equal(superseded.supersededAt('a', 'old'), NOW);
    assert.equal((await nextWindow()).supersededAt('a', 'old'), NOW);
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
    assert.deepEqual([await readdir(path), told], [[], []]);
  });

  test('is unmarked once revoked, with an event', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    await superseded.forgetToken('a', 'old');
    assert.equal(superseded.supersededAt('a', 'old'), undefined);
    assert.deepEqual(await readdir(path), []);
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

  test('is ignored if its mark is damaged, and can be marked again', async () => {
    await superseded.mark('a', 'old', 'new', NOW);
    const [name = ''] = await readdir(path);
    for (const damaged of ['', '{', '{"v":1}', '{"v":1,"connectionId":"a","tokenId":"old","at":"now"}']) {
      await writeFile(join(path, name), damaged);
      const next = await nextWindow();
      assert.equal(next.supersededAt('a', 'old'), undefined);
      await next.mark('a', 'old', 'new', NOW);
      assert.equal(next.supersededAt('a', 'old'), NOW);
    }
  });

  test('has an ID with slashes, and in the case that it has', async () => {
    const ids = ['a/b/../c', 'A/b/../c', 'HnMJ+/=', 'hnmj+/='];
    for (const [at, id] of ids.entries()) await superseded.mark('a', id, undefined, NOW + at);
    const next = await nextWindow();
    assert.deepEqual(
      ids.map((id) => next.supersededAt('a', id)),
      ids.map((_, at) => NOW + at),
    );
  });

  test('of another window is known once this one looks, with an event', async () => {
    const next = await nextWindow();
    await next.mark('a', 'old', 'new', NOW);
    await superseded.reload();
    await superseded.reload();
    assert.deepEqual([superseded.supersededAt('a', 'old'), told], [NOW, ['a']]);
    await next.forgetToken('a', 'old');
    await superseded.reload();
    assert.deepEqual([superseded.supersededAt('a', 'old'), told], [undefined, ['a', 'a']]);
  });

  test('is the right one after a rotation, which waits for no mark', async () => {
    const marks = [
      superseded.mark('a', 'new', 'old', NOW),
      superseded.forgetToken('a', 'new'),
      superseded.mark('a', 'old', 'new', NOW + 1),
    ];
    await Promise.all(marks);
    const next = await nextWindow();
    assert.deepEqual([next.supersededAt('a', 'old'), next.supersededAt('a', 'new')], [NOW + 1, undefined]);
  });

  test('that another window marked is unmarked when its replacement is revoked here', async () => {
    await (await nextWindow()).mark('a', 'old', 'new', NOW);
    await superseded.forgetToken('a', 'new');
    assert.deepEqual(await readdir(path), []);
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
    await (await nextWindow()).mark('a', 'damaged', 'new', NOW);
    await writeFile(join(path, `${tokenFileId('a', 'damaged')}.json`), '{');
    await superseded.forgetConnection('a');
    assert.deepEqual(await readdir(path), [`${tokenFileId('ab', 'old')}.json`]);
    assert.deepEqual([superseded.supersededAt('a', 'old'), superseded.supersededAt('ab', 'old')], [undefined, NOW]);
  });

  test('are limited: the newest of all connections stay', async () => {
    // As many windows left them.
    const files = Array.from({ length: 510 }, (_, n) => ({
      connectionId: n % 2 === 0 ? 'b' : 'a',
      tokenId: `t${n + 1}`,
      at: NOW + n + 1,
    }));
    await Promise.all(
      files.map((mark) =>
        writeFile(
          join(path, `${tokenFileId(mark.connectionId, mark.tokenId)}.json`),
          JSON.stringify({ v: 1, ...mark }),
        ),
      ),
    );
    await superseded.mark('a', 'late', undefined, NOW);
    assert.equal((await readdir(path)).length, 500);
    const next = await nextWindow();
    assert.deepEqual(
      [next.supersededAt('b', 't11'), next.supersededAt('a', 't12'), next.supersededAt('a', 'late')],
      [undefined, NOW + 12, NOW],
    );
  });
});
