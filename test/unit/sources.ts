/** The files of src as syntax trees: what they import, and what their code does. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../tools/paths.ts';
import { childNode, childNodes, parseSource, type SyntaxNode } from '../../tools/syntax.ts';

export type Source = {
  /** Below src, with slashes: `tokens/expiry.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
  /** All nodes of what runs: no types, no imports. */
  readonly code: readonly SyntaxNode[];
  /** The node that holds another. */
  parentOf(node: SyntaxNode): SyntaxNode | undefined;
  /** Names in types, such as `vscode.SecretStorage`. */
  readonly typeNames: ReadonlySet<string>;
};

export type SourceImport = {
  /** Below src where the file is one of ours, else the name of the module. */
  readonly path: string;
  readonly isOurs: boolean;
  /** `type`: gone when it runs. `lazy`: by `import()`. */
  readonly kind: 'value' | 'type' | 'lazy';
};

/** TypeScript-only nodes that contain code that runs. */
const HOLDS_CODE = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSParameterProperty',
]);
const MODULE_SYNTAX = new Set(['ImportDeclaration', 'ExportAllDeclaration']);

export function readSources(): readonly Source[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .toSorted()
    .map((path) => readSource(path, readFileSync(join(root, 'src', path), 'utf8')));
}

export function readSource(path: string, text: string): Source {
  const { program } = parseSource(path, text);
  const parents = new Map<SyntaxNode, SyntaxNode>();
  const code: SyntaxNode[] = [];
  const typeNames = new Set<string>();
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined, isType: boolean): void => {
    const isTypeHere = isType || (node.type.startsWith('TS') && !HOLDS_CODE.has(node.type));
    if (parent !== undefined) parents.set(node, parent);
    if (isTypeHere && node.type === 'TSTypeReference') typeNames.add(dottedName(childNode(node, 'typeName')) ?? '');
    if (!isTypeHere && !MODULE_SYNTAX.has(node.type)) code.push(node);
    for (const child of childrenOf(node)) visit(child, node, isTypeHere);
  };
  visit(program, undefined, false);
  return {
    path,
    text,
    imports: [...staticImports(path, program), ...lazyImports(path, code)],
    code,
    parentOf: (node) => parents.get(node),
    typeNames,
  };
}

/** True for files that run in a webview. */
export function isPage({ path }: Source): boolean {
  return path.split('/').includes('page');
}

/** `vscode.window.showErrorMessage` for such a chain of names; undefined for other expressions, `….name` where its start is one. */
export function dottedName(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'PrivateIdentifier') return `#${String(node['name'])}`;
  if (node.type === 'ThisExpression') return 'this';
  if (node.type === 'MemberExpression' && node['computed'] !== true)
    return `${dottedName(childNode(node, 'object')) ?? '…'}.${dottedName(childNode(node, 'property')) ?? '…'}`;
  if (node.type === 'TSQualifiedName')
    return `${dottedName(childNode(node, 'left')) ?? '…'}.${dottedName(childNode(node, 'right')) ?? '…'}`;
  if (['ChainExpression', 'TSNonNullExpression', 'TSAsExpression'].includes(node.type))
    return dottedName(childNode(node, 'expression'));
  return undefined;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.keys(node).flatMap((key) => {
    const one = childNode(node, key);
    return one === undefined ? childNodes(node, key) : [one];
  });
}

function staticImports(path: string, program: SyntaxNode): SourceImport[] {
  return childNodes(program, 'body').flatMap((node) => {
    const from = childNode(node, 'source')?.['value'];
    if (typeof from !== 'string') return [];
    const isTypeOnly = node['importKind'] === 'type' || node['exportKind'] === 'type';
    const names = childNodes(node, 'specifiers');
    const isType = (name: SyntaxNode): boolean => name['importKind'] === 'type' || name['exportKind'] === 'type';
    const kinds = new Set<SourceImport['kind']>(
      isTypeOnly ? ['type'] : names.length === 0 ? ['value'] : names.map((name) => (isType(name) ? 'type' : 'value')),
    );
    return [...kinds].map((kind) => resolved(path, from, kind));
  });
}

function lazyImports(path: string, code: readonly SyntaxNode[]): SourceImport[] {
  return code
    .filter(({ type }) => type === 'ImportExpression')
    .map((node) => resolved(path, String(childNode(node, 'source')?.['value']), 'lazy'));
}

function resolved(path: string, from: string, kind: SourceImport['kind']): SourceImport {
  const isOurs = from.startsWith('.');
  return { path: isOurs ? join(dirname(path), from).replaceAll('\\', '/') : from, isOurs, kind };
}
