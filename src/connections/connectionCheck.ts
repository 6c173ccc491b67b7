/** Checks a connection, and describes the result. */
import * as l10n from '@vscode/l10n';
import { PRIVILEGES } from '../service/failure/privileges.ts';
import type { CallerRights } from '../service/server/callerRights.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { ServerFacts } from '../service/server/serverInfo.ts';
import type { ConnectionCheck, MetadataService } from '../service/service.ts';

interface ServerCheckResult {
  readonly check: ConnectionCheck;
  /** Undefined if unknown. */
  readonly rights: CallerRights | undefined;
}

/** @throws ServiceFailure if the server is unusable. Privileges may stay unknown. */
export async function checkServer(service: MetadataService, signal: AbortSignal): Promise<ServerCheckResult> {
  const check = await service.check(signal);
  // Without an identity, servers list no privileges.
  const rights = check.identity === undefined ? undefined : await service.callerRights(signal).catch(() => undefined);
  return { check, rights };
}

export interface CheckResultLine {
  readonly icon: string;
  readonly label: string;
  /** Undefined if the label has the reason. */
  readonly detail?: string;
}

/**
 * Returns a line for each fact.
 * @param user URN of the user until now. Undefined if there is none.
 * @param rights Undefined if unknown.
 */
export function checkResultLines(
  check: ConnectionCheck,
  user: string | undefined,
  signedIn: boolean,
  rights?: CallerRights,
): CheckResultLine[] {
  const { server, identity, version, tokensEnabled, tokensRefused } = check;
  const lines: CheckResultLine[] = [serverVersionLine(server, version)];
  lines.push(userLine(identity?.actorUrn, user));
  if (identity !== undefined) {
    lines.push(
      identity.mayGenerateTokens
        ? { icon: 'key', label: l10n.t('Can create access tokens') }
        : {
            icon: 'lock',
            label: l10n.t("Can't create access tokens"),
            detail: missingPrivilegeDetail(PRIVILEGES.generateTokens),
          },
    );
    if (identity.mayManageAllTokens) {
      lines.push({ icon: 'organization', label: l10n.t("Can manage all users' access tokens") });
    }
  }
  if (tokensRefused !== undefined) {
    const { message, privilege } = tokensRefused;
    const refusal = { icon: 'lock', label: message };
    lines.push(privilege === undefined ? refusal : { ...refusal, detail: missingPrivilegeDetail(privilege) });
  }
  lines.push(...privilegeLines(rights));
  if (tokensEnabled === false) {
    lines.push({ icon: 'warning', label: l10n.t('Token authentication is turned off on this server') });
  }
  if (!signedIn) {
    lines.push({
      icon: 'info',
      label: l10n.t('Without an access token, the server may refuse to read index sizes and to truncate'),
    });
  }
  return lines;
}

/** @param caller URN as the server says. Undefined if it doesn't. @param user URN until now. */
function userLine(caller: string | undefined, user: string | undefined): CheckResultLine {
  const former = user === undefined ? '' : shortActorName(user);
  if (caller === undefined) {
    return {
      icon: 'person',
      label:
        user === undefined
          ? l10n.t("The server doesn't say who you are")
          : l10n.t('{0} (not verified by the server)', former),
    };
  }
  const name = shortActorName(caller);
  if (user === undefined || user === caller) {
    return {
      icon: 'person',
      label: l10n.t('Signed in as {0}', name),
    };
  }
  return {
    icon: 'warning',
    label: l10n.t('Signed in as {0}, not {1}', name, former),
  };
}

function serverVersionLine({ product }: ServerFacts, version: string | undefined): CheckResultLine {
  return {
    icon: 'server',
    label: [product ?? l10n.t('Unidentified metadata service'), version].filter((part) => part !== undefined).join(' '),
  };
}

function missingPrivilegeDetail(privilege: string): string {
  return l10n.t('Missing privilege "{0}"', privilege);
}

/** Missing privileges are hints, since not every server enforces them. */
function privilegeLines(rights: CallerRights | undefined): CheckResultLine[] {
  if (rights?.readSizes === true && rights.truncate === true && rights.watchTasks === true) {
    return [{ icon: 'database', label: l10n.t('Can read index sizes, truncate indices and monitor tasks') }];
  }
  const hints = [
    [rights?.readSizes, l10n.t('Reading index sizes may be refused'), PRIVILEGES.readSizes],
    [rights?.truncate, l10n.t('Truncation may be refused'), PRIVILEGES.truncate],
    [rights?.watchTasks, l10n.t('Monitoring tasks may be refused'), PRIVILEGES.watchTasks],
  ] as const;
  return hints.flatMap(([isHeld, label, privilege]) =>
    isHeld === false ? [{ icon: 'info', label, detail: missingPrivilegeDetail(privilege) }] : [],
  );
}
