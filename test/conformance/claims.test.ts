import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../src/service/failure/failure.ts';
import { findingOf, words } from '../../tools/conformance/claim.ts';
import { CLAIMS } from '../../tools/conformance/claims.ts';
import { wireFixtures } from '../unit/service/conformance/wireFixture.ts';

/** Those of the client: the others are never sent. */
const EXCHANGES = [...wireFixtures().values()].filter(({ name }) => !name.startsWith('reference-'));

suite('The claims', () => {
  test('cover every exchange of the client, or there is a reason why not', () => {
    const covered = new Set(CLAIMS.flatMap(({ exchanges }) => exchanges));
    const unasked = EXCHANGES.filter(({ noClaim }) => noClaim !== undefined).map(({ name }) => name);
    assert.deepEqual([...covered, ...unasked].toSorted(), EXCHANGES.map(({ name }) => name).toSorted());
  });

  test('have unique names and sentences, and say what depends on them', () => {
    for (const property of ['id', 'sentence'] as const)
      assert.equal(new Set(CLAIMS.map((claim) => claim[property])).size, CLAIMS.length, property);
    for (const { sentence, expected, consequence } of CLAIMS) {
      assert.match(sentence, /^[A-Z`][^|\n]*[^.|\n]$/);
      assert.match(expected, /^[^|\n]+$/);
      assert.match(consequence, /^[A-Z][^|\n]*\.$/);
    }
  });

  test('are answered in words of this repository: text that is only known at run time does not compile', () => {
    const said: string = ['from', 'a server'].join(' ');
    // @ts-expect-error -- this is the test
    words(said);
    assert.equal(words('no rows'), 'no rows');
  });
});

suite('A request without a response', () => {
  for (const kind of ['unreachable', 'tls', 'timedOut', 'throttled', 'unavailable', 'cancelled'] as const)
    test(`says nothing about a claim: ${kind}`, () => {
      const { result, isUnanswered } = findingOf(new ServiceFailure(kind, 'A sentence.'));
      assert.deepEqual([result, isUnanswered], ['not asked', true]);
    });
});
