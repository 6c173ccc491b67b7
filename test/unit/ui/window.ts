/** In place of VS Code: what tooltips and the log are made with, for tests that run without it. */
import { registerHooks } from 'node:module';

const VSCODE = `
  export class MarkdownString {
    value = '';
    appendMarkdown(text) { this.value += text; return this; }
    // As VS Code does: addresses stay as they are.
    appendText(text) { return this.appendMarkdown(text.replace(/[\\\\\`*_{}[\\]()#+\\-!~]/g, '\\\\$&').replaceAll(' ', '&nbsp;')); }
  }
  export const written = [];
  const write = (line) => written.push(line);
  export const window = { createOutputChannel: () => ({ info: write, warn: write, error: write }) };
`;
const url = `data:text/javascript,${encodeURIComponent(VSCODE)}`;

registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url, shortCircuit: true } : next(name, context)),
});

/** The lines of the log. */
export async function written(): Promise<readonly string[]> {
  return ((await import(url)) as { written: string[] }).written;
}
