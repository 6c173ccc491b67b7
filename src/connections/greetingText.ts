/** What a test of a connection found, in words. */
import * as vscode from 'vscode';
import type { Greeting } from '../service/service.ts';
import { shortActor } from '../service/urn.ts';

/** A line for each fact, an icon in front. */
export function greetingLines({ server, identity, version, tokensEnabled }: Greeting, typedActor: string, signedIn: boolean): string[] {
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
  if (tokensEnabled === false) {
    lines.push(vscode.l10n.t('$(warning) Token authentication is switched off on this server'));
  }
  if (!signedIn) {
    lines.push(vscode.l10n.t('$(info) Without an access token, index sizes and truncation may be refused'));
  }
  return lines;
}
