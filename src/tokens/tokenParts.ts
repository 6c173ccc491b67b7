import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { Clipboard } from '../ui/clipboard.ts';
import type { Notices } from '../ui/notices.ts';
import type { CreatedTokens } from './createdTokens.ts';
import type { SupersededTokens } from './supersededTokens.ts';
import type { TokenLists } from './tokenLists.ts';

/** What the flows of access tokens need of the program. */
export interface TokenParts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly tokenLists: TokenLists;
  readonly created: CreatedTokens;
  readonly superseded: SupersededTokens;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}
