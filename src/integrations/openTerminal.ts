/** Opens a terminal in which the product's command line works, with a new token for one hour. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { headersLeftOut } from '../connections/additionalHeaders.ts';
import { hostOf, originOf, sessionOf, type Connection, lacksConsent } from '../connections/connection.ts';
import { confirmPlainHttp } from '../connections/connectionQuestions.ts';
import { admitChange } from '../connections/changeGate.ts';
import { askingAgain } from '../connections/askingAgain.ts';
import { handleForConnection } from '../connections/forConnection.ts';
import { productionLine } from '../connections/role.ts';
import { changedMeanwhile } from '../connections/signIn.ts';
import { remoteBeside } from '../connections/extensionPlace.ts';
import { language } from '../language.ts';
import { COMMANDS } from '../manifest.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import { mayBeLoopbackHost } from '../service/http/baseUrl.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { PATH_BEHIND_FRONT } from '../service/server/serverInfo.ts';
import { MILLIS_PER_HOUR } from '../time.ts';
import { issueToken } from '../tokens/issueToken.ts';
import { loadCreationFacts, type TokenCreationFacts, type TokenDraft } from '../tokens/tokenDraft.ts';
import type { TokenFlowParts } from '../tokens/tokenLists.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import { inLabel, inSentence } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import type { Log } from '../ui/log.ts';
import { confirm } from '../ui/messages.ts';
import { showCancellableProgress } from '../ui/progress.ts';
import { terminalEnvironment, variablesChangedByProfile } from './terminalEnvironment.ts';
import { revokeTerminalToken, revokeWithTerminal } from './terminalTokens.ts';

/** Begins every name, untranslated, so that a filter by name finds all of them. */
const NAME_PREFIX = 'vscode terminal';

interface TerminalParts extends TokenFlowParts {
  readonly log: Pick<Log, 'failure'>;
}

/** Where and as which user a terminal's commands act. */
interface TerminalTarget {
  readonly connection: Connection;
  /** `DATAHUB_GMS_URL`. */
  readonly url: string;
  readonly facts: TokenCreationFacts;
  /** Names of variables that the shell's profile changes; undefined if the shell couldn't be asked. */
  readonly changedByProfile: readonly string[] | undefined;
}

export function registerOpenTerminal(commands: CommandRegistry, parts: TerminalParts): void {
  const handle = handleForConnection(commands, parts.store);
  handle(COMMANDS.tokenOpenTerminal, l10n.t('Open Terminal with Access Token'), async (picked) => {
    refuseWhileTracing();
    const remote = remoteBeside();
    if (remote !== undefined) {
      refuseLoopbackElsewhere(picked, remote);
    }
    const connection = await withConsent(parts, picked);
    if (connection === undefined) {
      return;
    }
    // Not by the list of a new token: its fields aren't for choice here, and other extensions can answer a list.
    await askingAgain(
      () => admitChange(parts.store, connection),
      async (agreed) => {
        const target = await loadTarget(parts, agreed);
        requireOneHour(target.facts);
        if (await confirmTerminal(target, remote)) {
          await openWithNewToken(parts, target);
        }
      },
    );
  });
}

/** @throws ServiceFailure while VS Code writes the environment of terminals into its own logs. */
function refuseWhileTracing(): void {
  if (vscode.env.logLevel === vscode.LogLevel.Trace) {
    throw new ServiceFailure(
      'unsupported',
      l10n.t("At the log level Trace, VS Code writes a terminal's access token to its logs."),
      { next: l10n.t('Set another log level and try again.') },
    );
  }
}

/** @throws ServiceFailure if the token would go to whatever listens at that address of the machine with the terminal. */
function refuseLoopbackElsewhere(connection: Connection, remote: string): void {
  if (mayBeLoopbackHost(new URL(connection.baseUrl).hostname)) {
    throw new ServiceFailure(
      'unsupported',
      l10n.t("This window's terminals run on {0}, where {1} may be a different server.", remote, hostOf(connection)),
      { next: l10n.t('Open the terminal in a local window.') },
    );
  }
}

/** @returns undefined if the user declines plain HTTP. */
async function withConsent({ store }: TerminalParts, connection: Connection): Promise<Connection | undefined> {
  if (!lacksConsent(connection)) {
    return connection;
  }
  if (!(await confirmPlainHttp(connection.baseUrl))) {
    return undefined;
  }
  return store.change(connection.id, ({ baseUrl }) =>
    baseUrl === connection.baseUrl ? { plainHttpOrigin: originOf(connection) } : {},
  );
}

/** @throws ServiceFailure if the server can't be reached, or no command line can. */
function loadTarget({ services }: TerminalParts, connection: Connection): Promise<TerminalTarget> {
  // The profile may take seconds.
  const title = l10n.t('Connecting to "{0}" and checking what the shell\'s profile changes…', connection.name);
  return showCancellableProgress(title, async (signal) => {
    const service = services.get(connection);
    const { entrance } = await service.server.fact('identity', signal);
    const url = connection.baseUrl + (entrance === 'front' ? PATH_BEHIND_FRONT : '');
    const [facts, changedByProfile] = await Promise.all([
      loadCreationFacts(service, 'own', signal),
      variablesChangedByProfile(url, signal),
    ]);
    return { connection, url, facts, changedByProfile };
  });
}

/** @throws ServiceFailure if the server offers no such length. */
function requireOneHour({ durations }: TokenCreationFacts): void {
  if (!durations.includes('ONE_HOUR')) {
    throw new ServiceFailure(
      'unsupported',
      l10n.t("This server doesn't offer access tokens that are valid for one hour."),
      { next: l10n.t('Ask a server administrator.') },
    );
  }
}

/** Asks in a dialog, since other extensions can answer a quick pick, and type in any terminal. */
function confirmTerminal(target: TerminalTarget, remote: string | undefined): Promise<boolean> {
  const { connection } = target;
  return confirm(
    l10n.t('Open a terminal with an access token for "{0}"?', connection.name),
    [
      ...productionLine(connection),
      whereCommandsAct(target),
      ...(remote === undefined ? [] : [l10n.t('The terminal runs on {0}.', remote)]),
      ...headersLeftOut(connection),
      l10n.t('A new token is revoked if you close the terminal while this window is open.'),
      l10n.t('Programs that run in the terminal and other extensions can read the token.'),
    ],
    l10n.t('New Token for One Hour'),
  );
}

function whereCommandsAct({ facts, url, changedByProfile }: TerminalTarget): string {
  const user = shortActorName(facts.caller);
  if (changedByProfile === undefined) {
    return l10n.t(
      "Commands in this terminal act as {0} on {1}, unless the shell's profile overrides DATAHUB_GMS variables.",
      user,
      url,
    );
  }
  return changedByProfile.length === 0
    ? l10n.t('Commands in this terminal act as {0} on {1}.', user, url)
    : l10n.t(
        "The shell's profile changes {0}, so commands may not act as {1} on {2}, and may send the token elsewhere.",
        changedByProfile.join(', '),
        user,
        url,
      );
}

function profileAdvice({ changedByProfile = [] }: TerminalTarget): readonly string[] {
  return changedByProfile.length === 0 ? [] : [l10n.t('Remove that from the profile, and open the terminal again.')];
}

/** @throws ServiceFailure if no terminal was opened: then the token is revoked, or the failure says that it lives on. */
async function openWithNewToken(parts: TerminalParts, target: TerminalTarget): Promise<void> {
  const { store } = parts;
  const { facts, connection } = target;
  const name = `${NAME_PREFIX} ${new Date().toISOString()}`;
  const draft: TokenDraft = { type: 'PERSONAL', name, actorUrn: facts.caller, duration: 'ONE_HOUR', description: '' };
  const issued = await issueToken(parts, connection, { draft, facts });
  if (issued === undefined) {
    return;
  }
  const { listed, secret } = issued;
  const expiresAt = listed?.expiresAt ?? Date.now() + MILLIS_PER_HOUR;
  const until = formatsOf(language()).time(expiresAt);
  const token = listed && { connection, token: listed, expiresAt };
  try {
    const current = store.get(connection.id);
    if (current === undefined || sessionOf(current) !== sessionOf(connection)) {
      throw changedMeanwhile();
    }
    const terminal = openTerminal(target, secret.reveal(), lifetimeText(until, token !== undefined));
    if (token !== undefined) {
      revokeWithTerminal(terminal, parts, token);
    }
  } catch (thrown) {
    if (token === undefined) {
      throw toServiceFailure(thrown).with({ next: `${l10n.t('A token was created.')} ${livesOnText(until)}` });
    }
    await revokeTerminalToken(parts, token);
    throw thrown;
  }
}

/** @param isKnown The server returned the token's ID. */
function lifetimeText(until: string, isKnown: boolean): string {
  return isKnown
    ? l10n.t(
        'Its token is revoked if you close this terminal while this window is open; otherwise it works until {0}.',
        until,
      )
    : livesOnText(until);
}

function livesOnText(until: string): string {
  return l10n.t("The server didn't return the token's ID, so it can't be revoked here. It expires on {0}.", until);
}

/**
 * Opens a terminal that VS Code doesn't restore.
 * @param lifetime Says how long the token works.
 */
function openTerminal(target: TerminalTarget, token: string, lifetime: string): vscode.Terminal {
  const { connection, url } = target;
  refuseWhileTracing();
  // VS Code would replace variables in it: a server could have the value of one sent to it.
  if (token.includes('${')) {
    throw new ServiceFailure('unexpectedAnswer', l10n.t("This access token can't be passed to a terminal."));
  }
  const terminal = vscode.window.createTerminal({
    name: inLabel(connection.name),
    iconPath: new vscode.ThemeIcon('key'),
    message: inSentence([whereCommandsAct(target), ...profileAdvice(target), lifetime].join(' ')),
    isTransient: true,
    env: terminalEnvironment(url, token),
  });
  terminal.show();
  return terminal;
}
