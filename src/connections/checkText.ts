/** What a test of a connection found, in words. */
import * as l10n from '@vscode/l10n';
import type { Rights } from '../service/server/privileges.ts';
import type { ServerFacts } from '../service/server/product.ts';
import type { ConnectionCheck } from '../service/service.ts';
import { shortActor } from '../service/urn.ts';

export interface CheckLine {
  readonly icon: string;
  readonly label: string;
  /** Why, where the label does not say it. */
  readonly detail?: string;
}

/**
 * A line for each fact.
 * @param rights Where they were asked for, and the server tells.
 */
export function checkLines(
  check: ConnectionCheck,
  typedActor: string,
  signedIn: boolean,
  rights?: Rights,
): CheckLine[] {
  const { server, identity, version, tokensEnabled, tokensRefused } = check;
  const lines: CheckLine[] = [serverLine(server, version)];
  if (identity === undefined) {
    lines.push({
      icon: 'person',
      label: l10n.t('{0} (not verified by the server)', shortActor(typedActor)),
    });
  } else if (identity.actorUrn === typedActor) {
    lines.push({ icon: 'person', label: l10n.t('Signed in as {0}', shortActor(identity.actorUrn)) });
  } else {
    lines.push({
      icon: 'warning',
      label: l10n.t('Signed in as {0}, not {1}', shortActor(identity.actorUrn), shortActor(typedActor)),
    });
  }
  if (identity !== undefined) {
    lines.push(
      identity.mayGenerateTokens
        ? { icon: 'key', label: l10n.t('Can create access tokens') }
        : {
            icon: 'lock',
            label: l10n.t("Can't create access tokens"),
            detail: l10n.t('Missing privilege "{0}"', 'Generate Personal Access Tokens'),
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
  lines.push(...rightsLines(rights));
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

/** A missing right is only a hint: not every server enforces the privileges of operations. */
function rightsLines(rights: Rights | undefined): CheckLine[] {
  if (rights?.readSizes === true && rights.truncate === true && rights.watchTasks === true) {
    return [{ icon: 'database', label: l10n.t('Can read index sizes, truncate indices and monitor tasks') }];
  }
  return [
    ...(rights?.readSizes === false
      ? [hint(l10n.t('Index sizes may be refused'), 'Get Timeseries index sizes API')]
      : []),
    ...(rights?.truncate === false
      ? [hint(l10n.t('Truncation may be refused'), 'Truncate timeseries aspect index size API')]
      : []),
    ...(rights?.watchTasks === false
      ? [hint(l10n.t('Monitoring tasks may be refused'), 'Get ES task status API')]
      : []),
  ];
}

function hint(label: string, privilege: string): CheckLine {
  return {
    icon: 'info',
    label,
    detail: l10n.t('Missing privilege "{0}" (not enforced by every server)', privilege),
  };
}
