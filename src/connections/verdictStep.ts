/** The last step: the connection is tried before it is saved, and what was found, or what is wrong, is shown. */
import * as vscode from 'vscode';
import { asFailure } from '../service/failure.ts';
import type { ServiceFailure } from '../service/failure.ts';
import type { Greeting } from '../service/service.ts';
import { shortActor } from '../service/urn.ts';
import { show } from '../ui/inputSteps.ts';
import type { Answer, StepPlace } from '../ui/inputSteps.ts';
import { connectionFrom } from './connectionFlow.ts';
import type { ConnectionDraft } from './connectionFlow.ts';
import type { Services } from './services.ts';

interface VerdictItem extends vscode.QuickPickItem {
  readonly does?: 'save' | 'retry' | 'back';
}

export function askVerdict(place: StepPlace, draft: ConnectionDraft, services: Services, token: string | undefined): Promise<Answer<void>> {
  const pick = vscode.window.createQuickPick<VerdictItem>();
  const connection = connectionFrom(draft);
  pick.placeholder = vscode.l10n.t('Trying the connection…');
  let attempt: AbortController | undefined;
  const tryIt = async (): Promise<void> => {
    attempt?.abort();
    const mine = (attempt = new AbortController());
    const service = services.trial(connection, token);
    pick.busy = true;
    pick.items = [{ label: vscode.l10n.t('$(sync~spin) Trying {0}…', connection.baseUrl), alwaysShow: true }];
    try {
      const greeting = await service.greet(mine.signal);
      if (!mine.signal.aborted) {
        pick.placeholder = vscode.l10n.t('The connection works');
        pick.items = goodItems(greeting, connection.actorUrn, token !== undefined);
      }
    } catch (thrown) {
      if (!mine.signal.aborted) {
        pick.placeholder = vscode.l10n.t('The connection does not work yet');
        pick.items = badItems(asFailure(thrown));
      }
    } finally {
      service.close();
      if (!mine.signal.aborted) {
        pick.busy = false;
      }
    }
  };
  void tryIt();
  return show<void>(pick, place, (done) => [
    pick.onDidHide(() => attempt?.abort()),
    pick.onDidAccept(() => {
      const does = pick.selectedItems[0]?.does;
      if (does === 'save') {
        done({ kind: 'value', value: undefined });
      } else if (does === 'back') {
        done({ kind: 'back' });
      } else if (does === 'retry') {
        void tryIt();
      }
    }),
  ]);
}

function goodItems(greeting: Greeting, typedActor: string, signedIn: boolean): VerdictItem[] {
  return [
    { label: vscode.l10n.t('$(check) Save Connection'), alwaysShow: true, does: 'save' },
    { label: vscode.l10n.t('found'), kind: vscode.QuickPickItemKind.Separator },
    ...greetingLines(greeting, typedActor, signedIn).map((line) => ({ label: line, alwaysShow: true })),
  ];
}

/** What a test found, a line for each fact, with an icon in front. Shared with the command "Test Connection". */
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

function badItems(failure: ServiceFailure): VerdictItem[] {
  return [
    { label: vscode.l10n.t('$(refresh) Try Again'), alwaysShow: true, does: 'retry' },
    { label: vscode.l10n.t('$(arrow-left) Change What Was Entered'), alwaysShow: true, does: 'back' },
    { label: vscode.l10n.t('$(save) Save Anyway'), alwaysShow: true, does: 'save' },
    { label: vscode.l10n.t('what is wrong'), kind: vscode.QuickPickItemKind.Separator },
    { label: `$(error) ${failure.message}`, alwaysShow: true },
    ...(failure.next === undefined ? [] : [{ label: `$(lightbulb) ${failure.next}`, alwaysShow: true }]),
  ];
}
