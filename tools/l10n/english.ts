/** English texts of the source, package.json and the walkthrough. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { typescriptFiles } from '../sources.ts';
import { childNode, childNodes, nodesBelow, parseSource, type SyntaxNode } from '../syntax.ts';

/** Texts by their keys, in the order of their source. */
export type Texts = Readonly<Record<string, string>>;

/** A text of the source. It is its own key. */
export interface SourceText {
  readonly text: string;
  /** `src/tokens/expiry.ts:37` */
  readonly places: readonly string[];
}

/**
 * All texts passed to `l10n.t`, in the order of files and lines, each once.
 * @throws if a text is not a literal, because it could not be translated
 */
export function sourceTexts(folder = 'src'): SourceText[] {
  const found = new Map<string, string[]>();
  for (const file of typescriptFiles(folder)) {
    for (const { text, line } of textsIn(readFileSync(join(root, file), 'utf8'), file)) {
      found.set(text, [...(found.get(text) ?? []), `${file}:${line}`]);
    }
  }
  return Array.from(found, ([text, where]) => ({ text, places: where }));
}

/** Texts of one file with their lines, from 1. */
export function textsIn(source: string, file: string): { readonly text: string; readonly line: number }[] {
  const found = [];
  const { program, lineOf } = parseSource(file, source);
  for (const { node } of nodesBelow(program)) {
    if (!isTextCall(node)) continue;
    const [argument] = childNodes(node, 'arguments');
    const line = lineOf(node.start);
    if (argument?.type !== 'Literal' || typeof argument['value'] !== 'string') {
      throw new Error(`${file}:${line}: the text is no literal, so it can't be translated.`);
    }
    found.push({ text: argument['value'], line });
  }
  return found;
}

/** `l10n.t(…)`, `vscode.l10n.t(…)` */
function isTextCall(node: SyntaxNode): boolean {
  const callee = node.type === 'CallExpression' ? childNode(node, 'callee') : undefined;
  if (callee === undefined) return false;
  const object = childNode(callee, 'object');
  const name = object?.type === 'MemberExpression' ? childNode(object, 'property') : object;
  return name?.['name'] === 'l10n' && childNode(callee, 'property')?.['name'] === 't';
}

/** Texts of the source, with themselves as keys. */
export function bundleTexts(texts: readonly SourceText[] = sourceTexts()): Texts {
  return Object.fromEntries(texts.map(({ text }) => [text, text]));
}

/** Texts of package.json by their keys. */
export function manifestTexts(): Texts {
  return JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Texts;
}

/** Folder of the walkthrough's pages, relative to the repository's folder. */
const WALKTHROUGH = 'media/walkthrough';

/** Pages of the walkthrough, by their files. */
export function walkthroughTexts(): Texts {
  const files = readdirSync(join(root, WALKTHROUGH)).filter((name) => /^[\w-]+\.md$/.test(name));
  return Object.fromEntries(
    files.toSorted().map((name) => {
      const file = `${WALKTHROUGH}/${name}`;
      return [file, unwrapped(readFileSync(join(root, file), 'utf8'))];
    }),
  );
}

/** Markdown with each paragraph and list item on one line, however it was wrapped. */
export function unwrapped(markdown: string): string {
  return markdown.trim().replaceAll(/(?<=[^\n])\n *(?![-*#!\d\n ])/g, ' ');
}
