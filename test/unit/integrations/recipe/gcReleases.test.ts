import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { GC_RELEASES, gcReleasesOf, isNewerThanKnown } from '../../../../src/integrations/recipe/gcReleases.ts';

/** First release of the entry for a release. */
function firstOf(release: string): string | undefined {
  const releases = gcReleasesOf(release);
  return releases === undefined || releases === 'none' ? releases : releases.first;
}

suite('Releases of the garbage collector', () => {
  for (const [release, first] of [
    ['0.13.1.2', 'none'],
    ['0.13.1.3', '0.13.1.3'],
    ['0.13.3.6', '0.13.1.3'],
    ['0.14.0', '0.13.1.3'],
    ['v0.14.1', '0.13.1.3'],
    ['0.14.1.12', '0.13.1.3'],
    ['0.15.0', '0.15.0'],
    ['0.15.0.1', '0.15.0.1'],
    ['1.3.1.7.post3', '0.15.0.1'],
    ['1.6.0.14', '0.15.0.1'],
    ['1.6.0.15', '1.6.0.15'],
    ['1.7.0.17', '1.6.0.15'],
    ['1.10', '1.6.0.15'],
  ] as const) {
    test(`${release} belongs to those from ${first} on`, () => assert.equal(firstOf(release), first));
  }

  for (const text of ['', '1', 'latest', '1.7.1-SNAPSHOT', '1.7.0rc1', '1.7.0.17.1', '1..7', 'a1.7.0', '1.7.0\n']) {
    test(`${JSON.stringify(text)} is not a release number`, () => {
      assert.equal(gcReleasesOf(text), undefined);
      assert.equal(isNewerThanKnown(text), false);
    });
  }

  test('are newer than the known ones after the last of those', () => {
    for (const newer of ['1.7.0.18', '1.7.1', '1.8', '2.0.0.1']) assert.ok(isNewerThanKnown(newer), newer);
    for (const known of ['1.7.0.17', '1.7.0', '1.6.9.99', '0.13.3.6']) assert.ok(!isNewerThanKnown(known), known);
  });

  test('follow each other from newest to oldest, each with its own first and last', () => {
    for (const releases of GC_RELEASES) {
      assert.deepEqual([releases.first, releases.last].map(gcReleasesOf), [releases, releases]);
    }
  });

  test('never have fewer cleanups or indices than an earlier one', () => {
    for (const [place, { first, truncated, otherCleanups }] of GC_RELEASES.entries()) {
      const newer = GC_RELEASES[place - 1] ?? GC_RELEASES[place];
      const known = new Set([...(newer?.truncated ?? []), ...(newer?.otherCleanups ?? [])]);
      for (const name of [...truncated, ...otherCleanups]) assert.ok(known.has(name), `${first}: ${name}`);
    }
  });
});
