import { readFileSync } from 'node:fs';
import { GraphQLScalarType, Kind, NoSchemaIntrospectionCustomRule } from 'graphql';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { isRecord, parseJson } from '../../tools/json.ts';
import { authenticate } from './authentication.ts';
import { containerError, empty, json, type Call, type Reply } from './http.ts';
import { appConfig, corpUser, getGrantedPrivileges, me } from './identityResolvers.ts';
import { ingestionSource, listIngestionSources } from './ingestionSources.ts';
import type { Platform } from './platform.ts';
import { profiles, type ProfileName } from './profiles.ts';
import {
  createAccessToken,
  getAccessToken,
  getAccessTokenMetadata,
  listAccessTokens,
  listServiceAccounts,
  revokeAccessToken,
  type RequestContext,
} from './tokenResolvers.ts';
import { inServerWords } from './validationWords.ts';

const long = new GraphQLScalarType({
  name: 'Long',
  serialize: Number,
  parseValue: Number,
  parseLiteral: (node) => (node.kind === Kind.INT ? Number(node.value) : undefined),
});

/** Text of a profile's schema, for validating a client's documents. */
export function schemaText(profile: ProfileName): string {
  return readFileSync(new URL(`./schema/${profiles[profile].schema}.graphql`, import.meta.url), 'utf8');
}

/**
 * `POST /api/graphql`: answers 200 to everything that the engine can take, errors included, and 400 with an empty
 * body to the rest.
 */
export function graphqlEndpoint(platform: Platform): (call: Call) => Promise<Reply> {
  const schema = executableSchema(platform.profile.name);
  const yoga = createYoga<RequestContext>({
    schema,
    graphqlEndpoint: '/',
    plugins: platform.quirks.introspection ? [] : [withoutIntrospection],
    maskedErrors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
  });

  return async (call) => {
    if (call.method !== 'POST') {
      return containerError(call, 405, 'Method Not Allowed');
    }
    const who = authenticate(platform, call, 'graphql');
    if ('refusal' in who) {
      return containerError(call, 401, who.refusal);
    }
    const parsed = parseJson(call.body);
    if (!isRecord(parsed) || typeof parsed['query'] !== 'string') {
      return empty(400);
    }
    const { query, variables, operationName } = parsed;
    const response = await yoga.fetch(
      'http://engine/',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query, variables: variables ?? {}, operationName }),
      },
      { platform, actor: who.actor, now: call.now },
    );
    const { data = null, errors } = (await response.json()) as {
      data?: unknown;
      errors?: Parameters<typeof inServerWords>[0];
    };
    const answer = errors ? { errors: inServerWords(errors, query, schema), data } : { data };
    return json(200, { ...answer, extensions: {} }, { 'content-type': 'application/json;charset=utf-8' });
  };
}

function executableSchema(profile: ProfileName): ReturnType<typeof createSchema<RequestContext>> {
  const typeDefs = schemaText(profile);
  return createSchema<RequestContext>({
    typeDefs,
    resolvers: {
      Query: {
        me,
        appConfig,
        getGrantedPrivileges,
        listAccessTokens,
        getAccessToken,
        getAccessTokenMetadata,
        listServiceAccounts,
        listIngestionSources,
        ingestionSource,
      },
      Mutation: { createAccessToken, revokeAccessToken },
      CorpUser: corpUser,
      Long: long,
    },
    // One set of resolvers serves every profile. Each schema uses those it names.
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  });
}

const withoutIntrospection: Plugin = {
  onValidate: ({ addValidationRule }) => {
    addValidationRule(NoSchemaIntrospectionCustomRule);
  },
};
