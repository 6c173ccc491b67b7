import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import {
  FACTS,
  isTrueOfRelease,
  type AskedFactName,
  type AskedFacts,
  type KnownFacts,
} from '../../../../src/service/server/facts.ts';
import { failureOf, KNOWN_PLACE, SCHEMA_OF_1_6, serviceAt, typeAnswer } from '../clients.ts';
import { invalid } from '../tokenServer.ts';
import { reply, wireServer, type Answerer, type WireServer } from '../wireServer.ts';

const NAMES = Object.keys(SCHEMA_OF_1_6) as AskedFactName[];

interface AskedSchema {
  /** Undefined: the server does not say. */
  readonly ask: <Name extends AskedFactName>(name: Name) => Promise<AskedFacts[Name] | undefined>;
  /** Every fact, one after the other. */
  readonly askAll: () => Promise<object>;
  readonly server: WireServer;
}

async function askedOf(context: TestContext, answer: Answerer): Promise<AskedSchema> {
  const server = await wireServer(context, answer);
  const { server: known } = serviceAt(server.url, { knownFacts: KNOWN_PLACE });
  const ask: AskedSchema['ask'] = async (name) => {
    await known.fact(name);
    return known.known[name];
  };
  const askAll = async (): Promise<object> => {
    const facts: Record<string, unknown> = {};
    for (const name of NAMES) {
      facts[name] = await ask(name);
    }
    return facts;
  };
  return { ask, askAll, server };
}

/** There may be further facts. */
function assertHas(facts: object, expected: KnownFacts): void {
  assert.deepEqual(facts, { ...facts, ...expected });
}

/** A server that forbids introspection, and answers the question about a type of input. */
const probed =
  (status: number, body: unknown): Answerer =>
  (request, response) =>
    request.body.includes('__type(') ? reply(response, 400, '') : reply(response, status, body);

suite('A server’s schema', () => {
  test('does not have made-up names from the server', async (context) => {
    const { askAll } = await askedOf(context, ({ body }, response) => {
      const part = /\{ (\w+) \{ name/.exec(body)?.[1] as 'fields';
      reply(response, 200, typeAnswer(part, ['value } evil', 'name', 'secret { password }', 'ONE_DAY', ') evil']));
    });
    const facts = await askAll();
    assert.doesNotMatch(JSON.stringify(facts), /evil|secret/);
    assertHas(facts, {
      filter: undefined,
      tokenFields: ['urn', 'id', 'actorUrn', 'name'],
      creation: { ...SCHEMA_OF_1_6.creation, takesDescription: false },
      durations: ['ONE_DAY'],
      serviceAccountFields: ['name'],
    });
  });

  const refusal = (classification: string): object => ({
    errors: [{ message: 'no', extensions: { classification } }],
    data: null,
  });
  for (const [what, body] of [
    ['takes the question for one in bad faith', refusal('BadFaithIntrospection')],
    ['has switched introspection off', refusal('ValidationError')],
    ['answers the question with a page', '<html>blocked</html>'],
    ['answers with another shape', { data: { type: 7 } }],
    ['answers with invalid names', { data: { type: { fields: 7, inputFields: [{ name: 7 }], enumValues: {} } } }],
    ['answers with a type of another kind', { data: { type: { fields: null, inputFields: null } } }],
  ] as const) {
    test(`stays undefined if the server ${what}`, async (context) => {
      const { askAll } = await askedOf(context, (_, response) => reply(response, 200, body));
      assert.deepEqual(await askAll(), Object.fromEntries(NAMES.map((name) => [name, undefined])));
    });
  }

  test('may lack a type; only validation proves it of the input of a creation', async (context) => {
    const { askAll } = await askedOf(context, (_, response) => reply(response, 200, { data: { type: null } }));
    assertHas(await askAll(), {
      filter: undefined,
      tokenFields: undefined,
      creation: undefined,
      durations: undefined,
      serviceAccountFields: [],
    });
  });

  for (const [status, kind] of [
    [401, 'signedOut'],
    [503, 'unavailable'],
  ] as const) {
    test(`stays unknown if the server answers ${status}, at once or after it forbade introspection`, async (context) => {
      const { ask, server } = await askedOf(context, (_, response) => reply(response, status, ''));
      assert.equal((await failureOf(ask('creation'))).kind, kind);
      assert.equal(server.requests.length, 1, 'it is not asked about a type as well');
      const forbidding = await askedOf(context, probed(status, ''));
      assert.equal((await failureOf(forbidding.ask('creation'))).kind, kind);
    });
  }

  for (const [message, inputType] of [
    ["Unknown type 'CreateAccessTokenInput'", 'GetAccessTokenInput'],
    ["Validation error (UnknownType) : Unknown type 'CreateAccessTokenInput'", 'GetAccessTokenInput'],
    ['Unknown type "CreateAccessTokenInput".', 'GetAccessTokenInput'],
    ['unknown type CreateAccessTokenInput', 'GetAccessTokenInput'],
    ["Unknown type 'Query'", undefined],
    ["Unknown type 'CreateAccessTokenInputs'", undefined],
    ['Something about CreateAccessTokenInput', undefined],
  ] as const) {
    test(`may know the input of a creation, or not, if introspection is off: ${message}`, async (context) => {
      const { ask } = await askedOf(context, probed(200, invalid(message)));
      assert.equal((await ask('creation'))?.inputType, inputType);
    });
  }

  for (const [names, filter] of [
    [['value'], { spelling: 'value', hasCondition: false, hasAbsence: false }],
    [['value', 'values'], { spelling: 'values', hasCondition: false, hasAbsence: false }],
    [['values', 'negated'], { spelling: 'values', hasCondition: false, hasAbsence: false }],
    [['values', 'condition'], { spelling: 'values', hasCondition: true, hasAbsence: false }],
    [[], undefined],
  ] as const) {
    test(`has a filter of ${JSON.stringify(names)}`, async (context) => {
      const { ask } = await askedOf(context, (_, response) => reply(response, 200, typeAnswer('inputFields', names)));
      assert.deepEqual(await ask('filter'), filter);
    });
  }
});

for (const name of ['createsWeeks', 'leavesIndexUnrefreshed'] as const) {
  test(`A difference is there in its first release and in every later one: ${name}`, () => {
    const numbers = FACTS[name].since;
    const first = numbers.join('.');
    const before = [...numbers.slice(0, 1), (numbers[1] ?? 0) - 1, 99].join('.');
    for (const [has, releases] of [
      [true, [first, `v${first}`, `${first}.1`, `${first}rc6`, '1.10', '2.0', 'v9.9-SNAPSHOT']],
      [false, [before, `v${before}`, `${before}rc6`, '0.14.0', 'v0.15']],
      [undefined, [undefined, '', '2024.01.3', 'v10.0', '5a7c2b90', 'a build of our own', '1']],
    ] as const) {
      for (const release of releases) {
        assert.equal(isTrueOfRelease(name, release), has, release);
      }
    }
  });
}

test('A difference may have come with the fourth number alone', () => {
  assert.deepEqual(
    ['1.2.0', '1.2.0.1', '1.2.0.2', '1.2.0.10', '1.2.1'].map((release) => isTrueOfRelease('createsWeeks', release)),
    [false, false, true, true, true],
  );
});
