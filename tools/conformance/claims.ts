import type { ServerClaim } from './claim.ts';
import { DRY_RUN_CLAIMS } from './dryRunClaims.ts';
import { IDENTITY_CLAIMS } from './identityClaims.ts';
import { INDEX_CLAIMS } from './indexClaims.ts';
import { SCHEMA_CLAIMS } from './schemaClaims.ts';
import { SERVER_CLAIMS } from './serverClaims.ts';
import { TOKEN_CLAIMS } from './tokenClaims.ts';

/** All claims in the order in which they are checked: later ones use results of earlier ones. */
export const CLAIMS: readonly ServerClaim[] = [
  ...IDENTITY_CLAIMS,
  ...SCHEMA_CLAIMS,
  ...SERVER_CLAIMS,
  ...TOKEN_CLAIMS,
  ...INDEX_CLAIMS,
  ...DRY_RUN_CLAIMS,
];

const DELETES = 'It deletes rows.';
const CREATES = 'It would create another token, and one that may never expire.';
const ASKED_ON_REQUEST = 'A token is looked up only after the user agreed to send it.';
const BY_CHANCE = "It can't be provoked from outside.";

/** Recorded exchanges of the client that no claim covers, with the reason. */
export const UNASKED_EXCHANGES: Readonly<Record<string, string>> = {
  execution: DELETES,
  'execution-of-an-index-without-alias': DELETES,
  'execution-on-postgres': DELETES,
  'spec-execution': DELETES,
  'token-lookup-unknown': ASKED_ON_REQUEST,
  'token-lookup-refused': ASKED_ON_REQUEST,
  'spec-token-lookup-missing': ASKED_ON_REQUEST,
  'token-created-for-iso-length': CREATES,
  'token-length-not-allowed': CREATES,
  'token-length-not-allowed-early': CREATES,
  'token-never-expiring-disabled': CREATES,
  'token-never-expiring-disabled-early': CREATES,
  'token-of-one-week': CREATES,
  'token-of-one-week-on-0.14': CREATES,
  'front-timed-out': BY_CHANCE,
  'sizes-failing': BY_CHANCE,
  throttled: BY_CHANCE,
  'transaction-conflict': BY_CHANCE,
};
