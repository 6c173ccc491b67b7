/** TypeScript of the repository: its files, their imports, and their code without types. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { root } from './paths.ts';
import { childNode, childNodes, nodesBelow, parseSource, type ParsedSource, type SyntaxNode } from './syntax.ts';

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

/** An import or a re-export. */
export type SourceImport = {
  /** The specifier of the module. */
  readonly name: string;
  readonly line: number;
  /** Path from the folder that the importer's path starts in, or the name of a module that isn't ours. */
  readonly path: string;
  readonly isOurs: boolean;
  /** `type`: erased before the code runs. `lazy`: by `import()`. */
  readonly kind: 'value' | 'type' | 'lazy';
};

type ImportingFile = { readonly path: string; readonly imports: readonly SourceImport[] };

/** TypeScript-only nodes that contain code that runs. */
const HOLDS_CODE = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSParameterProperty',
]);
const MODULE_SYNTAX = new Set(['ImportDeclaration', 'ExportAllDeclaration']);
const IMPORTS = new Set([...MODULE_SYNTAX, 'ExportNamedDeclaration', 'ImportExpression']);

/** All TypeScript below a folder, such as `src`. */
export function typescriptFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .toSorted();
}

/** The sources in src, by their paths below it. */
export function readSources(): readonly Source[] {
  return typescriptFiles('src').map((path) =>
    readSource(path.slice('src/'.length), readFileSync(join(root, path), 'utf8')),
  );
}

function readSource(path: string, text: string): Source {
  const parsed = parseSource(path, text);
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
  visit(parsed.program, undefined, false);
  return {
    path,
    text,
    imports: importsOf(path, parsed),
    code,
    parentOf: (node) => parents.get(node),
    typeNames,
  };
}

function importsOf(importer: string, { program, lineOf }: ParsedSource): SourceImport[] {
  return Array.from(nodesBelow(program), ({ node }) => node).flatMap((node) => {
    const name = IMPORTS.has(node.type) ? childNode(node, 'source')?.['value'] : undefined;
    if (typeof name !== 'string') return [];
    const isOurs = name.startsWith('.');
    const path = isOurs ? join(dirname(importer), name) : name;
    return [{ name, line: lineOf(node.start), path, isOurs, kind: importKind(node) }];
  });
}

function importKind(node: SyntaxNode): SourceImport['kind'] {
  if (node.type === 'ImportExpression') return 'lazy';
  const isType = (one: SyntaxNode): boolean => one['importKind'] === 'type' || one['exportKind'] === 'type';
  const names = childNodes(node, 'specifiers');
  return isType(node) || (names.length > 0 && names.every(isType)) ? 'type' : 'value';
}

/** Paths and names of modules that each file imports. */
export function importsByFile(
  files: readonly ImportingFile[],
  isWanted: (one: SourceImport) => boolean = () => true,
): Map<string, string[]> {
  return new Map(files.map(({ path, imports }) => [path, imports.filter(isWanted).map((one) => one.path)]));
}

/** Files that are loaded with a file. */
export function reachableFrom(path: string, imported: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const pending = [...(imported.get(path) ?? [])];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next) || !imported.has(next)) continue;
    reached.add(next);
    pending.push(...(imported.get(next) ?? []));
  }
  return reached;
}

/** True for files that run in a webview. */
export function isPage({ path }: Source): boolean {
  return path.split('/').includes('page');
}

/**
 * `vscode.window.showErrorMessage` for such a chain of names; undefined for other expressions, `….name` where its
 * start is one.
 */
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
