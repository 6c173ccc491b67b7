/** The changes that are tried in statements: what is left out, and conditions that no longer decide. */
import { isUndefined, replaced } from './operators.ts';
import type { Change, Operator } from './operators.ts';
import { child, children } from './syntax.ts';
import type { Node, Place } from './syntax.ts';

export const STATEMENT_OPERATORS: readonly Operator[] = [condition, block, switchCase, statement, result];

function condition({ node }: Place): Change[] {
  const test = child(node, 'test');
  if (test === undefined) return [];
  if (node.type === 'IfStatement') return [replaced(test, 'true'), replaced(test, 'false')];
  const isLoop = node.type === 'WhileStatement' || node.type === 'ForStatement' || node.type === 'DoWhileStatement';
  return isLoop ? [replaced(test, 'false')] : [];
}

function block({ node }: Place): Change[] {
  return node.type === 'BlockStatement' && children(node, 'body').length > 0 ? [replaced(node, '{}')] : [];
}

function switchCase({ node }: Place): Change[] {
  const [first, last] = [children(node, 'consequent')[0], children(node, 'consequent').at(-1)];
  if (node.type !== 'SwitchCase' || first === undefined || last === undefined) return [];
  return [{ start: first.start, end: last.end, replacement: '' }];
}

/** A call, an assignment or an exception left out. The only statement of a block goes with its block. */
function statement({ node, around }: Place): Change[] {
  if (isAlone(node, around)) return [];
  const expression = child(node, 'expression');
  const counts =
    node.type === 'ThrowStatement' || (node.type === 'ExpressionStatement' && expression?.type !== 'Literal');
  return counts ? [replaced(node, ';')] : [];
}

const SAYS_ITSELF = new Set(['Literal', 'ObjectExpression', 'ArrayExpression', 'TemplateLiteral']);

/** A function that gives nothing. Literals are changed in ways of their own. */
function result({ node, around }: Place): Change[] {
  const argument = child(node, 'argument');
  if (node.type !== 'ReturnStatement' || argument === undefined || isAlone(node, around)) return [];
  return SAYS_ITSELF.has(argument.type) || isUndefined(argument) ? [] : [replaced(argument, 'undefined')];
}

function isAlone(node: Node, around: readonly Node[]): boolean {
  const parent = around[0];
  return (
    parent?.type === 'BlockStatement' && children(parent, 'body').length === 1 && children(parent, 'body')[0] === node
  );
}
