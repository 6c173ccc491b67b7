import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import {
  arrangementText,
  emptyListText,
  loadMoreText,
  mutationFailure,
  namesByUser,
  revocationFailure,
} from '../../../src/tokens/tokenTexts.ts';
import { OpenPages, PAGE } from './listing.ts';

suite('The row that loads more', () => {
  test('says how many rows it loads and how many are left, page by page', async () => {
    const on = await OpenPages.loaded(2_025);
    const texts = [];
    texts.push(loadMoreText(on.pages.remainingRows, 'en'));
    await on.pages.loadMoreTokens();
    texts.push(loadMoreText(on.pages.remainingRows, 'en'));
    assert.deepEqual(texts, [`Load ${PAGE} More (2,015 left)`, `Load ${PAGE} More (2,005 left)`]);
  });

  test('gives no number if the server reports none left but has more', async () => {
    const on = new OpenPages(35);
    on.listing.total = 0;
    await on.pages.ensureLoaded();
    assert.equal(on.pages.hasMoreTokens, true);
    assert.equal(loadMoreText(on.pages.remainingRows, 'en'), 'Load More');
  });
});

suite('A list that has only some of the tokens', () => {
  test('says how it is arranged, where that needs words', () => {
    assert.equal(arrangementText('soonFirst', 'expiry'), 'expiring within 30 days first');
    assert.equal(arrangementText('server', 'expiry'), "in the server's order");
    assert.deepEqual([arrangementText('server', 'name'), arrangementText('whole', 'expiry')], ['', '']);
  });

  test('never says that there is no such token', () => {
    const partial = { isPartial: true, readSoFar: undefined };
    const filters = [{ field: 'name', value: 'x', condition: 'CONTAIN' }] as const;
    for (const query of [{ scope: 'all', filters } as const, { scope: 'own', filters: [] } as const]) {
      assert.match(emptyListText({ ...partial, query }), / loaded so far$/);
    }
  });
});

suite('The names of several tokens', () => {
  test('stand before the user that the tokens act as', () => {
    const tokens = [
      { name: 'nightly', user: 'jdoe' },
      { name: 'ci', user: 'admin' },
      { name: 'img', user: 'jdoe' },
      { name: '0a1b2c3d4e5f…', user: '' },
    ];
    assert.equal(namesByUser(tokens), '"nightly", "img" (jdoe); "ci" (admin); "0a1b2c3d4e5f…"');
  });

  test('all fit into a prompt, however long they are, with both ends', () => {
    const tokens = Array.from({ length: 25 }, (_, at) => ({
      name: `${'n'.repeat(97)} ${at + 10}`,
      user: `${'u'.repeat(97)} ${at + 10}`,
    }));
    const text = namesByUser(tokens);
    assert.ok(text.length < 750, `${text.length}`);
    for (const { name } of tokens) {
      assert.ok(text.includes(`${name.slice(-2)}"`), text);
    }
  });
});

test('A failed change may have been made if a bug got in the way, so nothing suggests a retry', () => {
  const failure = mutationFailure(new TypeError('a bug'));
  assert.equal(failure.mayHaveActed, true);
  assert.doesNotMatch(failure.advice, /try again/i);
});

const refused = new ServiceFailure('refused', 'The server refused.', {
  serverText: 'Unauthorized to revoke',
  next: 'Ask an administrator.',
});
const broken = new ServiceFailure('server', 'The server failed: disk full', { serverText: 'disk full' });
const lost = new ServiceFailure('timedOut', 'No answer came.', { mayHaveActed: true, next: 'Try again.' });

suite('Failed revocations', () => {
  test("with an unknown outcome aren't called failed, and suggest no immediate retry", () => {
    const failure = revocationFailure([{ label: 'a', failure: lost, isListed: true }], 1, 'prod');
    assert.equal(failure.message, '"a" may or may not have been revoked on "prod": No answer came.');
    assert.match(failure.next ?? '', /^Refresh/);
  });

  test('are reported one by one, each with its reason', () => {
    const both = [
      { label: 'a', failure: refused, isListed: true },
      { label: 'b', failure: broken, isListed: true },
    ] as const;
    const failure = revocationFailure(both, 3, 'prod');
    assert.equal(
      failure.message,
      '2 of 3 access tokens weren\'t revoked on "prod": "a": The server refused. Server response: Unauthorized to revoke. "b": The server failed: disk full',
    );
    const mixed = revocationFailure([...both, { label: 'c', failure: lost, isListed: true }], 3, 'prod');
    assert.match(mixed.message, /on "prod", or the result is unknown: .*"c": No answer came\.$/);
    assert.equal(mixed.mayHaveActed, true);
    assert.match(mixed.next ?? '', /^Refresh/);
  });

  test('of a token that the tree does not list are looked up by its value, since refreshing shows nothing', () => {
    const failure = revocationFailure([{ label: 'a', failure: lost, isListed: false }], 1, 'prod');
    assert.match(failure.next ?? '', /^Look up each token with "Inspect Access Token"/);
  });
});
