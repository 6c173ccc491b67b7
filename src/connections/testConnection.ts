/** Tests a saved connection: asks the server who it and the user are, and what the user may do. */
import * as l10n from '@vscode/l10n';
import { toServiceFailure } from '../service/failure/failure.ts';
import { PRIVILEGES } from '../service/failure/privileges.ts';
import type { CallerRights } from '../service/server/callerRights.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { ConnectionCheck } from '../service/service.ts';
import { askModal, type ModalParagraph } from '../ui/messages.ts';
import { showProgress } from '../ui/progress.ts';
import type { Notices } from '../ui/notices.ts';
import type { Connection } from './connection.ts';
import type { ConnectionParts } from './servicePool.ts';

interface TestParts extends ConnectionParts {
  readonly notices: Notices;
}

/** Failures are shown, not thrown. @returns true if it works. */
export async function testConnection(
  { credentials, services, notices }: TestParts,
  connection: Connection,
): Promise<boolean> {
  const title = l10n.t('Testing "{0}"…', connection.name);
  const detail = await showProgress(title, true, async (token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      const service = services.get(connection);
      const isSignedIn = (await credentials.read(connection)) !== undefined;
      const check = await service.check(stop.signal);
      // Without an identity, servers list no privileges.
      const rights =
        check.identity === undefined ? undefined : await service.callerRights(stop.signal).catch(() => undefined);
      return stop.signal.aborted ? undefined : resultParagraphs(check, connection.actorUrn, isSignedIn, rights);
    } catch (thrown) {
      notices.failure(toServiceFailure(thrown), connection);
      return undefined;
    }
  });
  if (detail !== undefined) {
    // Not awaited: the command has ended.
    void askModal(l10n.t('Connected to "{0}"', connection.name), detail);
  }
  return detail !== undefined;
}

/**
 * Describes the server, the user and the rights, then each missing privilege.
 * @param user URN of the user until now.
 */
function resultParagraphs(
  { server, identity, version, tokensEnabled, tokensRefused }: ConnectionCheck,
  user: string | undefined,
  isSignedIn: boolean,
  rights: CallerRights | undefined,
): ModalParagraph[] {
  const lines = [
    [server.product ?? l10n.t('Unidentified metadata service'), version].filter((part) => part !== undefined).join(' '),
    userLine(identity?.actorUrn, user),
    ...(identity?.mayGenerateTokens === true ? [l10n.t('Can create access tokens')] : []),
    ...(identity?.mayManageAllTokens === true ? [l10n.t("Can manage all users' access tokens")] : []),
    ...(rights?.readSizes === true && rights.truncate === true && rights.watchTasks === true
      ? [l10n.t('Can read index sizes, truncate indices and monitor tasks')]
      : []),
    ...(tokensEnabled === false ? [l10n.t('Token authentication is turned off on this server')] : []),
    ...(isSignedIn
      ? []
      : [l10n.t('Without an access token, the server may refuse to read index sizes and to truncate')]),
  ];
  // Hints, since not every server enforces privileges.
  const missing = [
    [identity?.mayGenerateTokens, l10n.t("Can't create access tokens"), PRIVILEGES.generateTokens],
    [tokensRefused === undefined, tokensRefused?.message ?? '', tokensRefused?.privilege],
    [rights?.readSizes, l10n.t('Reading index sizes may be refused'), PRIVILEGES.readSizes],
    [rights?.truncate, l10n.t('Truncation may be refused'), PRIVILEGES.truncate],
    [rights?.watchTasks, l10n.t('Monitoring tasks may be refused'), PRIVILEGES.watchTasks],
  ] as const;
  return [
    lines,
    ...missing.flatMap(([isHeld, what, privilege]) =>
      isHeld === false
        ? [[what, ...(privilege === undefined ? [] : [l10n.t('Missing privilege "{0}"', privilege)])]]
        : [],
    ),
  ];
}

/** @param caller URN as the server says. Undefined if it doesn't. @param user URN until now. */
function userLine(caller: string | undefined, user: string | undefined): string {
  if (caller === undefined) {
    return user === undefined
      ? l10n.t("The server doesn't say who you are")
      : l10n.t('{0} (not verified by the server)', shortActorName(user));
  }
  return user === undefined || user === caller
    ? l10n.t('Signed in as {0}', shortActorName(caller))
    : l10n.t('Signed in as {0}, not {1}', shortActorName(caller), shortActorName(user));
}
