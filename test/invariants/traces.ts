/** Every place where the product leaves a text, but for secret storage and what it sends. */
import type { Driver } from './driver.ts';
import type { Window } from './window.ts';

export interface Trace {
  readonly place: string;
  readonly text: string;
}

/** Reads all places, of open windows and of ended ones. The trees are those of the open ones. */
export async function tracesOf(driver: Driver): Promise<readonly Trace[]> {
  const { machine, windows } = driver;
  const ofWindows = await Promise.all(windows.map(tracesOfWindow));
  return [
    ...[...machine.files()].map(([path, text]) => ({ place: 'a file', text: `${path}\n${text}` })),
    ...[...new Set(machine.written)].map((text) => ({ place: 'what was written', text })),
    { place: 'the storage of all folders', text: JSON.stringify(machine.globalState.value) },
    { place: 'the storage of a folder', text: JSON.stringify(machine.workspaceState.value) },
    { place: 'the clipboard', text: machine.clipboard },
    ...ofWindows.flat(),
  ];
}

async function tracesOfWindow(window: Window): Promise<readonly Trace[]> {
  const { host } = window;
  const rows = host.isAlive ? await window.wholeTree() : [];
  return [
    ...host.log.map((text) => ({ place: 'the log', text })),
    ...host.asked.map((text) => ({ place: 'a question', text })),
    ...host.notices.map(({ message, buttons }) => ({ place: 'a notice', text: [message, ...buttons].join('\n') })),
    ...host.statusBar.map((item) => ({ place: 'the status bar', text: JSON.stringify(item) })),
    ...[...host.contextKeys].map((entry) => ({ place: 'a context key', text: JSON.stringify(entry) })),
    ...host.panels.map(({ title }) => ({ place: 'a title', text: title })),
    ...host.panels.flatMap(({ received }) =>
      received.map((message) => ({ place: 'a page', text: JSON.stringify(message) })),
    ),
    ...rows.map(({ text, item: { id, contextValue, tooltip } }) => ({
      place: 'a row',
      text: JSON.stringify([text, id, contextValue, tooltip]),
    })),
  ];
}
