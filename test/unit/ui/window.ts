/** Replaces VS Code in tests that run without it: tooltips and the log. */
import { registerHooks } from 'node:module';

const VSCODE = `
  export class MarkdownString {
    value = '';
    appendMarkdown(text) { this.value += text; return this; }
    // Keeps addresses, as VS Code does.
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
