import type { FrameLocator, Locator, Page } from 'playwright-core';

/** Texts that differ between runs, and their replacements. */
const REPLACEMENTS: readonly (readonly [pattern: string, text: string])[] = [
  [String.raw`\b[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d:\d\d\s[AP]M`, 'May 23, 2026, 2:05:09 PM'],
  [String.raw`\b[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M`, 'May 23, 2026, 2:05 PM'],
  [String.raw`\b[A-Z][a-z]{2} \d{1,2}, \d{4}\b`, 'May 23, 2026'],
  [String.raw`\bas of \d{1,2}:\d\d\s[AP]M`, 'as of 2:05 PM'],
  [String.raw`\b\d{4}-\d\d-\d\d \d\d:\d\d UTC`, '2026-05-23 14:05 UTC'],
  [String.raw`\b(127\.0\.0\.1|localhost):\d+`, '127.0.0.1:8080'],
  [String.raw`\b[\w-]{22}:\d+\b`, 'oTUltX4IQMOUUVeiohTt8A:12345'],
  [String.raw`\bin [\d,]{3,} days`, 'in 26,000 days'],
  [String.raw`\b\d+(\.\d+)? (s|sec|seconds?)\b`, '5 $2'],
];

const DATE = '2026-05-23';
const TIME = '14:05';

/**
 * Moves the pointer away and the focus out of a webview's page, because hovered and focused elements look different.
 * A field that loses the focus is drawn again with its real date, so call this before `freeze`.
 */
export async function leaveAlone(window: Page, page: FrameLocator): Promise<void> {
  const { width, height } = window.viewportSize() ?? { width: 1, height: 1 };
  await window.mouse.move(width - 1, height - 1);
  await page.locator('body').evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

/** Replaces times, addresses and IDs by fixed ones, so that two pictures are the same. */
export async function freeze(shown: Locator): Promise<void> {
  await shown.evaluate(
    (root, { replacements, date, time }) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() !== null) {
        const node = walker.currentNode as Text;
        const text = replacements.reduce(
          (sofar, [pattern, replacement]) => sofar.replaceAll(new RegExp(pattern, 'g'), replacement),
          node.data,
        );
        if (text !== node.data) node.data = text;
      }
      for (const input of root.querySelectorAll('input')) {
        if (input.value !== '' && input.type === 'date') input.value = date;
        if (input.value !== '' && input.type === 'time') input.value = time;
      }
    },
    { replacements: REPLACEMENTS, date: DATE, time: TIME },
  );
}
