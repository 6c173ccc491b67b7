import type { AskedFactName, AskedFacts } from '../../src/service/server/facts.ts';
import { DURATIONS } from '../../src/service/tokens/durations.ts';
import { differs, failureOf, findingOf, holds, notAsked, type ServerClaim, type ClaimAnswer } from './claim.ts';
import { asking } from './identityClaims.ts';
import type { ServerSession } from './session.ts';

export const SCHEMA_CLAIMS: readonly ServerClaim[] = [
  {
    id: 'introspection',
    sentence: "Introspection says what the schema's types have",
    expected: 'the types for tokens and filters',
    exchanges: ['schema-of-0.14', 'schema-of-1.6', 'schema-with-introspection-off'],
    consequence: 'What the server supports is assumed, so lists may have fewer details and some actions may fail.',
    onlyDataHub: true,
    ask: async (session) => {
      if ((await toldFact(session, 'filter')) === undefined || (await toldFact(session, 'tokenFields')) === undefined)
        return differs('not both types');
      session.learned.introspects = true;
      return true;
    },
  },
  {
    id: 'validation',
    sentence: "A document that doesn't fit the schema is rejected as such, and not run",
    expected: 'a validation error',
    exchanges: ['introduction-unknown', 'spec-schema-without-introspection'],
    consequence: "The extension can't adapt to a server whose schema differs, and lists may fail to load.",
    ask: async ({ service, signal }) => {
      const document = 'query conformance { conformanceHasNoSuchField }';
      const failure = await failureOf(service.server.graphql.runQuery(asking('conformance'), document, {}, signal));
      if (failure === undefined) return differs('answered');
      return failure.kind === 'invalidDocument' ? holds('a validation error') : findingOf(failure);
    },
  },
  schemaClaim(
    {
      id: 'filters',
      sentence: 'Filters take `values` and a condition',
      expected: 'both',
      exchanges: ['tokens-own', 'tokens-expired'],
      consequence: 'Some filters of access tokens are not available.',
    },
    'filter',
    ({ spelling, hasCondition }) => (spelling === 'values' && hasCondition) || differs('not both'),
  ),
  schemaClaim(
    {
      id: 'token-fields',
      sentence: 'A listed token has name, description, users, creation and expiry',
      expected: 'all of these',
      exchanges: ['tokens-own', 'tokens-all'],
      consequence: 'Access tokens are listed with fewer details.',
    },
    'tokenFields',
    (tokenFields) =>
      (['name', 'description', 'actorUrn', 'ownerUrn', 'createdAt', 'expiresAt'] as const).every((field) =>
        tokenFields.includes(field),
      ) || differs('not all of these'),
  ),
  schemaClaim(
    {
      id: 'creation-input',
      sentence: 'Tokens are created with `CreateAccessTokenInput`, which takes a description',
      expected: 'both',
      exchanges: ['token-created'],
      consequence: 'New tokens get no description.',
    },
    'creation',
    ({ inputType, takesDescription }) =>
      (inputType === 'CreateAccessTokenInput' && takesDescription) || differs('not both'),
  ),
  schemaClaim(
    {
      id: 'durations',
      sentence: 'The schema has the eight durations of tokens',
      expected: 'all eight',
      exchanges: [],
      consequence: 'Fewer lengths are offered for new tokens.',
    },
    'durations',
    (durations) => DURATIONS.every((duration) => durations.includes(duration)) || differs('not all eight'),
  ),
];

/** A claim about one fact, which only introspection can show. */
function schemaClaim<Name extends AskedFactName>(
  claim: Pick<ServerClaim, 'id' | 'sentence' | 'expected' | 'exchanges' | 'consequence'>,
  name: Name,
  judge: (fact: AskedFacts[Name]) => ClaimAnswer,
): ServerClaim {
  return {
    ...claim,
    onlyDataHub: true,
    ask: async (session) => {
      if (session.learned.introspects !== true) return notAsked('needs introspection');
      const fact = await toldFact(session, name);
      return fact === undefined ? differs('not said') : judge(fact);
    },
  };
}

/** Undefined if the server does not say: what the extension assumes then is no answer. */
async function toldFact<Name extends AskedFactName>(
  { service, signal }: ServerSession,
  name: Name,
): Promise<AskedFacts[Name] | undefined> {
  await service.server.fact(name, signal);
  return service.server.known[name];
}
