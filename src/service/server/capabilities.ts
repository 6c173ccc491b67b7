/**
 * What this server calls things: asked once per connection, each part when it is first needed, and remembered.
 * Everything in it is a constant of ours or a plain fact; no text of a server is kept but its version.
 */
import * as v from 'valibot';
import { SingleFlight } from '../http/waiting.ts';
import { askDurationPolicy, type DurationPolicy, type DurationRefusal } from '../tokens/durationPolicy.ts';
import { DURATIONS, type TokenDuration } from '../tokens/durations.ts';
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
import { askSchemaFacts, TOKEN_FIELDS, type SchemaFacts } from './schema.ts';
import type { SchemaSource } from '../tokens/tokens.ts';
import type { Transport } from '../http/transport.ts';

/** As it is remembered between sessions: JSON, free of secrets. */
export interface KnownCapabilities {
  readonly server?: ServerFacts | undefined;
  readonly schema?: SchemaFacts | undefined;
  readonly operationsPath?: string | undefined;
  readonly forceFlags?: boolean | undefined;
  /** Durations that the server ruled out by refusing them. */
  readonly refusedDurations?: readonly TokenDuration[] | undefined;
  /** The version that the server told with the caller's identity: another one means an upgrade. */
  readonly appVersion?: string | undefined;
}

/** What was remembered comes from a file: a field, a path or a type's name in it becomes part of a request, so only ours are let in. */
const optionalField = <T extends v.GenericSchema>(schema: T) => v.fallback(v.optional(schema), undefined);
const KNOWN = v.object({
  server: optionalField(
    v.object({
      product: v.optional(v.literal('DataHub')),
      version: v.optional(v.string()),
      entrance: v.picklist(['direct', 'front', 'unknown']),
    }),
  ),
  schema: optionalField(
    v.object({
      filterSpelling: v.picklist(['values', 'value']),
      filterHasCondition: v.boolean(),
      createInputType: v.picklist(['CreateAccessTokenInput', 'GetAccessTokenInput']),
      createTakesDescription: v.boolean(),
      createTakesDurationIso: v.boolean(),
      tokenFields: v.pipe(v.array(v.picklist(TOKEN_FIELDS)), v.minLength(1)),
      durations: v.optional(v.array(v.picklist(DURATIONS))),
      serviceAccounts: v.boolean(),
      tellsDurationPolicy: v.optional(v.boolean()),
      ownerField: v.optional(v.picklist(['ownerUrn', 'actorUrn'])),
    }),
  ),
  operationsPath: optionalField(v.picklist(OPERATION_PATHS)),
  forceFlags: optionalField(v.boolean()),
  refusedDurations: optionalField(v.array(v.picklist(DURATIONS))),
  appVersion: optionalField(v.string()),
});

export class ServerCapabilities implements SchemaSource, OperationsPathMemory {
  /** What the schema is asked over: it names the caller in the header that this server reads. */
  readonly graphql: GraphQLEndpoint;
  readonly #transport: Transport;
  readonly #typedProduct: string | undefined;
  readonly #remember: (known: KnownCapabilities) => void;
  readonly #askingServer = new SingleFlight<ServerFacts>();
  readonly #askingSchema = new SingleFlight<SchemaFacts>();
  readonly #askingPolicy = new SingleFlight<DurationPolicy | undefined>();
  #known: KnownCapabilities;
  /** Whether the schema was asked in this session: what was, is not doubted again. */
  #schemaIsFresh = false;
  /** Of this session only: an administrator changes it without any upgrade. */
  #durationPolicy: DurationPolicy | undefined;
  #policyWasAsked = false;
  /** Counts forgettings: an answer that was asked for before one is not written down after it. */
  #edition = 0;

  /**
   * @param actorUrn The caller, as a person typed it.
   * @param typedProduct The product's name as a person typed it; it wins over what the server says.
   * @param known What was remembered; whatever in it is none of ours is dropped.
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

  /** Forgets everything: after an upgrade of the server, or when a person asks. */
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

  async server(): Promise<ServerFacts> {
    if (this.#known.server !== undefined) {
      return this.#known.server;
    }
    const edition = this.#edition;
    const server = await this.#askingServer.get(() => askServerFacts(this.#transport));
    this.#update(edition, { server });
    return server;
  }

  /**
   * Asks the server anew who it is. Only when it says so is everything else forgotten: a server that is down for a moment is
   * still the one it was.
   */
  async renew(): Promise<ServerFacts> {
    const server = await askServerFacts(this.#transport);
    this.forget();
    this.#update(this.#edition, { server });
    return server;
  }

  /** Told of the version that came with the caller's identity, which is asked in every session. */
  sawVersion(appVersion: string | undefined): void {
    if (appVersion === undefined || appVersion === this.#known.appVersion) {
      return;
    }
    if (this.#known.appVersion !== undefined) {
      this.forget();
    }
    this.#update(this.#edition, { appVersion });
  }

  /** `X-<Product>-Actor` (PROTOCOL.md §3.4). */
  async actorHeader(): Promise<string> {
    return actorHeaderName(this.#typedProduct ?? (await this.server()).product ?? DEFAULT_PRODUCT);
  }

  async facts(): Promise<SchemaFacts> {
    if (this.#known.schema !== undefined) {
      return this.#known.schema;
    }
    const edition = this.#edition;
    const schema = await this.#askingSchema.get(() => askSchemaFacts(this.graphql));
    this.#schemaIsFresh = true;
    this.#update(edition, { schema });
    return schema;
  }

  learned(schema: SchemaFacts): void {
    this.#update(this.#edition, { schema });
  }

  doubtSchema(): boolean {
    if (this.#schemaIsFresh || this.#known.schema === undefined) {
      return false;
    }
    this.#update(this.#edition, { schema: undefined });
    return true;
  }

  /**
   * What new tokens may last, asked once in each session where the server tells; undefined where nothing is known.
   * @throws ServiceFailure when the server cannot be reached or does not accept the credential.
   */
  async durationPolicy(): Promise<DurationPolicy | undefined> {
    let schema = await this.facts();
    if (schema.tellsDurationPolicy === undefined && this.doubtSchema()) {
      schema = await this.facts();
    }
    if (schema.tellsDurationPolicy === true && !this.#policyWasAsked) {
      const edition = this.#edition;
      const told = await this.#askingPolicy.get(() => askDurationPolicy(this.graphql));
      if (edition === this.#edition && !this.#policyWasAsked) {
        this.#policyWasAsked = true;
        this.#durationPolicy = told ?? this.#durationPolicy;
        // What was refused before this session is known better now.
        this.#update(edition, told === undefined ? {} : { refusedDurations: undefined });
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
    this.#update(this.#edition, { refusedDurations: [...new Set([...this.refusedDurations, ...refused])] });
  }

  get(): string | undefined {
    return this.#known.operationsPath;
  }

  set(operationsPath: string | undefined): void {
    this.#update(this.#edition, { operationsPath });
  }

  async entrance(): Promise<ServerEntrance> {
    return (await this.server()).entrance;
  }

  /** Undefined until it was asked. Every release of a known product that has truncation at all has the flags. */
  get forceFlags(): boolean | undefined {
    return this.#known.server?.product === 'DataHub' ? true : this.#known.forceFlags;
  }

  learnedForceFlags(forceFlags: boolean): void {
    this.#update(this.#edition, { forceFlags });
  }

  #update(edition: number, facts: Partial<KnownCapabilities>): void {
    if (edition === this.#edition) {
      this.#known = { ...this.#known, ...facts };
      this.#remember(this.#known);
    }
  }
}

function parseKnownCapabilities(known: unknown): KnownCapabilities {
  const parsed = v.safeParse(KNOWN, known);
  if (!parsed.success) {
    return {};
  }
  const { server, schema, ...rest } = parsed.output;
  // A server that did not say who it is may have been signed out, or behind a gateway that has gone: it is asked in each session.
  return {
    ...rest,
    ...(schema === undefined ? {} : { schema: { ...schema, durations: schema.durations } }),
    ...(server?.product === undefined
      ? {}
      : { server: { ...server, product: server.product, version: server.version } }),
  };
}
