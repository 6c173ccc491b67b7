import type { Page } from 'playwright-core';

type Value = { readonly value?: unknown };
type Node = {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly childIds?: readonly string[];
  readonly role?: Value;
  readonly name?: Value;
  readonly description?: Value;
  readonly properties?: readonly { readonly name: string; readonly value: Value }[];
};

/** States that a screen reader announces, if they are on. */
const SAID = new Set([
  'level',
  'checked',
  'invalid',
  'expanded',
  'disabled',
  'readonly',
  'live',
  'valuetext',
  'focused',
]);
/** Roles that are not announced themselves: their text is in the name of a parent, or in `StaticText`. */
const SILENT = new Set(['none', 'generic', 'InlineTextBox', 'RootWebArea', 'LabelText', 'LayoutTable', 'ListMarker']);

/** The page in a webview as a screen reader reads it: one line per element, such as `radio "30 days" checked=true`. */
export async function accessibilityTree(window: Page): Promise<string[]> {
  const nodes = await allNodes(window);
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const read = (node: Node | undefined): void => {
    if (node === undefined) return;
    if (!node.ignored && !SILENT.has(textOf(node.role))) lines.push(lineOf(node));
    node.childIds?.forEach((id) => read(byId.get(id)));
  };
  read(nodes[0]);
  return lines;
}

/** VS Code puts a page into a frame inside the frame of its own webview. */
async function allNodes(window: Page): Promise<readonly Node[]> {
  const session = await window.context().newCDPSession(window);
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    type Tree = typeof frameTree;
    const all = (tree: Tree): readonly Tree[] => [tree, ...(tree.childFrames ?? []).flatMap(all)];
    const webview = all(frameTree).find(({ frame }) => frame.url.includes('/webview/browser/pre/index.html'));
    const page = webview?.childFrames?.[0];
    if (page === undefined) throw new Error('There is no page in a webview.');
    const { nodes } = await session.send('Accessibility.getFullAXTree', { frameId: page.frame.id });
    return nodes;
  } finally {
    await session.detach();
  }
}

function lineOf({ role, name, description, properties = [] }: Node): string {
  const states = properties
    .filter(
      ({ name: state, value }) =>
        SAID.has(state) && value.value !== false && value.value !== 'false' && value.value !== '',
    )
    .map(({ name: state, value }) => `${state}=${String(value.value)}`);
  const described = textOf(description);
  return [textOf(role), `"${textOf(name)}"`, ...states, ...(described === '' ? [] : [`(${described})`])].join(' ');
}

function textOf(value: Value | undefined): string {
  return typeof value?.value === 'string' ? value.value.replaceAll(/\s+/g, ' ').trim() : '';
}
