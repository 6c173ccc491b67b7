/** The changes that are tried in expressions: the usual operators of mutation testing. */
import { child } from './syntax.ts';
import type { Node, Place } from './syntax.ts';

/** Replaces a part of the source. */
export type Change = { readonly start: number; readonly end: number; readonly replacement: string };

/** The changes that one operator makes at one node. */
export type Operator = (place: Place, source: string) => Change[];

export const EXPRESSION_OPERATORS: readonly Operator[] = [
  binary,
  logical,
  unary,
  update,
  assignment,
  ternary,
  optional,
  method,
  arrow,
];

const BINARY: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '>': ['>=', '<='],
  '<=': ['<', '>'],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
};

function binary({ node }: Place, source: string): Change[] {
  if (node.type !== 'BinaryExpression') return [];
  const operator = String(node['operator']);
  // Texts are joined, not added: no other operator makes sense there.
  if (operator === '+' && [child(node, 'left'), child(node, 'right')].some(isText)) return [];
  return (BINARY[operator] ?? []).map((other) => withOperator(node, other, source));
}

function isText(node: Node | undefined): boolean {
  return node?.type === 'TemplateLiteral' || (node?.type === 'Literal' && typeof node['value'] === 'string');
}

function logical({ node }: Place, source: string): Change[] {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (node.type !== 'LogicalExpression' || left === undefined || right === undefined) return [];
  const operator = String(node['operator']);
  if (operator === '??') return [left, right].map((side) => replaced(node, inParentheses(side, source)));
  // Of a longer chain each operand is replaced once.
  const operands = [left, right].filter((side) => side.type !== 'LogicalExpression' || side['operator'] !== operator);
  return [
    withOperator(node, operator === '&&' ? '||' : '&&', source),
    ...operands.map((operand) => replaced(operand, operator === '&&' ? 'true' : 'false')),
  ];
}

function unary({ node }: Place, source: string): Change[] {
  const argument = child(node, 'argument');
  if (node.type !== 'UnaryExpression' || argument === undefined) return [];
  return node['operator'] === '!' || node['operator'] === '-' ? [replaced(node, inParentheses(argument, source))] : [];
}

function update({ node }: Place, source: string): Change[] {
  if (node.type !== 'UpdateExpression') return [];
  const operator = String(node['operator']);
  return [replaced(node, textOf(node, source).replace(operator, operator === '++' ? '--' : '++'))];
}

const ASSIGNMENTS: Readonly<Record<string, string>> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '??=': '=',
  '||=': '=',
  '&&=': '=',
};

function assignment({ node }: Place, source: string): Change[] {
  const other = node.type === 'AssignmentExpression' ? ASSIGNMENTS[String(node['operator'])] : undefined;
  return other === undefined ? [] : [withOperator(node, other, source)];
}

function ternary({ node }: Place): Change[] {
  const test = child(node, 'test');
  return node.type === 'ConditionalExpression' && test !== undefined
    ? [replaced(test, 'true'), replaced(test, 'false')]
    : [];
}

function optional({ node }: Place, source: string): Change[] {
  const object = child(node, 'object') ?? child(node, 'callee');
  if (node['optional'] !== true || object === undefined) return [];
  const isNamed = node.type === 'MemberExpression' && node['computed'] !== true;
  return [withPiece(node, source.indexOf('?.', object.end), 2, isNamed ? '.' : '', source)];
}

const OTHER_METHOD = new Map([
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
]);
const LEFT_OUT = new Set(['trim', 'trimEnd', 'trimStart', 'filter', 'slice', 'toSorted', 'toReversed']);

function method({ node }: Place, source: string): Change[] {
  const callee = child(node, 'callee');
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression' || callee['computed'] === true) return [];
  const [object, property] = [child(callee, 'object'), child(callee, 'property')];
  if (object === undefined || property === undefined) return [];
  const name = String(property['name']);
  const other = OTHER_METHOD.get(name);
  if (other !== undefined) return [withPiece(node, property.start, name.length, other, source)];
  return LEFT_OUT.has(name) ? [replaced(node, inParentheses(object, source))] : [];
}

/** A function that gives nothing. */
function arrow({ node }: Place): Change[] {
  const body = child(node, 'body');
  if (node.type !== 'ArrowFunctionExpression' || body === undefined) return [];
  const saysNothing = body.type === 'BlockStatement' || body.type === 'Literal' || isUndefined(body);
  return saysNothing ? [] : [replaced(body, 'undefined')];
}

export function isUndefined(node: Node): boolean {
  return node.type === 'Identifier' && node['name'] === 'undefined';
}

export function replaced({ start, end }: Node, replacement: string): Change {
  return { start, end, replacement };
}

export function textOf({ start, end }: Node, source: string): string {
  return source.slice(start, end);
}

/** The tree knows no parentheses: what was inside some gets them again. */
function inParentheses(node: Node, source: string): string {
  const isSimple = node.type === 'Identifier' || node.type === 'MemberExpression' || node.type === 'CallExpression';
  return isSimple ? textOf(node, source) : `(${textOf(node, source)})`;
}

function withOperator(node: Node, other: string, source: string): Change {
  const operator = String(node['operator']);
  return withPiece(
    node,
    source.indexOf(operator, child(node, 'left')?.end ?? node.start),
    operator.length,
    other,
    source,
  );
}

/** The whole node with a piece of it replaced, so that one sees where. */
function withPiece(node: Node, at: number, length: number, other: string, source: string): Change {
  return replaced(node, source.slice(node.start, at) + other + source.slice(at + length, node.end));
}
