/** Environment of a terminal in which the product's command line works, and what the shell's profile changes in it. */
import * as vscode from 'vscode';
import { loopbackHost } from '../service/http/baseUrl.ts';
import { untilAborted } from '../service/http/waiting.ts';

/** Null unsets a variable. VS Code replaces `${env:NAME}` by its own variable of that name, or by nothing. */
type TerminalEnvironment = Readonly<Record<string, string | null>>;

/** The command line prefers them to the URL or to the token. */
const UNSET = ['DATAHUB_GMS_HOST', 'DATAHUB_GMS_PORT', 'DATAHUB_GMS_PROTOCOL', 'DATAHUB_AUTH_TYPE'] as const;

/** @param url Address of the service. The command line appends its own paths. */
export function terminalEnvironment(url: string, token: string): TerminalEnvironment {
  const unset = Object.fromEntries(UNSET.map((name) => [name, null]));
  return { ...unset, DATAHUB_GMS_URL: url, DATAHUB_GMS_TOKEN: token, ...withoutProxy(url) };
}

/** Keeps a token for this machine from the proxy. Programs read one of both variables, and disagree which. */
function withoutProxy(url: string): TerminalEnvironment {
  const host = loopbackHost(url);
  const exceptions = `\${env:no_proxy},\${env:NO_PROXY},${host}`;
  return host === undefined ? {} : { no_proxy: exceptions, NO_PROXY: exceptions };
}

/** Slow profiles take seconds. A shell without shell integration never answers. */
const LONGEST_CHECK_MILLIS = 5_000;
/** Time after which even the slowest profile has run. */
const LONGEST_PROFILE_MILLIS = 60_000;
/** Not waited for once VS Code knows them. A busy machine shows `node` first: the process that becomes the shell. */
const UNCHECKED_SHELLS: ReadonlySet<string> = new Set(['cmd', 'csh', 'ksh', 'nu', 'pwsh', 'sh', 'wsl']);

/** Prints names, never values: of what isn't as it was set, and of what lacks the host while there is a proxy. */
const CHECK = [
  `BEGIN { split("DATAHUB_GMS_URL DATAHUB_GMS_TOKEN ${UNSET.join(' ')}", names);`,
  'for (i in names) if (ENVIRON[names[i]] != ENVIRON["SET_" names[i]]) changed = changed " " names[i];',
  'host = ENVIRON["SET_HOST"]; proxy = ENVIRON["http_proxy"] ENVIRON["HTTP_PROXY"] ENVIRON["all_proxy"] ENVIRON["ALL_PROXY"];',
  'for (name in ENVIRON) if (toupper(name) == "NO_PROXY" && host != "" && proxy != "" && !index(ENVIRON[name], host))',
  'changed = changed " " name;',
  'print "changed:" changed "." }',
].join(' ');
const CHECKED = /\bchanged:((?: \w+)*)\./;

/**
 * Names of the variables that the shell's profile changes: it runs after VS Code set those of the terminal, and no API
 * reads the environment of a shell. So a hidden terminal without the token runs the profile and a check.
 * @param url Address of the service.
 * @returns undefined if the shell can't be asked.
 * @throws ServiceFailure `cancelled`
 */
export async function variablesChangedByProfile(
  url: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const isIntegrated = vscode.workspace.getConfiguration('terminal.integrated').get('shellIntegration.enabled');
  // In a workspace that isn't trusted, VS Code asks the user before it starts any shell.
  if (isIntegrated === false || !vscode.workspace.isTrusted) {
    return undefined;
  }
  const terminal = vscode.window.createTerminal({
    hideFromUser: true,
    isTransient: true,
    env: {
      ...terminalEnvironment(url, 'token'),
      SET_DATAHUB_GMS_URL: url,
      SET_DATAHUB_GMS_TOKEN: 'token',
      SET_HOST: loopbackHost(url) ?? '',
      // For VS Code's shell integration: a command that begins with a space stays out of the history.
      VSCODE_PREVENT_SHELL_HISTORY: '1',
    },
  });
  const { promise: gaveUp, resolve: giveUp } = Promise.withResolvers<undefined>();
  const limit = setTimeout(() => giveUp(undefined), LONGEST_CHECK_MILLIS);
  const { promise: integrated, resolve: integrate } = Promise.withResolvers<vscode.TerminalShellIntegration>();
  const subscriptions = [
    vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) {
        integrate(event.shellIntegration);
      }
    }),
    vscode.window.onDidChangeTerminalState((changed) => {
      if (changed === terminal && UNCHECKED_SHELLS.has(changed.state.shell ?? '')) {
        giveUp(undefined);
      }
    }),
    vscode.window.onDidCloseTerminal((closed) => {
      if (closed === terminal) {
        giveUp(undefined);
      }
    }),
  ];
  try {
    const output = await untilAborted(Promise.race([gaveUp, integrated.then(checkOutput)]), signal);
    return CHECKED.exec(output ?? '')?.[1]
      ?.split(' ')
      .slice(1)
      .toSorted();
  } finally {
    clearTimeout(limit);
    closeAfterProfile(integrated, vscode.Disposable.from(...subscriptions, terminal));
  }
}

/** A profile that is stopped halfway may leave a lock for which every later shell waits, as that of pyenv does. */
function closeAfterProfile(integrated: Promise<unknown>, terminal: vscode.Disposable): void {
  const limit = setTimeout(() => terminal.dispose(), LONGEST_PROFILE_MILLIS);
  void integrated.then(() => {
    clearTimeout(limit);
    terminal.dispose();
  });
}

async function checkOutput(shell: vscode.TerminalShellIntegration): Promise<string> {
  let output = '';
  for await (const part of shell.executeCommand(` awk '${CHECK}'`).read()) {
    output += part;
  }
  return output;
}
