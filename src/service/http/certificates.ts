/** Sends nothing over TLS while certificates aren't checked. */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../failure/failure.ts';

/**
 * Reads the variable of Node.js, which any extension can set for a moment. Once off, the checks count as off
 * until a restart: connections opened meanwhile stay open, and would carry a token later.
 */
export function certificateChecks(environment: Readonly<NodeJS.ProcessEnv>): () => boolean {
  let wereOff = false;
  return () => {
    wereOff ||= environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
    return !wereOff;
  };
}

/**
 * Refuses even a request without a token: its connection would be reused for one with a token.
 * @throws ServiceFailure `tls`
 */
export function refuseUnchecked({ protocol }: URL, areChecked: () => boolean): void {
  if (protocol === 'https:' && !areChecked()) {
    throw new ServiceFailure(
      'tls',
      l10n.t('NODE_TLS_REJECT_UNAUTHORIZED turned off certificate checks, so nothing was sent.'),
      { next: l10n.t('Restart VS Code without that environment variable.') },
    );
  }
}
