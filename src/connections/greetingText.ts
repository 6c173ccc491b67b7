/** What a test of a connection found, in words. */
import * as vscode from 'vscode';
import type { Rights } from '../service/identity.ts';
import type { Greeting } from '../service/service.ts';
import { shortActor } from '../service/urn.ts';

/**
 * A line for each fact, an icon in front.
 * @param rights Where they were asked for, and the server tells.
 */
export function greetingLines(greeting: Greeting, typedActor: string, signedIn: boolean, rights?: Rights): string[] {
  const { server, identity, version, tokensEnabled, tokensRefused } = greeting;
  const product = server.product ?? vscode.l10n.t('a metadata service that does not say which');
  const lines = [`$(server) ${[product, version].filter((part) => part !== undefined).join(' ')}`];
  if (identity === undefined) {
    lines.push(vscode.l10n.t('$(person) {0} (the server does not say whom it takes you for)', shortActor(typedActor)));
  } else if (identity.actorUrn === typedActor) {
    lines.push(vscode.l10n.t('$(person) Signed in as {0}', shortActor(identity.actorUrn)));
  } else {
    lines.push(vscode.l10n.t('$(warning) The server takes you for {0}, not for {1}', shortActor(identity.actorUrn), shortActor(typedActor)));
  }
  if (identity !== undefined) {
    lines.push(
      identity.mayGenerateTokens
        ? vscode.l10n.t('$(key) You may create access tokens')
        : vscode.l10n.t('$(lock) You may not create access tokens: the privilege "Generate Personal Access Tokens" is missing'),
    );
    if (identity.mayManageAllTokens) {
      lines.push(vscode.l10n.t('$(organization) You may manage the access tokens of everybody'));
    }
  }
  if (tokensRefused !== undefined) {
    lines.push(`$(lock) ${tokensRefused.message}`);
  }
  lines.push(...rightsLines(rights));
  if (tokensEnabled === false) {
    lines.push(vscode.l10n.t('$(warning) Token authentication is switched off on this server'));
  }
  if (!signedIn) {
    lines.push(vscode.l10n.t('$(info) Without an access token, index sizes and truncation may be refused'));
  }
  return lines;
}

/** A right that is missing is a hint, no verdict: not every server enforces the privileges of operations. */
function rightsLines(rights: Rights | undefined): string[] {
  if (rights?.readSizes === true && rights.truncate === true && rights.watchTasks === true) {
    return [vscode.l10n.t('$(database) You may read index sizes, truncate indices and watch tasks')];
  }
  return [
    ...(rights?.readSizes === false ? [vscode.l10n.t('$(info) Index sizes may be refused: {0}', missing('Get Timeseries index sizes API'))] : []),
    ...(rights?.truncate === false ? [vscode.l10n.t('$(info) Truncation may be refused: {0}', missing('Truncate timeseries aspect index size API'))] : []),
    ...(rights?.watchTasks === false ? [vscode.l10n.t('$(info) Watching tasks may be refused: {0}', missing('Get ES task status API'))] : []),
  ];
}

function missing(privilege: string): string {
  return vscode.l10n.t('the privilege "{0}" is missing, which not every server asks for', privilege);
}
