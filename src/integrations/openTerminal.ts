/** Opens a terminal in which the product's command line works, with a new token or that of the connection. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  hostOf,
  identityOf,
  lacksConsent,
  originOf,
  withConsentTo,
  type Connection,
} from '../connections/connection.ts';
import { confirmPlainHttp } from '../connections/connectionQuestions.ts';
import { admitChange, connectionChanged, currentRole } from '../connections/currentRole.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import { productionLine } from '../connections/role.ts';
import { language } from '../language.ts';
import { COMMANDS } from '../manifest.ts';
import { readOnlyFailure, ServiceFailure } from '../service/failure/failure.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import type { MetadataService } from '../service/service.ts';
import { durationMillis } from '../service/tokens/durations.ts';
import { MILLIS_PER_HOUR } from '../time.ts';
import { issueDraftedToken } from '../tokens/createToken.ts';
import { actorReaderFor, loadCreationFacts, type TokenCreationFacts } from '../tokens/tokenDraft.ts';
import type { TokenFlowParts } from '../tokens/tokenLists.ts';
import type { CommandRegistry } from '../ui/commands.ts';
import { inLabel, inSentence } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import { askModal, showCancellableProgress } from '../ui/messages.ts';
import type { TerminalTokens } from './terminalTokens.ts';

/** Begins every name, untranslated, so that a filter by name finds all of them. */
const NAME_PREFIX = 'vscode terminal';

interface TerminalParts extends TokenFlowParts {
  readonly terminalTokens: TerminalTokens;
}

/** Where and as which user a terminal's commands act. */
interface TerminalTarget {
  readonly connection: Connection;
  /** ID or URN, as the server says. */
  readonly user: string;
  /** `DATAHUB_GMS_URL`. */
  readonly url: string;
  /** Undefined if no token of one hour can be created. */
  readonly facts: TokenCreationFacts | undefined;
}

export function registerOpenTerminal(commands: CommandRegistry, parts: TerminalParts): void {
  commands.handle(COMMANDS.tokenOpenTerminal, async (clicked) => {
    refuseWhileTracing();
    const picked = await pickConnection(parts.store, clicked, l10n.t('Open Terminal with Access Token'));
    const connection = picked === undefined ? undefined : await withConsent(parts, picked);
    if (connection === undefined) {
      return;
    }
    const target = await loadTarget(parts, connection);
    const source = await askTokenSource(parts, target);
    if (source === 'new' && target.facts !== undefined) {
      await openWithNewToken(parts, target, target.facts);
    } else if (source === 'stored') {
      await openWithStoredToken(parts, target);
    }
  });
}

/** @throws ServiceFailure while VS Code writes the environment of terminals into its own logs. */
function refuseWhileTracing(): void {
  if (vscode.env.logLevel === vscode.LogLevel.Trace) {
    throw new ServiceFailure(
      'unsupported',
      l10n.t('The log level is Trace, at which VS Code writes the access token of a terminal into its logs.'),
      { next: l10n.t('Set another log level and try again.') },
    );
  }
}

/** @returns undefined if the user declines plain HTTP. */
async function withConsent({ store }: TerminalParts, connection: Connection): Promise<Connection | undefined> {
  if (!lacksConsent(connection)) {
    return connection;
  }
  if (!(await confirmPlainHttp(hostOf(connection)))) {
    return undefined;
  }
  const agreed = withConsentTo(originOf(connection), connection);
  await store.save(agreed, connection);
  return agreed;
}

/** @throws ServiceFailure if the server can't be reached, or no command line can. */
function loadTarget({ store, services }: TerminalParts, connection: Connection): Promise<TerminalTarget> {
  return showCancellableProgress(l10n.t('Connecting to {0}…', connection.name), async (signal) => {
    const service = services.get(connection);
    const path = await service.pathForClients(signal);
    if (path === undefined) {
      throw new ServiceFailure(
        'unsupported',
        l10n.t("The web front end at {0} doesn't pass requests on to the service.", hostOf(connection)),
        { next: l10n.t("Sign in, or add a connection with the service's own address.") },
      );
    }
    const isReadOnly = (await currentRole(store, connection)) === 'readOnly';
    const facts = isReadOnly ? undefined : await loadHourFacts(service, signal);
    const user = shortActorName(await service.callerActorUrn(signal));
    return { connection, user, url: connection.baseUrl + path, facts };
  });
}

async function loadHourFacts(service: MetadataService, signal: AbortSignal): Promise<TokenCreationFacts | undefined> {
  const facts = await loadCreationFacts(service, signal);
  return facts.mayGenerateTokens !== false && oneHour(facts) !== undefined ? facts : undefined;
}

function oneHour({ durations }: TokenCreationFacts): TokenCreationFacts['durations'][number] | undefined {
  return durations.find((duration) => durationMillis(duration) === MILLIS_PER_HOUR);
}

/**
 * Asks in a dialog, since other extensions can answer a quick pick, and type in any terminal.
 * @throws ServiceFailure if there is no token to open it with.
 */
async function askTokenSource(
  { store, credentials }: TerminalParts,
  { connection, user, url, facts }: TerminalTarget,
): Promise<'new' | 'stored' | undefined> {
  const hasStored = (await credentials.read(connection)) !== undefined;
  const isReadOnly = (await currentRole(store, connection)) === 'readOnly';
  if (facts === undefined && !hasStored) {
    throw isReadOnly
      ? readOnlyFailure()
      : new ServiceFailure(
          'signedOut',
          l10n.t("This connection has no access token, and can't create one for an hour."),
          {
            next: l10n.t('Sign in to continue.'),
          },
        );
  }
  const fresh: vscode.MessageItem = { title: l10n.t('New Token for One Hour') };
  const stored: vscode.MessageItem = { title: l10n.t("This Connection's Token") };
  const chosen = await askModal(
    l10n.t('Open a terminal with an access token for "{0}"?', connection.name),
    [
      ...productionLine(connection),
      l10n.t('Commands there act as {0} on {1}.', user, url),
      ...(facts === undefined ? [] : [l10n.t('A new token is revoked when the terminal closes.')]),
      l10n.t('Programs that run in the terminal and other extensions can read the token.'),
    ],
    ...(facts === undefined ? [] : [fresh]),
    ...(hasStored ? [stored] : []),
  );
  return chosen === undefined ? undefined : chosen === fresh ? 'new' : 'stored';
}

async function openWithNewToken(
  parts: TerminalParts,
  target: TerminalTarget,
  facts: TokenCreationFacts,
): Promise<void> {
  const { store, created, terminalTokens } = parts;
  const connection = await admitChange(store, target.connection);
  const actor = shortActorName(facts.caller);
  const duration = oneHour(facts) ?? 'ONE_HOUR';
  const name = `${NAME_PREFIX} ${new Date().toISOString()}`;
  const issued = await issueDraftedToken(parts, connection, {
    draft: { type: 'PERSONAL', name, actor, duration, description: '' },
    facts,
    actorOf: actorReaderFor(actor),
  });
  if (issued === undefined) {
    return;
  }
  const expiresAt = issued.listed?.expiresAt ?? Date.now() + MILLIS_PER_HOUR;
  const until = formatsOf(language()).time(expiresAt);
  if (issued.id === undefined) {
    openTerminal(
      target,
      issued.secret.reveal(),
      l10n.t(
        "Its token works until {0}. The server didn't return its ID, so closing the terminal doesn't revoke it.",
        until,
      ),
    );
    return;
  }
  const token = { connectionId: connection.id, tokenId: issued.id, identity: identityOf(connection), expiresAt };
  let terminal: vscode.Terminal | undefined;
  try {
    await terminalTokens.remember(token);
    // Signing out, removing the connection or revoking the token drops it meanwhile.
    const secret = created.heldSecretOf(connection.id, issued.id);
    if (secret === undefined) {
      throw connectionChanged();
    }
    terminal = openTerminal(
      target,
      secret.reveal(),
      l10n.t('Its token works until {0}, and is revoked when this terminal closes.', until),
    );
    void terminalTokens.follow(terminal, token);
  } finally {
    created.releaseSecret(connection.id, issued.id);
    if (terminal === undefined) {
      await terminalTokens.revoke(token);
    }
  }
}

async function openWithStoredToken({ store, credentials }: TerminalParts, target: TerminalTarget): Promise<void> {
  const current = await store.getFresh(target.connection.id);
  const token = current === undefined ? undefined : await credentials.read(current);
  if (current === undefined || identityOf(current) !== identityOf(target.connection) || token === undefined) {
    throw connectionChanged();
  }
  openTerminal(target, token, l10n.t("Its token is this connection's own. Closing the terminal doesn't revoke it."));
}

/**
 * Opens a terminal that VS Code doesn't restore.
 * @param lifetime Says how long the token works.
 */
function openTerminal({ connection, user, url }: TerminalTarget, token: string, lifetime: string): vscode.Terminal {
  refuseWhileTracing();
  // VS Code would replace variables in it: a server could have the value of one sent to it.
  if (token.includes('${')) {
    throw new ServiceFailure('unexpectedAnswer', l10n.t("This access token can't be passed to a terminal."));
  }
  const greeting = l10n.t('Terminal for "{0}" as {1}.', connection.name, user);
  const terminal = vscode.window.createTerminal({
    name: inLabel(connection.name),
    iconPath: new vscode.ThemeIcon('key'),
    message: inSentence(`${greeting} ${lifetime}`),
    isTransient: true,
    env: {
      DATAHUB_GMS_URL: url,
      DATAHUB_GMS_TOKEN: token,
      // Null unsets them: the command line prefers them to the URL or to the token.
      DATAHUB_GMS_HOST: null,
      DATAHUB_GMS_PORT: null,
      DATAHUB_GMS_PROTOCOL: null,
      DATAHUB_AUTH_TYPE: null,
    },
  });
  terminal.show();
  return terminal;
}
