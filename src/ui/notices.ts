/** Notifications in answer to an action of the user, with a way on. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { type FailureKind, ServiceFailure, isCancelledMutation, toServiceFailure } from '../service/failure/failure.ts';
import { inLabel } from './foreignText.ts';
import { handleOf } from './rowHandles.ts';
import type { Log } from './log.ts';
import { showError, showInformation } from './messages.ts';

export interface NamedConnection {
  readonly id: string;
  readonly name: string;
}

/** A button of a notification. VS Code emphasizes the first one. */
interface Remedy {
  readonly label: string;
  readonly act: () => Thenable<unknown> | void;
}

/** The server wasn't reached, or not in time. */
const UNREACHED: ReadonlySet<FailureKind> = new Set(['unreachable', 'timedOut', 'unavailable', 'tls']);

export class Notices {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Reports a failure with remedies, without waiting. Cancelled requests are silent unless they may have acted.
   * @param again Does again what failed. Asks its questions again.
   */
  failure(thrown: ServiceFailure, connection?: NamedConnection, again?: () => Promise<void>): void {
    const cutoff = isCancelledMutation(thrown);
    if (thrown.kind === 'cancelled' && !cutoff) {
      return;
    }
    const unnamed = cutoff && thrown.next === undefined ? outcomeUnknown(thrown) : thrown;
    // The user may have several.
    const failure = connection === undefined ? unnamed : unnamed.naming(connection.name);
    this.#log.failure(failure);
    const remedies = this.#remedies(failure, connection, again);
    const offerRemedies = async (): Promise<void> => {
      const chosen = await showError(failure.advice, ...remedies.map(({ label }) => label));
      await remedies.find(({ label }) => label === chosen)?.act();
    };
    offerRemedies().catch((reason: unknown) => this.#log.bug('notice', reason));
  }

  /**
   * Reports what an action of the user threw.
   * @param where For the log, if it is a bug of ours. The rest is as for `failure`.
   */
  thrown(where: string, thrown: unknown, connection?: NamedConnection, again?: () => Promise<void>): void {
    if (thrown instanceof ServiceFailure) {
      this.failure(thrown, connection, again);
    } else {
      this.#log.bug(where, thrown);
      this.failure(toServiceFailure(thrown).with({ next: l10n.t('Try again. The log shows where it happened.') }));
    }
  }

  /** Says that a connection is signed out, and offers to sign in. */
  offerSignIn(text: string, connection: { readonly id: string }): void {
    const signIn = l10n.t('Sign In…');
    void showInformation(text, signIn).then((chosen) =>
      chosen === signIn ? executeFor(connection, COMMANDS.connectionSignIn) : undefined,
    );
  }

  /** A short confirmation, for results that are visible anyway. */
  done(text: string): void {
    vscode.window.setStatusBarMessage(`$(check) ${inLabel(text)}`, 4_000);
  }

  #remedies(
    failure: ServiceFailure,
    connection: NamedConnection | undefined,
    again: (() => Promise<void>) | undefined,
  ): readonly Remedy[] {
    const edit = { label: l10n.t('Edit Connection…'), act: () => executeFor(connection, COMMANDS.connectionEdit) };
    const copy = {
      label: l10n.t('Copy Details for a Report'),
      act: () =>
        vscode.commands.executeCommand(
          COMMANDS.failureCopyDetails,
          handleOf({ failure, connectionId: connection?.id }),
        ),
    };
    if (failure.mayBeReachedFromRemote) {
      return [{ label: l10n.t('Run on the Remote…'), act: openRemoteSetting }, copy];
    }
    if (failure.kind === 'readOnly') {
      return [edit];
    }
    if (failure.kind === 'signedOut') {
      return [{ label: l10n.t('Sign In…'), act: () => executeFor(connection, COMMANDS.connectionSignIn) }, copy];
    }
    const show = { label: l10n.t('Show Log'), act: () => this.#log.show() };
    // If it may have acted, its own next step is to look first.
    if (!UNREACHED.has(failure.kind) || failure.mayHaveActed) {
      return [copy, show];
    }
    const first = again !== undefined ? [{ label: l10n.t('Try Again'), act: again }] : connection && [edit];
    return [...(first ?? []), copy, show];
  }
}

/** Opens the setting that has extensions run on the remote machine, where this one must be installed too. */
export async function openRemoteSetting(): Promise<void> {
  const key = 'remote.extensionKind';
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key, edit: true } });
}

function executeFor(connection: { readonly id: string } | undefined, command: string): Thenable<unknown> {
  return vscode.commands.executeCommand(command, connection && handleOf({ connectionId: connection.id }));
}

function outcomeUnknown(failure: ServiceFailure): ServiceFailure {
  return failure
    .because(l10n.t('The result is unknown'))
    .with({ next: l10n.t('Refresh in a moment and check before you try again.') });
}
