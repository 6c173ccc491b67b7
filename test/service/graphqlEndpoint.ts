import { readFileSync } from 'node:fs';
import { GraphQLScalarType, Kind, NoSchemaIntrospectionCustomRule } from 'graphql';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { isRecord, parseJson } from '../../tools/json.ts';
import { authenticate, UNAUTHORIZED } from './authentication.ts';
import { containerError, empty, json, type Call, type Reply } from './http.ts';
import { appConfig, corpUser, getGrantedPrivileges, me } from './identityResolvers.ts';
import type { Platform } from './platform.ts';
import { profiles, type Profile, type ProfileName, type SchemaName } from './profiles.ts';
import {
  createAccessToken,
  getAccessTokenMetadata,
  listAccessTokens,
  listServiceAccounts,
  revokeAccessToken,
  type RequestContext,
} from './tokens/tokenResolvers.ts';
import { badFaithOf, emptyIntrospectionTypes, parsedDocument } from './introspectionRules.ts';
import { inServerWords } from './validationWords.ts';

const long = new GraphQLScalarType({
  name: 'Long',
  serialize: Number,
  parseValue: Number,
  parseLiteral: (node) => (node.kind === Kind.INT ? Number(node.value) : undefined),
});

/** Files of each schema: what DataHub servers share, and what differs. */
const SCHEMA_FILES: Readonly<Record<SchemaName, readonly string[]>> = {
  spec: ['spec'],
  '0.14': ['datahub', '0.14'],
  '1.6': ['datahub', 'serviceAccounts'],
};

function schemaText(profile: ProfileName): string {
  const files = SCHEMA_FILES[profiles[profile].schema];
  return files.map((file) => readFileSync(new URL(`./schema/${file}.graphql`, import.meta.url), 'utf8')).join('\n');
}

/** `POST /api/graphql`: answers 200 to everything that the engine can take, errors included. */
export function graphqlEndpoint(platform: Platform): (call: Call) => Promise<Reply> {
  const { profile } = platform;
  const schema = executableSchema(profile.name);
  const yoga = createYoga<RequestContext>({
    schema,
    graphqlEndpoint: '/',
    plugins: [
      ...(platform.quirks.introspection ? [] : [withoutIntrospection(profile)]),
      ...(profile.introspectsInGoodFaith ? [inGoodFaith] : []),
    ],
    maskedErrors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
  });

  return async (call) => {
    const isSpring = profile.container === 'spring';
    if (call.method !== 'POST') {
      return isSpring
        ? json(500, { error: 'Internal server error occurred' })
        : containerError(profile, call, 405, `Method '${call.method}' is not supported.`);
    }
    const actor = authenticate(platform, call, 'graphql');
    if (actor === null) {
      return containerError(profile, call, 401, UNAUTHORIZED);
    }
    if (call.body === '') {
      const message = 'argument "content" is null';
      return isSpring ? json(400, { error: message }) : containerError(profile, call, 500, inJava(message));
    }
    const parsed = parseJson(call.body);
    if (!isRecord(parsed) || typeof parsed['query'] !== 'string') {
      return empty(400);
    }
    const { query, variables, operationName } = parsed;
    if (!isSpring && parsedDocument(query) === null) {
      return containerError(profile, call, 500, inJava('Invalid syntax'));
    }
    const response = await yoga.fetch(
      'http://engine/',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query, variables: variables ?? {}, operationName }),
      },
      { platform, actor, now: call.now },
    );
    const { data = null, errors } = (await response.json()) as {
      data?: unknown;
      errors?: Parameters<typeof inServerWords>[0];
    };
    if (profile.rejectsSelfRevocation && authenticate(platform, call, 'graphql') === null) {
      // The token was valid before the request, so the request has revoked it.
      return containerError(profile, call, 401, UNAUTHORIZED);
    }
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
        getAccessTokenMetadata,
        listServiceAccounts,
      },
      Mutation: { createAccessToken, revokeAccessToken },
      CorpUser: corpUser,
      Long: long,
    },
    // One set of resolvers serves every profile. Each schema uses those it names.
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  });
}

function inJava(message: string): string {
  return `jakarta.servlet.ServletException: Request processing failed: ${message}`;
}

const withoutIntrospection = ({ introspectsInGoodFaith }: Profile): Plugin => ({
  onValidate: ({ addValidationRule }) => {
    addValidationRule(introspectsInGoodFaith ? emptyIntrospectionTypes : NoSchemaIntrospectionCustomRule);
  },
});

const inGoodFaith: Plugin = {
  onExecute: ({ args: { schema, document, operationName }, setResultAndStopExecution }) => {
    const refusal = badFaithOf(schema, document, operationName);
    if (refusal) {
      setResultAndStopExecution({ errors: [refusal], data: null });
    }
  },
};
