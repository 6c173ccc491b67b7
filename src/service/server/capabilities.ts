/**
 * Facts about one server, each asked once when first needed, and remembered.
 * Holds only our constants and plain facts; the version is the only text of the server.
 */
import * as v from 'valibot';
import { SingleFlight } from '../http/waiting.ts';
import {
  askDurationPolicy,
  type DurationPolicy,
  type DurationRefusal,
  DURATIONS,
  type TokenDuration,
} from '../tokens/durations.ts';
import { GraphQLEndpoint } from '../http/graphql.ts';
import { toHeaderValue } from './identifiers.ts';
import { OPERATION_PATHS, type OperationsPathMemory } from './operationsEndpoint.ts';
import {
  actorHeaderName,
  askServerFacts,
  DEFAULT_PRODUCT,
  type ServerEntrance,
  type ServerFacts,
} from './serverInfo.ts';
import { askSchemaFacts, SERVICE_ACCOUNT_FIELDS, TOKEN_FIELDS, type SchemaFacts } from './schema.ts';
import type { SchemaFactsSource } from '../tokens/tokens.ts';
import type { Transport } from '../http/transport.ts';

/** As stored between sessions: JSON, free of secrets. */
export interface KnownCapabilities {
  readonly server?: ServerFacts | undefined;
  readonly schema?: SchemaFacts | undefined;
  readonly operationsPath?: string | undefined;
  readonly forceFlags?: boolean | undefined;
  /** Durations that the server has refused. */
  readonly refusedDurations?: readonly TokenDuration[] | undefined;
  /** From the caller's information. Another version means an upgrade. */
  readonly appVersion?: string | undefined;
}

/** Comes from a file. Its fields, paths and type names become part of requests, so only known ones are accepted. */
const optionalField = <T extends v.GenericSchema>(schema: T) => v.fallback(v.optional(schema), undefined);
const KNOWN = v.object({
  server: optionalField(
    v.pipe(
      v.object({
        /** A server without one may have been signed out or behind a gateway, so ask again in each session. */
        product: v.literal('DataHub'),
        version: v.optional(v.string()),
        entrance: v.picklist(['direct', 'front', 'unknown']),
      }),
      v.transform((server) => ({ ...server, version: server.version })),
    ),
  ),
  schema: optionalField(
    v.pipe(
      v.object({
        filterSpelling: v.picklist(['values', 'value']),
        filterHasCondition: v.boolean(),
        createInputType: v.picklist(['CreateAccessTokenInput', 'GetAccessTokenInput']),
        createTakesDescription: v.boolean(),
        createTakesDurationIso: v.boolean(),
        tokenFields: v.pipe(v.array(v.picklist(TOKEN_FIELDS)), v.minLength(1)),
        durations: v.optional(v.array(v.picklist(DURATIONS))),
        serviceAccounts: v.boolean(),
        filterHasAbsence: v.optional(v.boolean()),
        serviceAccountFields: v.optional(v.array(v.picklist(SERVICE_ACCOUNT_FIELDS))),
        tellsDurationPolicy: v.optional(v.boolean()),
        ownerField: v.optional(v.picklist(['ownerUrn', 'actorUrn'])),
      }),
      v.transform((schema) => ({ ...schema, durations: schema.durations })),
    ),
  ),
  operationsPath: optionalField(v.picklist(OPERATION_PATHS)),
  forceFlags: optionalField(v.boolean()),
  refusedDurations: optionalField(v.array(v.picklist(DURATIONS))),
  appVersion: optionalField(v.string()),
});

export class ServerCapabilities implements SchemaFactsSource, OperationsPathMemory {
  /** Names the caller in the header that this server reads. */
  readonly graphql: GraphQLEndpoint;
  readonly #transport: Transport;
  readonly #typedProduct: string | undefined;
  readonly #remember: (known: KnownCapabilities) => void;
  readonly #askingServer = new SingleFlight<ServerFacts>();
  readonly #askingSchema = new SingleFlight<SchemaFacts>();
  readonly #askingPolicy = new SingleFlight<DurationPolicy | undefined>();
  #known: KnownCapabilities;
  /** True if the schema was read in this session. Then it is not doubted again. */
  #schemaIsFresh = false;
  /** Kept for this session only: an administrator changes it without an upgrade. */
  #durationPolicy: DurationPolicy | undefined;
  #policyWasAsked = false;
  /** Counts calls of `forget`: a response to an earlier question is not stored. */
  #edition = 0;

  /**
   * @param actorUrn The caller, as the user typed it.
   * @param typedProduct Product name from the user. It wins over the server's own.
   * @param known Remembered facts. Unknown values are dropped.
   */
  constructor(
    transport: Transport,
    actorUrn: string,
    typedProduct: string | undefined,
    known: unknown,
    remember: (known: KnownCapabilities) => void,
  ) {
    this.#transport = transport;
    this.graphql = new GraphQLEndpoint(transport, async () => ({
      [await this.actorHeader()]: toHeaderValue(actorUrn),
    }));
    this.#typedProduct = typedProduct;
    this.#remember = remember;
    this.#known = parseKnownCapabilities(known);
  }

  get known(): KnownCapabilities {
    return this.#known;
  }

  /** Forgets everything: after an upgrade of the server, or on request of the user. */
  forget(): void {
    this.#edition++;
    this.#askingServer.forget();
    this.#askingSchema.forget();
    this.#askingPolicy.forget();
    this.#schemaIsFresh = false;
    this.#durationPolicy = undefined;
    this.#policyWasAsked = false;
    this.#known = {};
    this.#remember({});
  }

  async serverFacts(): Promise<ServerFacts> {
    if (this.#known.server !== undefined) {
      return this.#known.server;
    }
    const edition = this.#edition;
    const server = await this.#askingServer.get(() => askServerFacts(this.#transport));
    this.#updateKnown(edition, { server });
    return server;
  }

  /**
   * Asks the server again who it is, and forgets the rest only once it answers: a server that is down
   * for a moment is still the same.
   */
  async renew(): Promise<ServerFacts> {
    const server = await askServerFacts(this.#transport);
    this.forget();
    this.#updateKnown(this.#edition, { server });
    return server;
  }

  /** Notes the version from the caller's information, which is read in every session. */
  noteVersion(appVersion: string | undefined): void {
    if (appVersion === undefined || appVersion === this.#known.appVersion) {
      return;
    }
    if (this.#known.appVersion !== undefined) {
      this.forget();
    }
    this.#updateKnown(this.#edition, { appVersion });
  }

  /** `X-<Product>-Actor` (PROTOCOL.md §3.4). */
  async actorHeader(): Promise<string> {
    return actorHeaderName(this.#typedProduct ?? (await this.serverFacts()).product ?? DEFAULT_PRODUCT);
  }

  async schemaFacts(): Promise<SchemaFacts> {
    if (this.#known.schema !== undefined) {
      return this.#known.schema;
    }
    const edition = this.#edition;
    const schema = await this.#askingSchema.get(() => askSchemaFacts(this.graphql));
    this.#schemaIsFresh = true;
    this.#updateKnown(edition, { schema });
    return schema;
  }

  /** Asks again if the known facts are from an older release of ours, which lack some answers. */
  async completeSchemaFacts(): Promise<SchemaFacts> {
    const schema = await this.schemaFacts();
    return schema.filterHasAbsence === undefined && this.doubtSchema() ? this.schemaFacts() : schema;
  }

  learnSchema(schema: SchemaFacts): void {
    this.#updateKnown(this.#edition, { schema });
  }

  doubtSchema(): boolean {
    if (this.#schemaIsFresh || this.#known.schema === undefined) {
      return false;
    }
    this.#updateKnown(this.#edition, { schema: undefined });
    return true;
  }

  /**
   * Durations that the server allows, asked once in each session; undefined if unknown.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async durationPolicy(): Promise<DurationPolicy | undefined> {
    const schema = await this.completeSchemaFacts();
    if (schema.tellsDurationPolicy === true && !this.#policyWasAsked) {
      const edition = this.#edition;
      const reported = await this.#askingPolicy.get(() => askDurationPolicy(this.graphql));
      if (edition === this.#edition && !this.#policyWasAsked) {
        this.#policyWasAsked = true;
        this.#durationPolicy = reported ?? this.#durationPolicy;
        // The policy replaces refusals from before this session.
        this.#updateKnown(edition, reported === undefined ? {} : { refusedDurations: undefined });
      }
    }
    return this.#durationPolicy;
  }

  get refusedDurations(): readonly TokenDuration[] {
    return this.#known.refusedDurations ?? [];
  }

  durationRefused({ refused, lengths }: DurationRefusal): void {
    if (lengths !== undefined) {
      this.#durationPolicy = { allowsNoExpiry: this.#durationPolicy?.allowsNoExpiry, lengths };
    }
    this.#updateKnown(this.#edition, { refusedDurations: [...new Set([...this.refusedDurations, ...refused])] });
  }

  knownPath(): string | undefined {
    return this.#known.operationsPath;
  }

  rememberPath(operationsPath: string | undefined): void {
    this.#updateKnown(this.#edition, { operationsPath });
  }

  async entrance(): Promise<ServerEntrance> {
    return (await this.serverFacts()).entrance;
  }

  /** Undefined until known. Every release of a known product with truncation has the flags. */
  get forceFlags(): boolean | undefined {
    return this.#known.server?.product === 'DataHub' ? true : this.#known.forceFlags;
  }

  learnedForceFlags(forceFlags: boolean): void {
    this.#updateKnown(this.#edition, { forceFlags });
  }

  #updateKnown(edition: number, facts: Partial<KnownCapabilities>): void {
    if (edition === this.#edition) {
      this.#known = { ...this.#known, ...facts };
      this.#remember(this.#known);
    }
  }
}

function parseKnownCapabilities(known: unknown): KnownCapabilities {
  const parsed = v.safeParse(KNOWN, known);
  return parsed.success ? parsed.output : {};
}
