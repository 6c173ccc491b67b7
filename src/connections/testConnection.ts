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
export async function testConnection({ services, notices }: TestParts, connection: Connection): Promise<boolean> {
  const title = l10n.t('Testing "{0}"…', connection.name);
  const detail = await showProgress(title, true, async (signal) => {
    try {
      const service = services.get(connection);
      const check = await service.check(signal);
      // Without an identity, servers list no privileges.
      const rights =
        check.identity === undefined ? undefined : await service.server.fact('rights', signal).catch(() => undefined);
      return signal.aborted ? undefined : resultParagraphs(check, connection.actorUrn, rights);
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
 * Describes the server and the user, and names what the user lacks.
 * @param user URN of the user until now.
 */
function resultParagraphs(
  { server, identity, version, tokensEnabled, tokensRefused }: ConnectionCheck,
  user: string | undefined,
  rights: CallerRights | undefined,
): ModalParagraph[] {
  const lines = [
    [server.product ?? l10n.t('Unidentified metadata service'), version].filter((part) => part !== undefined).join(' '),
    userLine(identity?.actorUrn, user),
    ...(tokensEnabled === false ? [l10n.t('Token authentication is turned off on this server')] : []),
    ...(tokensRefused === undefined ? [] : [tokensRefused.message]),
  ];
  // Hints, since not every server enforces privileges.
  const privileges = [
    [identity?.mayGenerateTokens, PRIVILEGES.generateTokens],
    [tokensRefused === undefined, tokensRefused?.privilege],
    [rights?.readSizes, PRIVILEGES.readSizes],
    [rights?.truncate, PRIVILEGES.truncate],
    [rights?.watchTasks, PRIVILEGES.watchTasks],
  ] as const;
  const missing = privileges.flatMap(([isHeld, privilege]) =>
    isHeld === false && privilege !== undefined ? [l10n.t('Missing privilege "{0}"', privilege)] : [],
  );
  return [lines, ...(missing.length === 0 ? [] : [missing])];
}

/** @param caller URN as the server says. Undefined if it doesn't. @param user URN until now. */
function userLine(caller: string | undefined, user: string | undefined): string {
  if (caller === undefined) {
    return user === undefined
      ? l10n.t("The server doesn't say who you are")
      : l10n.t('{0} (not verified by the server)', shortActorName(user));
  }
  return l10n.t('Signed in as {0}', shortActorName(caller));
}
