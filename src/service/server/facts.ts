/**
 * Everything that is known of a server: one record, and a table that says how each fact is known and how long it holds.
 * Differences that only the release tells are in `releases.ts`; `docs/servers.md` has a row for each.
 */
import * as v from 'valibot';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import type { Transport } from '../http/transport.ts';
import { withRetries, type PauseFunction } from '../http/waiting.ts';
import { askDurationPolicy, type DurationPolicy } from '../tokens/durationPolicy.ts';
import { requestCallerInfo, type CallerInfo } from './callerRights.ts';
import { SCHEMA_QUESTIONS, type SchemaFacts } from './schema.ts';
import { askServerIdentity, type ServerIdentity } from './serverInfo.ts';

/** Behind the front end, as in the interface description, and on the service itself (PROTOCOL.md §3.1). */
export const OPERATION_PATHS = ['/api/gms/operations', '/gms/operations', '/operations'] as const;
export type OperationsPath = (typeof OPERATION_PATHS)[number];

/** Facts that are asked when they are needed. */
export interface AskedFacts extends SchemaFacts {
  readonly identity: ServerIdentity;
  /** A server that doesn't say who that is is no failure. */
  readonly caller: CallerInfo;
  /** Undefined if the server does not say. */
  readonly durationPolicy: DurationPolicy | undefined;
}
export type AskedFactName = keyof AskedFacts;

/** Facts that answers to other requests show. */
interface LearnedFacts {
  /** With the caller's information, so it is read in every session. Another one means an upgrade. */
  readonly appVersion: string;
  /**
   * The field that selects the caller's own tokens. The interface description shows both (PROTOCOL.md §2.2 rule 2).
   * Real servers check `ownerUrn`, the default until a server refuses it and takes the other.
   */
  readonly ownerField: 'ownerUrn' | 'actorUrn';
  readonly operationsPath: OperationsPath;
  readonly forceFlags: boolean;
}

export type ServerFacts = AskedFacts & LearnedFacts;
/** As far as they are known. Free of secrets; those that are stored between sessions are JSON. */
export type KnownFacts = { readonly [Name in keyof ServerFacts]?: ServerFacts[Name] | undefined };

/** Passed to each question. */
export interface FactQuestion {
  readonly transport: Transport;
  readonly graphql: GraphQLEndpoint;
  readonly pause: PauseFunction;
  readonly known: KnownFacts;
  fact<Name extends AskedFactName>(name: Name): Promise<AskedFacts[Name]>;
}

interface FactRow<Fact> {
  /**
   * Checks one from a file, since fields, paths and type names become part of requests. Without it the fact holds for
   * one session.
   */
  readonly stored?: v.GenericSchema<unknown, Fact>;
  /** @returns what the server says, perhaps of several facts. */
  readonly ask?: (question: FactQuestion) => Promise<KnownFacts>;
  /** Where the server does not say: for one session, and never stored. */
  readonly assumed?: Fact;
}

export const FACTS: { readonly [Name in keyof ServerFacts]: FactRow<ServerFacts[Name]> } = {
  ...SCHEMA_QUESTIONS,
  identity: {
    stored: v.pipe(
      v.object({
        /** A server without one may have been signed out or behind a gateway, so ask again in each session. */
        product: v.literal('DataHub'),
        version: v.optional(v.string()),
        entrance: v.picklist(['direct', 'front', 'unknown']),
      }),
      v.transform((identity) => ({ ...identity, version: identity.version })),
    ),
    ask: async ({ transport }) => ({ identity: await askServerIdentity(transport) }),
  },
  caller: {
    ask: async ({ graphql, known, pause }) => {
      const caller = await withRetries(() => requestCallerInfo(graphql), undefined, pause);
      return { caller, appVersion: caller.version ?? known.appVersion };
    },
  },
  durationPolicy: {
    // Not stored: an administrator changes it without an upgrade.
    ask: async (question) => {
      const isTold = await question.fact('tellsDurationPolicy');
      return isTold ? { durationPolicy: await askDurationPolicy(question.graphql) } : {};
    },
  },
  appVersion: { stored: v.string() },
  ownerField: { stored: v.picklist(['ownerUrn', 'actorUrn']) },
  operationsPath: { stored: v.picklist(OPERATION_PATHS) },
  forceFlags: { stored: v.boolean() },
};

/** The facts to store between sessions. */
export function factsToStore(known: KnownFacts): KnownFacts {
  return Object.fromEntries(
    Object.entries(known).filter(([name, fact]) => fact !== undefined && FACTS[name as keyof ServerFacts].stored),
  );
}

/** The stored facts that are still understood: anything else is asked again. */
export function parseStoredFacts(stored: unknown): KnownFacts {
  const values = v.safeParse(v.looseObject({}), stored);
  return Object.fromEntries(
    Object.entries(FACTS).flatMap(([name, { stored: schema }]) => {
      const fact = schema && values.success ? v.safeParse(schema, values.output[name]) : undefined;
      return fact?.success === true ? [[name, fact.output]] : [];
    }),
  );
}
