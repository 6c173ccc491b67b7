import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, suite, test } from 'node:test';
import { folderAt } from '../../../src/platform/folder.ts';
import { JournalStore } from '../../../src/platform/journalStore.ts';
import { temporaryFolder } from './temporaryFolder.ts';

interface Lines {
  readonly first: object;
  readonly lines: readonly unknown[];
}

let path: string;
beforeEach(async (context) => (path = await temporaryFolder(context)));

/** A window. It takes every first line but one without a kind. */
function open(): JournalStore<Lines> {
  return new JournalStore(folderAt(path), (_, first, lines) => ('kind' in first ? { first, lines } : undefined));
}

async function readIn(store: JournalStore<Lines>): Promise<readonly unknown[] | undefined> {
  await store.reload();
  return store.get('a')?.lines;
}

suite('A journal', () => {
  test('has its version in the first line, and a line for each fact, in every window', async () => {
    const [one, other] = [open(), open()];
    assert.equal(await one.create('a', { kind: 'planned' }, { kind: 'sent' }), true);
    assert.equal(await one.append('a', { kind: 'task' }), true);
    assert.equal(
      await readFile(join(path, 'a.json'), 'utf8'),
      '{"v":1,"kind":"planned"}\n{"kind":"sent"}\n{"kind":"task"}',
    );
    assert.deepEqual(one.get('a')?.lines, [{ kind: 'sent' }, { kind: 'task' }]);
    assert.deepEqual(await readIn(other), [{ kind: 'sent' }, { kind: 'task' }]);
  });

  test('that another window removed does not come back', async () => {
    const [one, other] = [open(), open()];
    await one.create('a', { kind: 'planned' });
    await other.reload();
    assert.equal(await one.remove('a'), true);
    assert.equal(await other.append('a', { kind: 'sent' }), false);
    assert.equal(other.get('a'), undefined);
    assert.equal((await folderAt(path).readAll()).size, 0);
  });

  test('has undefined for a line that a crash tore, and every other line', async () => {
    const store = open();
    await store.create('a', { kind: 'planned' });
    await appendFile(join(path, 'a.json'), '\n{"kind":"se');
    await store.append('a', { kind: 'task' });
    assert.deepEqual(await readIn(store), [undefined, { kind: 'task' }]);
  });

  test('can take a line that this window has not read the file of', async () => {
    await open().create('a', { kind: 'planned' });
    const other = open();
    assert.equal(await other.append('a', { kind: 'sent' }), true);
    assert.equal(other.get('a'), undefined);
    assert.deepEqual(await readIn(other), [{ kind: 'sent' }]);
  });

  for (const [what, text, why] of [
    ['is empty', '', 'damaged'],
    ['has a torn first line', '{"v":1,"kind":', 'damaged'],
    ['has a first line that nothing wrote', '{"v":1}\n{"kind":"sent"}', 'damaged'],
    ['is of a later version', '{"v":2,"kind":"planned"}', 'later'],
  ] as const) {
    test(`can't be read if it ${what}`, async () => {
      await writeFile(join(path, 'a.json'), text);
      const store = open();
      assert.equal(await readIn(store), undefined);
      assert.equal(store.unreadable().get('a'), why);
    });
  }
});
