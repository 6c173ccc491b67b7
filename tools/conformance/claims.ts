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
