import type { DatabaseSync } from 'node:sqlite';
import type { Profile } from './profiles.ts';
import type { Tasks } from './tasks.ts';
import type { TimeIndices } from './timeIndices.ts';
import type { TokenStore } from './tokens.ts';

/** Everything behind the protocol: what the endpoints of all profiles work on. */
export interface Platform {
  readonly profile: Profile;
  readonly database: DatabaseSync;
  readonly tokens: TokenStore;
  readonly indices: TimeIndices;
  readonly tasks: Tasks;
  readonly quirks: Quirks;
  /** The server's clock, Unix ms. */
  readonly clock: () => number;
}

/** Behaviours that differ between installations of the same version. */
export interface Quirks {
  /** Introspection of the GraphQL schema is answered. */
  readonly introspection: boolean;
  /** A revoked token that the search index still knows makes the listing fail, or is left out of it. */
  readonly staleRows: 'fail' | 'omit';
  /** How many more tokens the listing's total claims than there are. */
  readonly phantomTokens: number;
  /** Between the digits of a percentage, as the locale of the server's process has it. */
  readonly decimalSeparator: '.' | ',';
  /** How long an index replaced by a reindex goes on taking space, in ms. */
  readonly oldIndexMillis: number;
}
