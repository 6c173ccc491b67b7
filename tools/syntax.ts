/** Sources as syntax trees (ESTree with TypeScript), with their comments. */
import { parseSync } from 'oxc-parser';

/** A node of the tree, as precise as needed. */
export type SyntaxNode = {
  readonly type: string;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};

export type ParsedSource = {
  readonly program: SyntaxNode;
  readonly comments: readonly { readonly type: 'Line' | 'Block'; readonly value: string; readonly start: number }[];
  /** Returns the line of an offset, from 1. */
  lineOf(offset: number): number;
};

/** @throws SyntaxError with the parser's first message */
export function parseSource(path: string, text: string): ParsedSource {
  const { program, comments, errors } = parseSync(path, text, { preserveParens: false });
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  return { program: program as unknown as SyntaxNode, comments, lineOf: lineFinder(text) };
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    return next === -1 ? starts.length : next;
  };
}

/** Every node below and including this one in source order, each with its ancestors, the innermost first. */
export function* nodesBelow(
  node: SyntaxNode,
  ancestors: readonly SyntaxNode[] = [],
): Generator<{ readonly node: SyntaxNode; readonly ancestors: readonly SyntaxNode[] }> {
  yield { node, ancestors };
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isSyntaxNode(one)) yield* nodesBelow(one, [node, ...ancestors]);
    }
  }
}

export function childNode(node: SyntaxNode, key: string): SyntaxNode | undefined {
  const value = node[key];
  return isSyntaxNode(value) ? value : undefined;
}

export function childNodes(node: SyntaxNode, key: string): readonly SyntaxNode[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isSyntaxNode) : [];
}

function isSyntaxNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as SyntaxNode).type === 'string' &&
    typeof (value as SyntaxNode).start === 'number'
  );
}
