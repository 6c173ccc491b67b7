import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { FrameLocator } from 'playwright-core';

type WithAxe = typeof globalThis & { axe?: { run(): Promise<AxeResults> } };

/**
 * Faults that axe finds in a page inside a webview, one line per rule and element.
 *
 * @throws if axe checked nothing
 */
export async function axeViolations(page: FrameLocator): Promise<string[]> {
  const root = page.locator('html');
  const frame = await (await root.elementHandle())?.ownerFrame();
  if (frame === null || frame === undefined) throw new Error('There is no page in the webview.');
  if (!(await frame.evaluate(() => (globalThis as WithAxe).axe !== undefined))) await frame.evaluate(axe.source);
  const { violations, passes } = await frame.evaluate(async () => {
    // A webview is transparent, and axe would assume white, so it gets the colour of the editor behind it.
    const { style } = document.documentElement;
    style.backgroundColor = 'var(--vscode-editor-background)';
    const results = await (globalThis as WithAxe).axe?.run();
    style.removeProperty('background-color');
    return {
      passes: results?.passes.length ?? 0,
      violations: (results?.violations ?? []).flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
      ),
    };
  });
  if (passes === 0) throw new Error('axe has checked nothing.');
  return violations;
}
