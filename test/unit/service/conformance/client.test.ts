/** The client against recorded exchanges: it sends the requests of the fixtures, and understands their responses. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FACTS } from '../../../../src/service/server/facts.ts';
import { KNOWN_FACTS, SCHEMA_OF_0_14, SCHEMA_OF_1_6, serviceAt } from '../clients.ts';
import { CASES } from './cases.ts';
import { replay } from './replay.ts';
import { statedCase } from './statedCase.ts';
import { REPLAYED } from './values.ts';
import { filled, wireFixtures } from './wireFixture.ts';

/** Requests of other clients, only compared with the local service. */
const REFERENCE = 'reference-';

suite('The client matches the recorded exchange', () => {
  const fixtures = wireFixtures();

  for (const [name, recorded] of fixtures) {
    const fixture = filled(recorded, REPLAYED);
    const known = CASES[name] ?? statedCase(fixture);
    if (name.startsWith(REFERENCE)) {
      continue;
    }
    test(`${name}: ${fixture.notes.join(' ')}`, async (context) => {
      assert.ok(known, 'a fixture without a case proves nothing');
      const server = await replay(context, fixture);
      const service = serviceAt(server.url, { knownFacts: known.knownFacts ?? KNOWN_FACTS, product: known.product });
      const outcome: unknown = await known.call(service).catch((thrown: unknown) => thrown);
      server.assertPlayed();
      known.outcome(outcome, service);
      service.close();
    });
  }

  test('every case has its fixture, which says no other result', () => {
    assert.deepEqual(
      Object.keys(CASES).filter((name) => fixtures.get(name)?.results.length !== 0),
      [],
    );
  });

  test('every fact that a server is asked for is told in one', () => {
    const told = [...fixtures.values()].flatMap(({ results }) => results.filter(({ kind }) => kind === 'fact'));
    const asked = Object.entries(FACTS).filter(([, row]) => 'ask' in row);
    assert.deepEqual([...new Set(told.map(({ of }) => of))].toSorted(), asked.map(([name]) => name).toSorted());
  });

  // The schema of 0.14 is also assumed where introspection is off.
  for (const [name, schema] of Object.entries({
    'schema-of-0.14': SCHEMA_OF_0_14,
    'schema-of-1.6': SCHEMA_OF_1_6,
  }))
    test(`other tests know the same server: ${name}`, () => {
      const { results } = fixtures.get(name) ?? assert.fail();
      const told = Object.fromEntries(results.map(({ of, json }) => [of, JSON.parse(json) as unknown]));
      assert.deepEqual({ ...schema, ...told }, schema);
    });
});
