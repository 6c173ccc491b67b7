/** Sources as syntax trees: types are blanked out, so that every place in the tree is the place in the source. */
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'acorn';

/** A node of the tree (ESTree), as loosely as the operators need it. */
export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};

/** A node with what is around it, the innermost first. */
export type Place = { readonly node: Node; readonly key: string; readonly around: readonly Node[] };

/** JavaScript of the same length, line by line. */
export function stripped(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' });
}

/** @throws SyntaxError */
export function treeOf(javascript: string): Node {
  return parse(javascript, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as Node;
}

export function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Node).type === 'string' &&
    typeof (value as Node).start === 'number'
  );
}

/** Every node, in the order of the source. */
export function* places(node: Node, key = '', around: readonly Node[] = []): Generator<Place> {
  yield { node, key, around };
  for (const [childKey, value] of Object.entries(node)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(one)) yield* places(one, childKey, [node, ...around]);
    }
  }
}

/** The child of that name. */
export function child(node: Node, key: string): Node | undefined {
  const value = node[key];
  return isNode(value) ? value : undefined;
}

export function children(node: Node, key: string): readonly Node[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}
