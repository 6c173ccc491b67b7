/** The check of a connection, and the lines that describe its result. */
import * as l10n from '@vscode/l10n';
import type { CallerRights } from '../service/server/callerRights.ts';
import { PRIVILEGES } from '../service/failure/privileges.ts';
import type { ServerFacts } from '../service/server/serverInfo.ts';
import type { ConnectionCheck, MetadataService } from '../service/service.ts';
import { shortActorName } from '../service/server/identifiers.ts';

interface CheckedServer {
  readonly check: ConnectionCheck;
  /** Undefined if unknown. */
  readonly rights: CallerRights | undefined;
}

/** @throws ServiceFailure if the server is unusable. Unknown privileges are no error. */
export async function checkServer(service: MetadataService, signal: AbortSignal): Promise<CheckedServer> {
  const check = await service.check(signal);
  // Without an identity, servers list no privileges.
  const rights = check.identity === undefined ? undefined : await service.rights(signal).catch(() => undefined);
  return { check, rights };
}

export interface CheckLine {
  readonly icon: string;
  readonly label: string;
  /** The reason, unless the label has it. */
  readonly detail?: string;
}

/**
 * Returns a line for each fact.
 * @param rights Undefined if unknown.
 */
export function checkLines(
  check: ConnectionCheck,
  typedActor: string,
  signedIn: boolean,
  rights?: CallerRights,
): CheckLine[] {
  const { server, identity, version, tokensEnabled, tokensRefused } = check;
  const lines: CheckLine[] = [serverLine(server, version)];
  if (identity === undefined) {
    lines.push({
      icon: 'person',
      label: l10n.t('{0} (not verified by the server)', shortActorName(typedActor)),
    });
  } else if (identity.actorUrn === typedActor) {
    lines.push({ icon: 'person', label: l10n.t('Signed in as {0}', shortActorName(identity.actorUrn)) });
  } else {
    lines.push({
      icon: 'warning',
      label: l10n.t('Signed in as {0}, not {1}', shortActorName(identity.actorUrn), shortActorName(typedActor)),
    });
  }
  if (identity !== undefined) {
    lines.push(
      identity.mayGenerateTokens
        ? { icon: 'key', label: l10n.t('Can create access tokens') }
        : {
            icon: 'lock',
            label: l10n.t("Can't create access tokens"),
            detail: l10n.t('Missing privilege "{0}"', PRIVILEGES.generateTokens),
          },
    );
    if (identity.mayManageAllTokens) {
      lines.push({ icon: 'organization', label: l10n.t("Can manage all users' access tokens") });
    }
  }
  if (tokensRefused !== undefined) {
    const { message, privilege } = tokensRefused;
    lines.push({
      icon: 'lock',
      label: message,
      ...(privilege === undefined ? {} : { detail: l10n.t('Missing privilege "{0}"', privilege) }),
    });
  }
  lines.push(...privilegeLines(rights));
  if (tokensEnabled === false) {
    lines.push({ icon: 'warning', label: l10n.t('Token authentication is turned off on this server') });
  }
  if (!signedIn) {
    lines.push({
      icon: 'info',
      label: l10n.t('Without an access token, index sizes and truncation may be refused'),
    });
  }
  return lines;
}

export function serverLine({ product }: ServerFacts, version: string | undefined): CheckLine {
  return {
    icon: 'server',
    label: [product ?? l10n.t('Unidentified metadata service'), version].filter((part) => part !== undefined).join(' '),
  };
}

/** Missing privileges are hints, since not every server enforces them. */
function privilegeLines(rights: CallerRights | undefined): CheckLine[] {
  if (rights?.readSizes === true && rights.truncate === true && rights.watchTasks === true) {
    return [{ icon: 'database', label: l10n.t('Can read index sizes, truncate indices and monitor tasks') }];
  }
  return [
    ...(rights?.readSizes === false ? [privilegeHint(l10n.t('Index sizes may be refused'), PRIVILEGES.readSizes)] : []),
    ...(rights?.truncate === false ? [privilegeHint(l10n.t('Truncation may be refused'), PRIVILEGES.truncate)] : []),
    ...(rights?.watchTasks === false
      ? [privilegeHint(l10n.t('Monitoring tasks may be refused'), PRIVILEGES.watchTasks)]
      : []),
  ];
}

function privilegeHint(label: string, privilege: string): CheckLine {
  return {
    icon: 'info',
    label,
    detail: l10n.t('Missing privilege "{0}" (not enforced by every server)', privilege),
  };
}
