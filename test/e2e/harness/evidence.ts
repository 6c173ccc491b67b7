import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
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

/** Returns the last lines of the newest extension host's logs, by time. */
async function loggedLines(vscode: RunningVSCode): Promise<string[]> {
  const folder = join(vscode.userFolder, 'logs');
  const names = await readdir(folder, { recursive: true });
  const logs = await Promise.all(
    names
      .filter((name) => /exthost\d+\/.*\.log$/.test(name))
      .map(async (name) => ({ file: join(folder, name), changed: (await stat(join(folder, name))).mtimeMs })),
  );
  const latest = logs.toSorted((a, b) => b.changed - a.changed).slice(0, 2);
  const texts = await Promise.all(latest.map(({ file }) => readFile(file, 'utf8')));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => DATED.test(line) && !NOISE.test(line))
    .map((line) => line.slice(0, 200))
    .toSorted()
    .slice(-MOST_LOG_LINES);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
