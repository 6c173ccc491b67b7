/** Token lists of all connections, and memories of tokens created or rotated here. */
import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool, ConnectionParts } from '../connections/servicePool.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import type { Connection } from '../connections/connection.ts';
import { mayRotate } from '../connections/credentialLife.ts';
import { ConnectionLists } from '../connections/loadableList.ts';
import { CONTEXT_KEYS } from '../manifest.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import { heldTokensOf, type HeldTokens } from './heldTokens.ts';
import { TokenMemory } from './tokenMemory.ts';
import { TokenList } from './tokenList.ts';
import type { TokenListOrder } from './tokenOrder.ts';
import type { Folders } from '../platform/folder.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { Notices } from '../ui/notices.ts';

export class TokenLists extends ConnectionLists<TokenList> {
  readonly #store: ConnectionStore;
  readonly #services: ServicePool;
  readonly #memory: TokenMemory;
  readonly #order: Storage<TokenListOrder>;
  /** By context key, as VS Code has them. */
  readonly #counts = new Map<string, number>();

  constructor(
    store: ConnectionStore,
    credentials: CredentialStore,
    services: ServicePool,
    held: HeldTokens,
    memory: TokenMemory,
    shared: Memento,
  ) {
    super(store, credentials);
    this.#store = store;
    this.#services = services;
    this.#memory = memory;
    this.#order = new Storage(shared, 'tokenOrder', (stored) =>
      stored === 'name' || stored === 'created' ? stored : undefined,
    );
    this.subscriptions.push(
      // Rows show whether the value is still held, and whether a rotation replaced the token.
      held.onDidChange((id) => this.announce(id)),
      memory.onDidChange((id) => this.announce(id)),
      // The first list tells whether the user may create tokens.
      this.onDidChange(() => this.#countCreatable()),
      store.onDidChange(() => this.#countCreatable()),
    );
  }

  get order(): TokenListOrder {
    return this.#order.get('') ?? 'expiry';
  }

  async changeOrder(order: TokenListOrder): Promise<void> {
    await this.#order.set('', order);
    for (const list of this.lists.values()) {
      list.orderChanged();
    }
  }

  protected override createList(connectionId: string): TokenList {
    return new TokenList(
      {
        listTokenPage: async (request, signal) => {
          const connection = this.#store.get(connectionId);
          if (connection === undefined) {
            return { tokens: [], received: 0, total: 0 };
          }
          const service = this.#services.get(connection);
          const remembered = this.#memory.load();
          const page =
            request.scope === 'all'
              ? await service.tokens.list({ ...request, scope: { kind: 'all' } }, signal)
              : await service.tokens.listOwn(request, signal);
          await remembered;
          return { ...page, tokens: page.tokens.map((token) => this.#memory.withRemembered(connectionId, token)) };
        },
        canCompare: async () => {
          const connection = this.#store.get(connectionId);
          return connection !== undefined && this.#services.get(connection).tokens.canCompare();
        },
      },
      () => this.order,
      () => this.announce(connectionId),
    );
  }

  /** For the palette, which leaves out what can't work. */
  #countCreatable(): void {
    const { creatableConnectionCount, rotatableConnectionCount } = CONTEXT_KEYS;
    this.#count(
      creatableConnectionCount,
      (one) => one.role !== 'readOnly' && !this.#services.get(one).tokens.cannotCreate('any'),
    );
    this.#count(rotatableConnectionCount, (one) => mayRotate(this.#services, one));
  }

  #count(key: string, isCounted: (connection: Connection) => boolean): void {
    const count = this.#store.all().filter(isCounted).length;
    if (count !== this.#counts.get(key)) {
      this.#counts.set(key, count);
      void vscode.commands.executeCommand('setContext', key, count);
    }
  }
}

interface TokenStores {
  readonly held: HeldTokens;
  readonly memory: TokenMemory;
  readonly tokenLists: TokenLists;
}

export function createTokenStores(
  { store, credentials, services }: ConnectionParts,
  folders: Folders,
  shared: Memento,
): TokenStores {
  const held = heldTokensOf(store, credentials);
  const memory = new TokenMemory(folders('tokens'));
  return { held, memory, tokenLists: new TokenLists(store, credentials, services, held, memory, shared) };
}

export interface TokenFlowParts extends ConnectionParts, TokenStores {
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}
