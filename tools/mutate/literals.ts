/** The changes that are tried at literals: booleans, texts, patterns, arrays and objects. */
import { replaced, textOf } from './operators.ts';
import type { Change, Operator } from './operators.ts';
import { patternChanges } from './patterns.ts';
import { children } from './syntax.ts';
import type { Place } from './syntax.ts';

export const LITERAL_OPERATORS: readonly Operator[] = [boolean, text, template, pattern, array, object];

function boolean({ node }: Place): Change[] {
  return node.type === 'Literal' && typeof node['value'] === 'boolean' ? [replaced(node, String(!node['value']))] : [];
}

function text({ node, key, around }: Place): Change[] {
  if (node.type !== 'Literal' || typeof node['value'] !== 'string' || isName(key, around)) return [];
  return [replaced(node, node['value'] === '' ? "'mutant'" : "''")];
}

/** The name of a module or of a property is no text. */
function isName(key: string, around: Place['around']): boolean {
  const parent = around[0];
  return key === 'source' || (key === 'key' && parent?.['computed'] !== true) || parent?.type === 'ImportAttribute';
}

function template({ node }: Place, source: string): Change[] {
  return node.type === 'TemplateLiteral' && textOf(node, source) !== '``' ? [replaced(node, '``')] : [];
}

function pattern({ node }: Place, source: string): Change[] {
  if (node.type !== 'Literal' || node['regex'] === undefined) return [];
  return patternChanges(textOf(node, source)).map((changed) => replaced(node, changed));
}

function array({ node }: Place): Change[] {
  if (node.type !== 'ArrayExpression') return [];
  return [replaced(node, children(node, 'elements').length === 0 ? "['mutant']" : '[]')];
}

function object({ node }: Place): Change[] {
  return node.type === 'ObjectExpression' && children(node, 'properties').length > 0 ? [replaced(node, '{}')] : [];
}
