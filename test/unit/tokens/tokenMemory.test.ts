import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, suite, test } from 'node:test';
import { folderAt } from '../../../src/platform/folder.ts';
import { tokenUrn, type AccessToken } from '../../../src/service/tokens/accessToken.ts';
import { TokenMemory } from '../../../src/tokens/tokenMemory.ts';
import { temporaryFolder } from '../platform/temporaryFolder.ts';

const CREATED: AccessToken = {
  urn: 'urn:li:dataHubAccessToken:HnMJ+/=',
  id: 'HnMJ+/=',
  actorUrn: 'urn:li:corpuser:jdoe',
  ownerUrn: 'urn:li:corpuser:jdoe',
  name: 'nightly ingestion',
  description: 'for the ingestion',
  createdAt: 1_790_000_000_000,
  expiresAt: 1_790_003_600_000,
};
const NOW = CREATED.createdAt;
/** All fields that a server lists if it follows the interface description literally. */
const LISTED: AccessToken = { urn: CREATED.urn, id: CREATED.id, actorUrn: CREATED.actorUrn };

let path: string;
let memory: TokenMemory;
let told: string[];

beforeEach(async (context) => {
  path = await temporaryFolder(context);
  memory = new TokenMemory(folderAt(path));
  await memory.remember('a', CREATED, 'created', NOW);
  told = [];
  memory.onDidChange((id) => told.push(id));
});

async function nextWindow(): Promise<TokenMemory> {
  const next = new TokenMemory(folderAt(path));
  await next.load();
  return next;
}

suite('Remembered facts of a created token', () => {
  test("complete the server's listing in this window; the next one knows that it was created here", async () => {
    assert.deepEqual(memory.withRemembered('a', LISTED), CREATED);
    const next = await nextWindow();
    assert.deepEqual([next.knows('a', CREATED.id), next.withRemembered('a', LISTED)], [true, LISTED]);
    assert.deepEqual(memory.withRemembered('b', LISTED), LISTED);
    assert.deepEqual(memory.withRemembered('a', { ...LISTED, id: 'other' }), { ...LISTED, id: 'other' });
  });

  test('give way to values from the server, and fill in those that it lacks', () => {
    const lacking = { ...LISTED, actorUrn: '', name: 'weekly ingestion', expiresAt: undefined };
    assert.deepEqual(memory.withRemembered('a', lacking), { ...CREATED, name: 'weekly ingestion' });
    assert.equal(memory.withRemembered('a', { ...LISTED, expiresAt: null }).expiresAt, null);
  });

  test('are on disk without anything of the token', async () => {
    const texts = await Promise.all((await readdir(path)).map((name) => readFile(join(path, name), 'utf8')));
    assert.doesNotMatch(texts.join(), /HnMJ|jdoe|nightly/);
  });

  test('are not known if the disk is broken', async () => {
    await rm(path, { recursive: true });
    await assert.rejects(memory.remember('a', { ...CREATED, id: 'second' }, 'created', NOW));
    assert.equal(memory.knows('a', 'second'), false);
  });

  test('belong to the ID of the token, with slashes, and in the case that it has', async () => {
    const ids = ['a/b/../c', 'A/b/../c', 'CON', 'con', 'HnMJ+/=', 'hnmj+/=', 'x'.repeat(500)];
    for (const id of ids) await memory.remember('a', { ...CREATED, id, name: id }, 'created', NOW);
    const next = await nextWindow();
    assert.ok(ids.every((id) => next.knows('a', id)));
    assert.equal((await readdir(path)).length, ids.length);
  });

  test('are ignored if damaged, and replaced when they are remembered again', async () => {
    const [name = ''] = await readdir(path);
    await writeFile(join(path, name), '{"v":1,"connectionId":"a","purpose":"created","until":"now"}');
    const next = await nextWindow();
    assert.ok(!next.knows('a', CREATED.id));
    await next.remember('a', CREATED, 'created', NOW);
    assert.ok(next.knows('a', CREATED.id));
  });

  test('are forgotten with the token, and with the connection, even if another window remembered them', async () => {
    await (await nextWindow()).remember('a', { ...CREATED, id: 'second' }, 'created', NOW);
    await memory.remember('ab', CREATED, 'created', NOW);
    await memory.forgetToken('a', CREATED.id);
    await memory.forgetToken('a', CREATED.id);
    assert.ok(!memory.knows('a', CREATED.id));
    assert.deepEqual(told, ['ab', 'a']);
    await memory.forgetConnection('a');
    assert.equal((await readdir(path)).length, 1);
    assert.ok(memory.knows('ab', CREATED.id), 'a connection whose id begins alike keeps its own');
  });

  test('are forgotten with the connection even if they are damaged', async () => {
    const [name = ''] = await readdir(path);
    await writeFile(join(path, name), '{');
    await memory.forgetConnection('a');
    assert.deepEqual(await readdir(path), []);
  });
});

suite('Remembered tokens', () => {
  const END = 1_790_003_600_000;
  const MONTH = 30 * 86_400_000;

  test('outlast their expiry by a month, and go with the next one', async () => {
    await memory.remember('a', { ...CREATED, id: 'forever', expiresAt: null }, 'created', END);
    await memory.remember('b', { ...CREATED, id: 'unreported', expiresAt: undefined }, 'superseded', END);
    const late = { ...CREATED, expiresAt: END + 400 * MONTH };
    await memory.remember('b', { ...late, id: 'second' }, 'created', END + MONTH - 1);
    assert.equal((await readdir(path)).length, 4);
    await memory.remember('b', { ...late, id: 'third' }, 'created', END + MONTH);
    assert.ok(!memory.knows('a', CREATED.id), 'it is remembered although it ended long ago');
    assert.equal((await readdir(path)).length, 4);
  });
});

suite('A token that a rotation replaced', () => {
  const OLD: AccessToken = { ...CREATED, id: 'old', urn: tokenUrn('old') };

  test('is marked in this and the next window, for its connection only, with an event', async () => {
    await memory.remember('a', OLD, 'superseded', NOW);
    assert.ok(memory.isSuperseded('a', 'old'));
    assert.ok((await nextWindow()).isSuperseded('a', 'old'));
    assert.deepEqual([memory.isSuperseded('a', CREATED.id), memory.isSuperseded('b', 'old')], [false, false]);
    assert.deepEqual(told, ['a']);
  });

  test('of another window is known once this one looks, with an event', async () => {
    await memory.reload();
    told = [];
    const next = await nextWindow();
    await next.remember('a', OLD, 'superseded', NOW);
    await memory.reload();
    await memory.reload();
    assert.deepEqual([memory.isSuperseded('a', 'old'), told], [true, ['a']]);
    await next.forgetToken('a', 'old');
    await memory.reload();
    assert.deepEqual([memory.isSuperseded('a', 'old'), told], [false, ['a', 'a']]);
  });

  test('is the right one after a rotation, which waits for no mark', async () => {
    const replacement = { ...OLD, id: 'new', urn: tokenUrn('new') };
    await Promise.all([
      memory.remember('a', replacement, 'superseded', NOW),
      memory.remember('a', replacement, 'created', NOW),
      memory.remember('a', OLD, 'superseded', NOW),
    ]);
    const next = await nextWindow();
    assert.deepEqual([next.isSuperseded('a', 'old'), next.isSuperseded('a', 'new')], [true, false]);
  });
});
