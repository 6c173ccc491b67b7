/** The last step: the connection is tried before it is saved, and what was found, or what is wrong, is shown. */
import * as vscode from 'vscode';
import { asFailure } from '../service/failure.ts';
import type { ServiceFailure } from '../service/failure.ts';
import type { Greeting } from '../service/service.ts';
import { show } from '../ui/inputSteps.ts';
import type { Answer, StepPlace } from '../ui/inputSteps.ts';
import { connectionFrom } from './connectionDraft.ts';
import type { ConnectionDraft } from './connectionDraft.ts';
import { greetingLines } from './greetingText.ts';
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
