/** One server, as one person: everything the extension asks of it. */
import { DialectBook } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import { GraphQL } from './graphql.ts';
import { introduce } from './identity.ts';
import type { Introduction } from './identity.ts';
import { Indices } from './indices.ts';
import { Operations } from './operations.ts';
import type { ServerFacts } from './product.ts';
import { withRetries } from './retry.ts';
import type { SchemaFacts } from './schema.ts';
import { Tasks } from './tasks.ts';
import { Tokens } from './tokens.ts';
import { Transport } from './transport.ts';
import type { TransportOptions } from './transport.ts';

export interface ServiceOptions extends TransportOptions {
  /** `urn:li:corpuser:<id>`, as `checkActor` gives it. */
  readonly actorUrn: string;
  /** As a person typed it; undefined: found out. */
  readonly product: string | undefined;
  readonly dialect?: Dialect | undefined;
  readonly rememberDialect?: (dialect: Dialect) => void;
}

/** What a test of the connection finds. */
export interface Greeting extends Introduction {
  readonly server: ServerFacts;
}

export class Service {
  readonly actorUrn: string;
  readonly tokens: Tokens;
  readonly indices: Indices;
  readonly tasks: Tasks;
  readonly dialect: DialectBook;
  readonly #transport: Transport;
  readonly #graphql: GraphQL;
  #introduction: Promise<Introduction> | undefined;

  constructor(options: ServiceOptions) {
    this.actorUrn = options.actorUrn;
    this.#transport = new Transport(options);
    this.dialect = new DialectBook(this.#transport, options.product, options.dialect ?? {}, options.rememberDialect ?? (() => undefined));
    this.#graphql = new GraphQL(this.#transport, async () => ({ [await this.dialect.actorHeader()]: this.actorUrn }));
    this.dialect.speakOver(this.#graphql);
    const operations = new Operations(this.#transport, this.dialect);
    this.tokens = new Tokens(this.#graphql, this.dialect);
    this.indices = new Indices(operations, this.#transport);
    this.tasks = new Tasks(operations, this.#transport);
  }

  /** Who the server takes us for; asked once. A server that does not say is no failure. */
  introduction(signal?: AbortSignal): Promise<Introduction> {
    this.#introduction ??= withRetries(() => introduce(this.#graphql, signal), signal).catch((thrown: unknown) => {
      this.#introduction = undefined;
      throw thrown;
    });
    return this.#introduction;
  }

  /** The caller's URN: as the server knows it, else as the connection says. Own tokens are listed by it. */
  async caller(signal?: AbortSignal): Promise<string> {
    return (await this.introduction(signal)).identity?.actorUrn ?? this.actorUrn;
  }

  schema(): Promise<SchemaFacts> {
    return this.dialect.facts();
  }

  /**
   * Finds out anew who answers and what one may do there.
   * @throws ServiceFailure with what is wrong and where.
   */
  async greet(signal?: AbortSignal): Promise<Greeting> {
    this.dialect.forget();
    this.#introduction = undefined;
    const server = await withRetries(() => this.dialect.server(), signal);
    const introduction = await this.introduction(signal);
    if (introduction.identity === undefined) {
      // Nobody said who we are: that GraphQL answers at all, and takes us, is shown by the smallest listing.
      await this.tokens.list({ scope: { kind: 'owned', ownerUrn: this.actorUrn }, filters: [], start: 0, count: 1 }, signal);
    }
    return { ...introduction, server, version: server.version ?? introduction.version };
  }

  /** Aborts what is under way; nothing is sent any more. */
  close(): void {
    this.#transport.close();
  }
}
