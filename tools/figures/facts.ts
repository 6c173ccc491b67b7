/** Facts about one source, from its syntax tree. */
import { importsOf, type SourceImport } from '../sources.ts';
import { childNode, childNodes, nodesBelow, parseSource, type ParsedSource, type SyntaxNode } from '../syntax.ts';

/** Something found in a source. */
export type NamedPlace = { readonly name: string; readonly line: number };

export type FunctionFacts = NamedPlace & {
  readonly lines: number;
  /** Deepest nesting of control statements. */
  readonly depth: number;
};

export type SourceFacts = {
  /** Relative to the repository's folder, with slashes. */
  readonly path: string;
  readonly lines: readonly string[];
  /** Named functions: declarations, methods, and those assigned to a constant or a property. */
  readonly functions: readonly FunctionFacts[];
  readonly types: readonly NamedPlace[];
  /** Text without markers and line breaks. Consecutive lines of `//` are one comment. Directives are left out. */
  readonly comments: readonly NamedPlace[];
  /** Directives to the linter: the text after `oxlint-disable…`. */
  readonly directives: readonly NamedPlace[];
  readonly imports: readonly SourceImport[];
  /** Exported functions, classes and constants. */
  readonly exports: readonly NamedPlace[];
  /** `...(condition ? {} : { … })` and its mirror image. */
  readonly optionalSpreads: readonly NamedPlace[];
  /** Titles of tests and suites, with `$` for inserted values. */
  readonly titles: readonly NamedPlace[];
};

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const TYPES = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'TSEnumDeclaration', 'ClassDeclaration']);
const CONTROL = new Set([
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
]);
const DIRECTIVE = /^\s*(?:oxlint-|oxfmt-|eslint-|@ts-|\/)/;

export function factsOf(path: string, text: string): SourceFacts {
  const parsed = parseSource(path, text);
  const { lineOf } = parsed;
  const nodes = [...nodesBelow(parsed.program)];
  const placesOf = (nameOf: (node: SyntaxNode, parent: SyntaxNode | undefined) => string | undefined): NamedPlace[] =>
    nodes.flatMap(({ node, ancestors }) => {
      const name = nameOf(node, ancestors[0]);
      return name === undefined ? [] : [{ name, line: lineOf(node.start) }];
    });
  return {
    path,
    lines: text.replace(/\n$/, '').split('\n'),
    functions: nodes.flatMap(({ node, ancestors }) => {
      const name = FUNCTIONS.has(node.type) ? functionName(node, ancestors[0]) : undefined;
      if (name === undefined || childNode(node, 'body') === undefined) return [];
      const line = lineOf(node.start);
      return [{ name, line, lines: lineOf(node.end) - line + 1, depth: depthOf(node) }];
    }),
    types: placesOf((node) => (TYPES.has(node.type) ? identifier(childNode(node, 'id')) : undefined)),
    comments: commentsOf(parsed, text),
    directives: parsed.comments.flatMap(({ value, start }) =>
      /^\s*oxlint-disable/.test(value) ? [{ name: value.trim(), line: lineOf(start) }] : [],
    ),
    imports: importsOf(path, parsed),
    exports: childNodes(parsed.program, 'body').flatMap((node) =>
      node.type === 'ExportNamedDeclaration'
        ? declaredNames(childNode(node, 'declaration')).map((name) => ({ name, line: lineOf(node.start) }))
        : [],
    ),
    optionalSpreads: placesOf((node) => (isOptionalSpread(node) ? text.slice(node.start, node.end) : undefined)),
    titles: placesOf(testTitle),
  };
}

function functionName(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  const own = identifier(childNode(node, 'id'));
  if (own !== undefined || parent === undefined) return own;
  if (parent.type === 'VariableDeclarator') return identifier(childNode(parent, 'id'));
  const isMember = ['MethodDefinition', 'PropertyDefinition', 'Property'].includes(parent.type);
  const name = isMember ? identifier(childNode(parent, 'key')) : undefined;
  return name === 'constructor' ? undefined : name;
}

/** Names of a declaration that exist when it runs. */
function declaredNames(declaration: SyntaxNode | undefined): string[] {
  if (declaration === undefined || declaration.type.startsWith('TS')) return [];
  const named = [declaration, ...childNodes(declaration, 'declarations')];
  return named.flatMap((node) => identifier(childNode(node, 'id')) ?? []);
}

function identifier(node: SyntaxNode | undefined): string | undefined {
  return typeof node?.['name'] === 'string' ? node['name'] : undefined;
}

/** Deepest nesting of control statements, without inner functions. */
function depthOf(node: SyntaxNode): number {
  let deepest = 0;
  for (const { node: inner, ancestors } of nodesBelow(node)) {
    const own = ancestors.slice(0, ancestors.indexOf(node) + 1);
    if (own.some(({ type }, index) => FUNCTIONS.has(type) && index < own.length - 1)) continue;
    if (!CONTROL.has(inner.type) || isElseIf(inner, own[0])) continue;
    const around = own.filter((one, index) => CONTROL.has(one.type) && !isElseIf(one, own[index + 1]));
    deepest = Math.max(deepest, around.length + 1);
  }
  return deepest;
}

function isElseIf(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  return node.type === 'IfStatement' && parent?.type === 'IfStatement' && childNode(parent, 'alternate') === node;
}

function isOptionalSpread(node: SyntaxNode): boolean {
  const spread = node.type === 'SpreadElement' ? childNode(node, 'argument') : undefined;
  if (spread?.type !== 'ConditionalExpression') return false;
  return ['consequent', 'alternate'].some((branch) => {
    const value = childNode(spread, branch);
    return value?.type === 'ObjectExpression' && childNodes(value, 'properties').length === 0;
  });
}

/** `suite('…')`, `test('…')`, `it('…')`, `describe('…')`, also with `.only` and the like. */
function testTitle(node: SyntaxNode): string | undefined {
  const callee = node.type === 'CallExpression' ? childNode(node, 'callee') : undefined;
  const named = callee?.type === 'MemberExpression' ? childNode(callee, 'object') : callee;
  if (!/^(?:suite|test|it|describe)$/.test(identifier(named) ?? '')) return undefined;
  const [title] = childNodes(node, 'arguments');
  if (title?.type === 'Literal' && typeof title['value'] === 'string') return title['value'];
  if (title?.type !== 'TemplateLiteral') return undefined;
  return childNodes(title, 'quasis')
    .map((quasi) => (quasi['value'] as { readonly raw: string }).raw)
    .join('$');
}

function commentsOf({ comments, lineOf }: ParsedSource, text: string): NamedPlace[] {
  const found: { name: string; line: number; next: number }[] = [];
  for (const { type, value, start } of comments) {
    if (DIRECTIVE.test(value)) continue;
    const line = lineOf(start);
    const words = value
      .replaceAll(/^\s*\*+ ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (words === '') continue;
    const before = found.at(-1);
    const standsAlone = text.slice(0, start).split('\n').at(-1)?.trim() === '';
    if (type === 'Line' && standsAlone && before?.next === line) {
      before.name += ` ${words}`;
      before.next += 1;
    } else {
      found.push({ name: words, line, next: type === 'Line' && standsAlone ? line + 1 : -1 });
    }
  }
  return found.map(({ name, line }) => ({ name, line }));
}
