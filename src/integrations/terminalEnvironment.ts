/** Environment of a terminal in which the product's command line works, and what the shell's profile changes in it. */
import * as vscode from 'vscode';
import { isLoopbackHost } from '../service/http/baseUrl.ts';
import { untilAborted } from '../service/http/waiting.ts';

/** Null unsets a variable. VS Code replaces `${env:NAME}` by what the terminal would have. */
type TerminalEnvironment = Readonly<Record<string, string | null>>;

/** The command line prefers them to the URL or to the token. */
const UNSET = { DATAHUB_GMS_HOST: null, DATAHUB_GMS_PORT: null, DATAHUB_GMS_PROTOCOL: null, DATAHUB_AUTH_TYPE: null };

/** @param url Address of the service. The command line appends its own paths. */
export function terminalEnvironment(url: string, token: string): TerminalEnvironment {
  return { ...UNSET, DATAHUB_GMS_URL: url, DATAHUB_GMS_TOKEN: token, ...withoutProxy(new URL(url).hostname) };
}

/** Keeps a token for this machine from the proxy. Programs read one of both variables, and disagree which. */
function withoutProxy(hostname: string): TerminalEnvironment {
  if (!isLoopbackHost(hostname)) {
    return {};
  }
  const hosts = `\${env:no_proxy},\${env:NO_PROXY},${hostname.replace(/[[\]]/g, '')}`;
  return { no_proxy: hosts, NO_PROXY: hosts };
}

/** Slow profiles take seconds. A shell without shell integration never answers. */
const LONGEST_CHECK_MILLIS = 5_000;
/** With shell integration and `awk`. Others aren't waited for once VS Code knows them. */
const CHECKED_SHELLS: ReadonlySet<string> = new Set(['bash', 'fish', 'gitbash', 'zsh']);
const AS_SET = 'as-set';
/** Prints names, never values. The space in front keeps it out of the history of most shells. */
const CHECK =
  ' awk \'BEGIN { for (name in ENVIRON) if (name ~ /^DATAHUB_(GMS_|AUTH_TYPE$)/ && ENVIRON[name] != "' +
  AS_SET +
  '") names = names " " name; print "set:" names "." }\'';
const CHECKED = /\bset:((?: DATAHUB_\w+)*)\./;

/**
 * Names of the variables that the shell's profile sets: it runs after VS Code set those of the terminal, and no API
 * reads the environment of a shell. So a hidden terminal, without address and token, runs the profile and a check.
 * @returns undefined if the shell can't be asked.
 * @throws ServiceFailure `cancelled`
 */
export async function variablesSetByProfile(signal: AbortSignal): Promise<readonly string[] | undefined> {
  const isIntegrated = vscode.workspace.getConfiguration('terminal.integrated').get('shellIntegration.enabled');
  // In a workspace that isn't trusted, VS Code asks the user before it starts any shell.
  if (isIntegrated === false || !vscode.workspace.isTrusted) {
    return undefined;
  }
  const terminal = vscode.window.createTerminal({
    hideFromUser: true,
    isTransient: true,
    env: { ...UNSET, DATAHUB_GMS_URL: AS_SET, DATAHUB_GMS_TOKEN: AS_SET },
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
      if (changed === terminal && !CHECKED_SHELLS.has(changed.state.shell ?? 'bash')) {
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
    vscode.Disposable.from(...subscriptions, terminal).dispose();
  }
}

async function checkOutput(shell: vscode.TerminalShellIntegration): Promise<string> {
  let output = '';
  for await (const part of shell.executeCommand(CHECK).read()) {
    output += part;
  }
  return output;
}
