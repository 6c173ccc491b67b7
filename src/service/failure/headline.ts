/** The short reason of a failure: what a row of a tree or of a list has room for, before the sentence that tells the rest. */
import * as l10n from '@vscode/l10n';
import type { FailureKind } from './failure.ts';

/** One for each kind: at most about 30 characters, no full stop. */
const HEADLINES: Readonly<Record<FailureKind, () => string>> = {
  badRequest: () => l10n.t('Request rejected'),
  unreachable: () => l10n.t("Can't reach host"),
  tls: () => l10n.t('No secure connection'),
  timedOut: () => l10n.t('Timed out'),
  cancelled: () => l10n.t('Cancelled'),
  signedOut: () => l10n.t('Token rejected'),
  refused: () => l10n.t('Not allowed'),
  notFound: () => l10n.t('Not found'),
  throttled: () => l10n.t('Too many requests'),
  unavailable: () => l10n.t('Server not ready'),
  server: () => l10n.t('Server error'),
  redirected: () => l10n.t('Redirected'),
  unexpectedAnswer: () => l10n.t('Unexpected response'),
  tooLarge: () => l10n.t('Response too large'),
  invalidDocument: () => l10n.t('Not supported by the server'),
  unsupported: () => l10n.t('Not supported by the server'),
  storage: () => l10n.t('Storage error'),
  readOnly: () => l10n.t('Read-only'),
};

/**
 * "Token rejected (401)".
 * @param status Of the HTTP answer. A failure that came with a success, as GraphQL's do, has no number to look up.
 */
export function headlineOf(kind: FailureKind, status: number | undefined): string {
  const headline = HEADLINES[kind]();
  return status === undefined || status < 400 ? headline : l10n.t('{0} ({1})', headline, status);
}
