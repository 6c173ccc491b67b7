import type { Page } from 'playwright-core';
import { extensionHostLogs } from './traces.ts';
import type { RunningVSCode } from './vscode.ts';

/** Elements that block a step, or are its effect. */
const SHOWN = [
  '.monaco-dialog-box',
  '.quick-input-widget',
  '.context-view',
  '.notification-list-item',
  '.monaco-list-row',
];
const MOST_LOG_LINES = 40;
/** A stack trace would be torn apart. */
const DATED = /^\d{4}-/;
/** Repeated all the time, and of no use here. */
const NOISE = /ForwardedPorts|registerCommand|setContext|ProxyResolver|CommandsConverter/;

/** Describes what the window shows and VS Code logged last, for failures that only happen on other machines. */
export async function evidence(page: Page, vscode: RunningVSCode): Promise<string> {
  const [shown, logged] = await Promise.all([
    shownTexts(page).catch((error: unknown) => [String(error)]),
    loggedLines(vscode).catch((error: unknown) => [String(error)]),
  ]);
  return ['Shown:', ...indented(shown), 'Logged:', ...indented(logged)].join('\n');
}

function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate(
    (selectors) =>
      selectors.flatMap((selector) =>
        [...document.querySelectorAll<HTMLElement>(selector)]
          .filter((one) => one.checkVisibility())
          .map((one) => `${selector}: ${one.innerText.replaceAll(/\s+/g, ' ').trim()}`),
      ),
    SHOWN,
  );
}

/** Returns the last lines of the logs of all extension hosts, by time. */
async function loggedLines(vscode: RunningVSCode): Promise<string[]> {
  const logs = await extensionHostLogs(vscode.userFolder);
  return logs
    .flatMap(({ content }) => Buffer.from(content, 'latin1').toString().split('\n'))
    .filter((line) => DATED.test(line) && !NOISE.test(line))
    .map((line) => line.slice(0, 200))
    .toSorted()
    .slice(-MOST_LOG_LINES);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
