/**
 * Clients for tests: signed in, impatient, and with known facts about the server if a test is not about learning
 * them.
 */
import assert from 'node:assert/strict';
import { FACTS, LISTING_BY_DESCRIPTION, type AskedFacts, type KnownFacts } from '../../../src/service/server/facts.ts';
import { ServiceFailure, type FailureKind, type ServerOperation } from '../../../src/service/failure/failure.ts';
import { MetadataService } from '../../../src/service/service.ts';
import { Transport, type MayStillSend, type TransportOptions } from '../../../src/service/http/transport.ts';

/** A token of no user, with the shape and length of a real one. */
export const CREDENTIAL =
  'eyJhbGciOiJIUzI1NiJ9.eyJhY3RvcklkIjoiZGF0YWh1YiIsInZlcnNpb24iOiIyIn0.c2lnbmF0dXJlLW9mLW5vLXRva2VuLWF0LWFsbA';
export const ME = 'urn:li:corpuser:datahub';

/** The gate of a change that nothing speaks against. */
export const ALWAYS: MayStillSend = () => Promise.resolve();

/** The argument of `Transport.exchange`. */
export type TransportRequest = Parameters<Transport['exchange']>[0];

export type ServiceOptions = ConstructorParameters<typeof MetadataService>[0];

export const READING: ServerOperation = { name: 'reading', actionPhrase: () => 'read' };

export const GET: TransportRequest = { operation: READING, method: 'GET', path: '/config' };
/** A change whose body is longer in bytes than in characters. */
export const CHANGE = {
  operation: READING,
  method: 'POST',
  path: '/operations',
  body: '{"name":"größe 😀","dryRun":false}',
  mayStillSend: ALWAYS,
} as const satisfies TransportRequest;

/** The facts that one type of the schema each shows. */
export type SchemaFacts = KnownFacts & Pick<AskedFacts, 'filter' | 'tokenFields' | 'creation'>;

/** Assumed of a server with introspection off. client.test.ts compares it, and the next two, with recordings. */
export const SCHEMA_OF_0_14 = Object.fromEntries(
  Object.entries(FACTS).flatMap(([name, row]) => ('assumed' in row ? [[name, row.assumed]] : [])),
) as object as SchemaFacts;

export const SCHEMA_OF_1_6: SchemaFacts = {
  ...SCHEMA_OF_0_14,
  serviceAccountFields: ['urn', 'name', 'displayName'],
};

export const SCHEMA_OF_SPEC: SchemaFacts = {
  ...SCHEMA_OF_0_14,
  ...LISTING_BY_DESCRIPTION,
  creation: { inputType: 'GetAccessTokenInput', takesDescription: false },
};

/** The response to a question for one type of the schema: these names in a part of it, or null for no such type. */
export const typeAnswer = (part: 'fields' | 'inputFields' | 'enumValues', names: readonly string[] | null): object => ({
  data: { type: names && { [part]: names.map((name) => ({ name })) } },
});

/** A known server whose schema is not known yet. */
export const KNOWN_PLACE: KnownFacts = {
  identity: { product: 'DataHub', version: 'v1.7.0.1', entrance: 'direct' },
  operationsPath: '/operations',
};

/** Facts about a known server. The client sends it only the requests of a test. */
export const KNOWN_FACTS: KnownFacts = { ...KNOWN_PLACE, ...SCHEMA_OF_1_6 };

/** Records the pauses without waiting. */
export function recordedPauses(): { readonly pauses: number[]; readonly pause: (millis: number) => Promise<void> } {
  const pauses: number[] = [];
  return {
    pauses,
    pause: (millis) => {
      pauses.push(millis);
      return Promise.resolve();
    },
  };
}

export function serviceAt(baseUrl: string, options: Partial<ServiceOptions> = {}): MetadataService {
  return new MetadataService({
    baseUrl,
    actorUrn: ME,
    product: undefined,
    readSecrets: () => Promise.resolve({ token: CREDENTIAL }),
    timeoutMillis: () => 20_000,
    knownFacts: KNOWN_FACTS,
    pause: recordedPauses().pause,
    ...options,
  });
}

export function transportAt(baseUrl: string, options: Partial<TransportOptions> = {}): Transport {
  return new Transport({
    baseUrl,
    readSecrets: () => Promise.resolve({ token: CREDENTIAL }),
    timeoutMillis: () => 20_000,
    ...options,
  });
}

/** The failure of work. Any other result fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<ServiceFailure> {
  const outcome: unknown = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  assert.ok(outcome instanceof ServiceFailure, `expected a ServiceFailure, got ${String(outcome)}`);
  assertTellable(outcome);
  return outcome;
}

/** Others always have a next step. */
const MAY_LACK_NEXT_STEP: ReadonlySet<FailureKind> = new Set([
  'badRequest',
  'cancelled',
  'notFound',
  'unsupported',
  'notSent',
]);

/** A failure says in one sentence what happened, and in others what to do. */
export function assertTellable({ name, kind, message, next, operation }: ServiceFailure): void {
  assert.equal(name, 'ServiceFailure');
  assert.match(message, /^["\p{Lu}\d](?:[^{}]*\.$|[^{}]*: .)|^[\w.:[\]-]+ [^{}]+\.$/u);
  assert.ok(next !== undefined || MAY_LACK_NEXT_STEP.has(kind), `${kind} without a next step: ${message}`);
  assert.match(next ?? 'None.', /^\p{Lu}[^{}]+\.$/u);
  assert.notEqual(operation, '');
}

/** Twelve consecutive characters would reveal a secret. */
export function assertNoTrace(text: string, secret: string): void {
  for (let at = 0; at + 12 <= secret.length; at++) {
    assert.ok(!text.includes(secret.slice(at, at + 12)), text);
  }
}
