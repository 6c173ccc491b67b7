/** The client against recorded exchanges: it sends the requests of the fixtures, and understands their responses. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KNOWN_FACTS, serviceAt } from '../clients.ts';
import { CASES } from './cases.ts';
import { replay } from './replay.ts';
import { REPLAYED } from './values.ts';
import { filled, wireFixtures } from './wireFixture.ts';

/** Requests of other clients, only compared with the local service. */
const REFERENCE = 'reference-';

suite('The client matches the recorded exchange', () => {
  const fixtures = wireFixtures();

  for (const [name, fixture] of fixtures) {
    const known = CASES[name];
    if (name.startsWith(REFERENCE)) {
      continue;
    }
    test(`${name}: ${fixture.notes.join(' ')}`, async (context) => {
      assert.ok(known, 'a fixture without a case proves nothing');
      const server = await replay(context, filled(fixture, REPLAYED));
      const service = serviceAt(server.url, { knownFacts: known.knownFacts ?? KNOWN_FACTS, product: known.product });
      const outcome: unknown = await known.call(service).catch((thrown: unknown) => thrown);
      server.assertPlayed();
      known.outcome(outcome, service);
      service.close();
    });
  }

  test('every case has its fixture', () => {
    assert.deepEqual(
      Object.keys(CASES).filter((name) => !fixtures.has(name)),
      [],
    );
  });
});
