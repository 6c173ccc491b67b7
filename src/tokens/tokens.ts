/** Token lists of all connections, and memories of tokens created or rotated here. */
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { Notices } from '../ui/notices.ts';
import { CreatedTokens } from './createdTokens.ts';
import { SupersededTokens } from './supersededTokens.ts';
import { TokenLists } from './tokenLists.ts';

export interface TokenStores {
  readonly created: CreatedTokens;
  readonly superseded: SupersededTokens;
  readonly tokenLists: TokenLists;
}

/** @param memory Shared by all windows. */
export function createTokenStores({ store, credentials, services }: ConnectionParts, memory: Memento): TokenStores {
  const created = new CreatedTokens(memory);
  credentials.onDidSignOut((id) => created.releaseSecrets(id));
  const superseded = new SupersededTokens(memory);
  return { created, superseded, tokenLists: new TokenLists(store, credentials, services, created, superseded) };
}

/** Dependencies of the token flows. */
export interface TokenFlowParts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly tokenLists: TokenLists;
  readonly created: CreatedTokens;
  readonly superseded: SupersededTokens;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}
