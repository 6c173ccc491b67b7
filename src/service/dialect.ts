/**
 * What this server calls things: asked once per connection, each part when it is first needed, and remembered.
 * Everything in it is a constant of ours or a plain fact; no text of a server is kept but its version.
 */
import type { GraphQL } from './graphql.ts';
import type { PathMemory } from './operations.ts';
import { DEFAULT_PRODUCT, actorHeaderName, askProduct } from './product.ts';
import type { Entrance, ServerFacts } from './product.ts';
import { askSchema } from './schema.ts';
import type { SchemaFacts } from './schema.ts';
import type { Transport } from './transport.ts';
import type { SchemaSource } from './tokens.ts';

/** As it is remembered between sessions: JSON, free of secrets. */
export interface Dialect {
  readonly server?: ServerFacts;
  readonly schema?: SchemaFacts;
  readonly operationsPath?: string;
  readonly forceFlags?: boolean;
}

export class DialectBook implements SchemaSource, PathMemory {
  readonly #transport: Transport;
  readonly #typedProduct: string | undefined;
  readonly #remember: (dialect: Dialect) => void;
  #graphql: GraphQL | undefined;
  #known: Dialect;
  /** Two views that ask at once share one request; that is why no caller's signal may abort it. */
  #asking: { server?: Promise<ServerFacts>; schema?: Promise<SchemaFacts> } = {};

  /**
   * @param typedProduct The product's name as a person typed it; it wins over what the server says.
   * @param known What was remembered.
   */
  constructor(transport: Transport, typedProduct: string | undefined, known: Dialect, remember: (dialect: Dialect) => void) {
    this.#transport = transport;
    this.#typedProduct = typedProduct;
    this.#known = known;
    this.#remember = remember;
  }

  /** The schema is asked over GraphQL, which needs the header's name from here: the circle is closed after both exist. */
  speakOver(graphql: GraphQL): void {
    this.#graphql = graphql;
  }

  get known(): Dialect {
    return this.#known;
  }

  /** Forgets everything: after an upgrade of the server, or when a person asks. */
  forget(): void {
    this.#asking = {};
    this.#update({}, true);
  }

  async server(): Promise<ServerFacts> {
    if (this.#known.server !== undefined) {
      return this.#known.server;
    }
    this.#asking.server ??= askProduct(this.#transport).finally(() => delete this.#asking.server);
    const server = await this.#asking.server;
    this.#update({ server });
    return server;
  }

  /** `X-<Product>-Actor` (spec §5). */
  async actorHeader(): Promise<string> {
    return actorHeaderName(this.#typedProduct ?? (await this.server()).product ?? DEFAULT_PRODUCT);
  }

  async facts(): Promise<SchemaFacts> {
    if (this.#known.schema !== undefined) {
      return this.#known.schema;
    }
    if (this.#graphql === undefined) {
      throw new TypeError('the dialect has nothing to speak over');
    }
    this.#asking.schema ??= askSchema(this.#graphql).finally(() => delete this.#asking.schema);
    const schema = await this.#asking.schema;
    this.#update({ schema });
    return schema;
  }

  learned(schema: SchemaFacts): void {
    this.#update({ schema });
  }

  get(): string | undefined {
    return this.#known.operationsPath;
  }

  set(operationsPath: string): void {
    this.#update({ operationsPath });
  }

  async entrance(): Promise<Entrance> {
    return (await this.server()).entrance;
  }

  /** Undefined until it was asked. Every release of a known product that has truncation at all has the flags. */
  get forceFlags(): boolean | undefined {
    return this.#known.server?.product === 'DataHub' ? true : this.#known.forceFlags;
  }

  learnedForceFlags(forceFlags: boolean): void {
    this.#update({ forceFlags });
  }

  #update(facts: Partial<Dialect>, anew = false): void {
    this.#known = anew ? facts : { ...this.#known, ...facts };
    this.#remember(this.#known);
  }
}
