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
import { OPERATION_PATHS, type OperationsFacts } from './operationsEndpoint.ts';
import {
  actorHeaderName,
  askServerFacts,
  DEFAULT_PRODUCT,
  type ServerEntrance,
  type ServerFacts,
} from './serverInfo.ts';
import {
  askSchemaFact,
  SCHEMA_QUESTIONS,
  SERVICE_ACCOUNT_FIELDS,
  TOKEN_FIELDS,
  type ListingSchema,
  type SchemaFactName,
  type SchemaFacts,
} from './schema.ts';
import type { Transport } from '../http/transport.ts';
import type { SchemaFactsSource } from '../tokens/tokens.ts';

/** As stored between sessions: JSON, free of secrets. */
export interface KnownCapabilities {
  readonly server?: ServerFacts | undefined;
  /** Only what the server says: anything else is assumed, for one session. */
  readonly schema?: { readonly [Name in SchemaFactName]?: SchemaFacts[Name] | undefined } | undefined;
  readonly ownerField?: ListingSchema['ownerField'];
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
    // Strict, since another shape is of a version that stored guesses too.
    v.strictObject({
      filter: optionalField(
        v.object({
          spelling: v.picklist(['values', 'value']),
          hasCondition: v.boolean(),
          hasAbsence: v.boolean(),
        }),
      ),
      tokenFields: optionalField(v.pipe(v.array(v.picklist(TOKEN_FIELDS)), v.minLength(1))),
      creation: optionalField(
        v.object({
          inputType: v.picklist(['CreateAccessTokenInput', 'GetAccessTokenInput']),
          takesDescription: v.boolean(),
          takesDurationIso: v.boolean(),
        }),
      ),
      durations: optionalField(v.array(v.picklist(DURATIONS))),
      tellsDurationPolicy: optionalField(v.boolean()),
      serviceAccountFields: optionalField(v.array(v.picklist(SERVICE_ACCOUNT_FIELDS))),
    }),
  ),
  ownerField: optionalField(v.picklist(['ownerUrn', 'actorUrn'])),
  operationsPath: optionalField(v.picklist(OPERATION_PATHS)),
  forceFlags: optionalField(v.boolean()),
  refusedDurations: optionalField(v.array(v.picklist(DURATIONS))),
  appVersion: optionalField(v.string()),
});

export class ServerCapabilities implements SchemaFactsSource, OperationsFacts {
  /** Names the caller in the header that this server reads. */
  readonly graphql: GraphQLEndpoint;
  readonly #transport: Transport;
  readonly #actorUrn: string | undefined;
  readonly #typedProduct: string | undefined;
  readonly #remember: (known: KnownCapabilities) => void;
  readonly #askingServer = new SingleFlight<ServerFacts>();
  readonly #askingPolicy = new SingleFlight<DurationPolicy | undefined>();
  #known: KnownCapabilities;
  /** Asked in this session, so not doubted or asked again. */
  #askedSchema = new Map<SchemaFactName, Promise<unknown>>();
  /** Two lanes: each question starts after the last one in its lane. */
  readonly #schemaRequests: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  /** Kept for this session only: an administrator changes it without an upgrade. */
  #durationPolicy: DurationPolicy | undefined;
  #policyWasAsked = false;
  /** Counts calls of `forget`: a response to an earlier question is not stored. */
  #edition = 0;

  /**
   * @param actorUrn The caller, as typed or learned. Undefined if unknown.
   * @param typedProduct Product name from the user. It wins over the server's own.
   * @param known Remembered facts. Unknown values are dropped.
   */
  constructor(
    transport: Transport,
    actorUrn: string | undefined,
    typedProduct: string | undefined,
    known: unknown,
    remember: (known: KnownCapabilities) => void,
  ) {
    this.#transport = transport;
    this.#actorUrn = actorUrn;
    this.graphql = new GraphQLEndpoint(transport, () => this.callerHeader());
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
    this.#askingPolicy.forget();
    this.#askedSchema = new Map();
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

  /** Names the caller, which decides where authentication is off (PROTOCOL.md §3.4). */
  async callerHeader(): Promise<Readonly<Record<string, string>>> {
    return this.#actorUrn === undefined ? {} : { [await this.actorHeader()]: toHeaderValue(this.#actorUrn) };
  }

  /**
   * One fact about the schema; assumed if the server does not say.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async schemaFact<Name extends SchemaFactName>(name: Name): Promise<SchemaFacts[Name]> {
    const known: SchemaFacts[Name] | undefined = this.#known.schema?.[name];
    if (known !== undefined) {
      return known;
    }
    const edition = this.#edition;
    const fact = (await (this.#askedSchema.get(name) ?? this.#askSchema(name))) as SchemaFacts[Name] | undefined;
    // A validation error may have taught more meanwhile.
    if (fact !== undefined && edition === this.#edition && this.#known.schema?.[name] === undefined) {
      this.learnSchema({ [name]: fact });
    }
    return fact ?? SCHEMA_QUESTIONS[name].assumed;
  }

  #askSchema(name: SchemaFactName): Promise<unknown> {
    const asked = this.#askedSchema;
    const asking = (this.#schemaRequests.shift() ?? Promise.resolve()).then(() => askSchemaFact(this.graphql, name));
    this.#schemaRequests.push(asking.catch(() => asked.delete(name)));
    asked.set(name, asking);
    return asking;
  }

  async listingSchema(): Promise<ListingSchema> {
    const [filter, tokenFields] = await Promise.all([this.schemaFact('filter'), this.schemaFact('tokenFields')]);
    return { filter, tokenFields, ownerField: this.#known.ownerField };
  }

  learnSchema({ ownerField = this.#known.ownerField, ...facts }: Partial<ListingSchema & SchemaFacts>): void {
    this.#updateKnown(this.#edition, { schema: { ...this.#known.schema, ...facts }, ownerField });
  }

  /** Drops these facts if they are from earlier sessions, so that they are asked again; false if none is. */
  doubtSchema(...names: readonly SchemaFactName[]): boolean {
    const doubted = names.filter((name) => this.#known.schema?.[name] !== undefined && !this.#askedSchema.has(name));
    if (doubted.length === 0) {
      return false;
    }
    const kept = Object.entries(this.#known.schema ?? {}).filter(([name]) => !doubted.includes(name as SchemaFactName));
    this.#updateKnown(this.#edition, { schema: Object.fromEntries(kept) });
    return true;
  }

  /**
   * Durations that the server allows, asked once in each session; undefined if unknown.
   * @throws ServiceFailure if the server can't be reached or rejects the credential.
   */
  async durationPolicy(): Promise<DurationPolicy | undefined> {
    if ((await this.schemaFact('tellsDurationPolicy')) && !this.#policyWasAsked) {
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

  /** Release of the server, such as `v1.6.0.16`; undefined until known, and if the server doesn't say. */
  get release(): string | undefined {
    return this.#known.server?.version ?? this.#known.appVersion;
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
